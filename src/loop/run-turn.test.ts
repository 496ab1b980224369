import { describe, expect, it } from 'vitest';
import type { CallContext } from '../contract/call.ts';
import type { EventBody } from '../contract/event.ts';
import { ModelFailure } from '../contract/failure.ts';
import type { AssistantMessage } from '../contract/message.ts';
import type { FinishReason, ModelClient, ModelEvent, ModelRequest } from '../contract/model.ts';
import { createContext } from '../conversation/fold-context.ts';
import { runTurn } from './run-turn.ts';
import type { ContextWindow } from './turn.ts';

type Scripted = {
  readonly text?: string;
  readonly calls?: readonly string[];
  readonly finish?: FinishReason;
  readonly events?: readonly ModelEvent[];
  readonly fails?: Error;
};
const said = (text: string) => ({ role: 'user', parts: [{ type: 'text', text }] }) as const;
const allowed = { verdict: 'allow', reason: '' } as const;
const usage = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 0, reasoningTokens: 0 };

function harness(
  script: readonly Scripted[] | ((round: number) => Scripted),
  given: { maxRounds?: number; onCalls?: () => void; fails?: (callId: string) => string; window?: ContextWindow } = {},
) {
  const requests: ModelRequest[] = [];
  const events: EventBody[] = [];
  const control = new AbortController();
  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    requests.push({ ...request, messages: [...request.messages] });
    const step = (typeof script === 'function' ? script(requests.length) : script[requests.length - 1]) ?? {
      text: 'nothing left',
    };
    yield* step.events ?? [];
    if (step.text !== undefined) yield { type: 'text-delta', text: step.text };
    if (step.fails !== undefined) throw step.fails;
    if (signal.aborted) throw new ModelFailure('cancelled', 'stopped');
    const parts: AssistantMessage['parts'] = [
      ...(step.text === undefined ? [] : [{ type: 'text' as const, text: step.text }]),
      ...(step.calls ?? []).map((tool, at) => ({
        type: 'call' as const,
        callId: `r${requests.length}c${at}`,
        tool,
        input: `{"round":${requests.length}}`,
      })),
    ];
    yield {
      type: 'end',
      message: { role: 'assistant', parts },
      usage,
      finish: step.finish ?? (step.calls ? 'calls' : 'answer'),
    };
  }
  const model: ModelClient = {
    info: {
      id: 'test/model',
      contextWindow: 1_000,
      maxOutputTokens: 100,
      acceptsImages: false,
      hasNativeCalls: true,
      isSmall: false,
    },
    stream,
  };
  const context = createContext();
  const stamp = { conversationId: 'c', turnId: 't', at: '' };
  const record: CallContext['record'] = async (event) => {
    events.push(event);
    context.add({ ...event, ...stamp, seq: events.length + 1 });
  };
  context.add({ type: 'turn-start', message: said('go'), origin: 'test', ...stamp, seq: 1 });
  const { messages } = context;
  const turn = runTurn({
    model,
    messages,
    system: 'system',
    offeredTools: async () => [{ name: 'look', description: '', inputSchema: {} }],
    executeCalls: async (calls) => {
      given.onCalls?.();
      const outcomes = calls.map(({ callId, refusal }) => {
        const message = refusal ?? given.fails?.(callId);
        if (message === undefined) return { ok: true, text: `result of ${callId}` };
        return { ok: false, text: message, error: { code: 'failed', message } };
      });
      for (const [at, { callId, tool }] of calls.entries()) {
        const outcome = outcomes[at] ?? { ok: true, text: '' };
        await record({ type: 'tool-end', callId, tool, outcome, decision: allowed, durationMs: 1 });
      }
      return outcomes;
    },
    polls: async () => false,
    context: {
      conversation: { id: 'c', workspace: '/ws', isThrowaway: false },
      signal: control.signal,
      approve: 'none',
      asker: undefined,
      record,
    },
    record,
    maxRounds: given.maxRounds ?? 15,
    ...(given.window === undefined ? {} : { window: given.window }),
  });
  return { turn, requests, events, messages, control };
}

