import { describe, expect, it } from 'vitest';
import type { CallContext } from '../contract/call.ts';
import type { EventBody } from '../contract/event.ts';
import { ModelFailure } from '../contract/failure.ts';
import type { AssistantMessage, Message } from '../contract/message.ts';
import type { FinishReason, ModelClient, ModelEvent, ModelRequest } from '../contract/model.ts';
import { runTurn } from './run-turn.ts';

type Scripted = {
  readonly text?: string;
  readonly calls?: readonly string[];
  readonly finish?: FinishReason;
  readonly events?: readonly ModelEvent[];
  readonly fails?: Error;
};
const usage = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 0, reasoningTokens: 0 };

function harness(
  script: readonly Scripted[] | ((round: number) => Scripted),
  given: { maxRounds?: number; onCalls?: () => void } = {},
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
  const messages: Message[] = [{ role: 'user', parts: [{ type: 'text', text: 'go' }] }];
  const record: CallContext['record'] = async (event) => void events.push(event);
  const turn = runTurn({
    model,
    messages,
    system: 'system',
    offeredTools: async () => [{ name: 'look', description: '', inputSchema: {} }],
    executeCalls: async (calls) => (
      given.onCalls?.(),
      calls.map((call) => ({ ok: true, text: `result of ${call.callId}` }))
    ),
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
    expect(await harness([step]).turn).toMatchObject({ reason: 'failed', error: { kind } });
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