describe('a turn', () => {
  it('[K68] gives results back by id and ends with the text of a response without calls', async () => {
    const { turn, requests } = harness([{ text: 'looking', calls: ['look', 'look'] }, { text: 'done' }]);
    expect(await turn).toMatchObject({ reason: 'answer', answer: 'done', rounds: 2, usage: { inputTokens: 20 } });
    const last = requests[1]?.messages.at(-1);
    expect(last).toMatchObject({
      role: 'tool',
      results: [{ callId: 'r1c0', text: 'result of r1c0' }, { callId: 'r1c1' }],
    });
  });

  it('[K70] asks once more without tools after the last round, and shows that answer', async () => {
    const { turn, requests } = harness((round) => (round <= 15 ? { calls: ['look'] } : { text: 'best so far' }));
    expect(await turn).toMatchObject({ reason: 'rounds', answer: 'best so far' });
    expect(requests).toHaveLength(16);
    expect(requests[14]?.tools).toHaveLength(1);
    expect(requests[15]?.tools).toEqual([]);
  });

  it('keeps the history append-only, so that prompt caches hold', async () => {
    const { turn, requests } = harness((round) => (round <= 4 ? { calls: ['look'] } : { text: 'done' }));
    await turn;
    for (const [at, request] of requests.entries()) {
      const before = requests[at - 1]?.messages ?? [];
      expect(request.messages.slice(0, before.length)).toEqual(before);
    }
  });

  it('ends with the failure of the model in words, and keeps what was said before it', async () => {
    const { turn } = harness([
      { text: 'half', calls: ['look'] },
      { fails: new ModelFailure('context_overflow', 'Too long for the model.') },
    ]);
    expect(await turn).toMatchObject({
      reason: 'failed',
      answer: 'half',
      error: { kind: 'context_overflow', message: 'Too long for the model.' },
    });
  });

  it.each([
    ['refused', { text: '', finish: 'refused' as const }],
    ['length', { text: 'cut off he', finish: 'length' as const }],
    ['empty', { text: '  ' }],
  ])('says so when the answer is %s', async (kind, step) => {
    expect(await harness([step, step]).turn).toMatchObject({ reason: 'failed', error: { kind } });
  });

  it('asks once more when the answer is empty, and only once', async () => {
    const { turn, requests, events } = harness([{ text: '' }, { text: 'here I am' }]);
    expect(await turn).toMatchObject({ reason: 'answer', answer: 'here I am', rounds: 2 });
    expect(requests[1]?.messages.at(-1)).toMatchObject({
      role: 'user',
      parts: [{ text: expect.stringMatching(/empty/) }],
    });
    expect(events.some((event) => event.type === 'note' && /empty/.test(event.text))).toBe(true);
    const silent = harness(() => ({ text: ' ' }));
    expect(await silent.turn).toMatchObject({ reason: 'failed', error: { kind: 'empty' } });
    expect(silent.requests).toHaveLength(2);
  });

  it('does not run calls of the last request, which offered none, and leaves none open', async () => {
    let batches = 0;
    const { turn, requests, messages } = harness(() => ({ text: 'found it', calls: ['look'] }), {
      maxRounds: 2,
      onCalls: () => (batches += 1),
    });
    expect(await turn).toMatchObject({ reason: 'rounds', answer: 'found it' });
    expect([requests.length, batches]).toEqual([3, 2]);
    expect(messages.at(-1)).toEqual({ role: 'assistant', parts: [{ type: 'text', text: 'found it' }] });
  });

  it('gives the last text, or says that there is none, when the last request is answered with calls alone', async () => {
    const talks = harness((round) => ({ ...(round === 1 ? { text: 'so far' } : {}), calls: ['look'] }), {
      maxRounds: 2,
    });
    expect(await talks.turn).toMatchObject({ reason: 'rounds', answer: 'so far' });
    const silent = harness(() => ({ calls: ['look'] }), { maxRounds: 2 });
    expect(await silent.turn).toMatchObject({
      reason: 'rounds',
      answer: '',
      error: { kind: 'empty', message: expect.stringContaining('limit of 2 rounds') },
    });
  });

  it('runs at most 32 calls of one response and answers the rest; twin: 32 are all run', async () => {
    const many = harness([{ calls: Array.from({ length: 50 }, () => 'look') }, { text: 'done' }]);
    await many.turn;
    const results = many.requests[1]?.messages.at(-1);
    const texts = results?.role === 'tool' ? results.results.map(({ text }) => text) : [];
    expect(texts).toHaveLength(50);
    expect(texts.filter((text) => text.startsWith('result of'))).toHaveLength(32);
    expect(texts[32]).toMatch(/Not run: 50 calls came at once, and at most 32/);
    const fewer = harness([{ calls: Array.from({ length: 32 }, () => 'look') }, { text: 'done' }]);
    await fewer.turn;
    expect(JSON.stringify(fewer.requests[1]?.messages)).not.toContain('Not run');
  });

  it('ends when all calls fail in the same way for five rounds; twin: different failures go on', async () => {
    const same = harness(() => ({ calls: ['look'] }), { fails: () => 'no such thing' });
    expect(await same.turn).toMatchObject({ reason: 'repeat' });
    expect(same.requests).toHaveLength(6);
    const other = harness((round) => (round <= 10 ? { calls: ['look'] } : { text: 'done' }), {
      fails: (id) => `no ${id}`,
    });
    expect(await other.turn).toMatchObject({ reason: 'answer', rounds: 11 });
  });

  it('sends a smaller request once when the provider finds it too long, and gives up when that is too long too', async () => {
    const fitted = { estimatedTokens: 10, roughTokens: 10, hasCompacted: false };
    const asked: string[] = [];
    const window: ContextWindow = {
      fit: async () => (asked.push('fit'), fitted),
      shrink: async () => (asked.push('shrink'), fitted),
    };
    const tooLong = new ModelFailure('context_overflow', 'too long');
    const once = harness([{ fails: tooLong }, { text: 'fits' }], { window });
    expect(await once.turn).toMatchObject({ reason: 'answer', answer: 'fits', rounds: 1 });
    expect(asked).toEqual(['fit', 'shrink']);
    const always = harness(() => ({ fails: tooLong }), { window });
    expect(await always.turn).toMatchObject({ reason: 'failed', error: { kind: 'context_overflow' } });
    expect(always.requests).toHaveLength(2);
  });

  it('throws away what was streamed before a retry', async () => {
    const retry: ModelEvent = { type: 'retry', kind: 'network', message: 'cut', attempt: 1, waitMs: 1 };
    const { turn, events } = harness([{ events: [{ type: 'text-delta', text: 'half' }, retry], text: 'whole' }]);
    expect(await turn).toMatchObject({ answer: 'whole' });
    expect(events.map((event) => event.type)).toEqual([
      'model-start',
      'text-delta',
      'model-retry',
      'text-delta',
      'model-end',
    ]);
  });

  it('keeps the text that had come when the user stopped it', async () => {
    const { turn, events, messages, control } = harness([{ text: 'so far' }]);
    control.abort();
    expect(await turn).toMatchObject({ reason: 'stopped', answer: 'so far' });
    expect(events.at(-1)).toMatchObject({ type: 'model-end', finish: 'stopped' });
    expect(messages.at(-1)).toMatchObject({ role: 'assistant', parts: [{ text: 'so far' }] });
  });

  it('stops after calls that were cancelled, without another request', async () => {
    const held: { control?: AbortController } = {};
    const { turn, requests, control } = harness([{ calls: ['look'] }, { text: 'never' }], {
      onCalls: () => held.control?.abort(),
    });
    held.control = control;
    expect(await turn).toMatchObject({ reason: 'stopped' });
    expect(requests).toHaveLength(1);
  });
});
