import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../base/estimate-tokens.ts';
import type { EventBody } from '../../contract/event.ts';
import { ModelFailure } from '../../contract/failure.ts';
import type { ModelClient, ModelEvent, ModelRequest } from '../../contract/model.ts';
import { createContext, type ConversationContext } from '../fold-context.ts';
import { createContextWindow } from './create-context-window.ts';

const usage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0 };
const filler = 'The garden grows well in spite of the wind and of the weather. '.repeat(10);
const signal = new AbortController().signal;

function world(contextWindow: number, answer: (request: ModelRequest) => string | Error) {
  const requests: ModelRequest[] = [];
  const events: EventBody[] = [];
  const context = createContext();
  const record = async (event: EventBody) => {
    events.push(event);
    context.add({ ...event, conversationId: 'c', turnId: 't', at: '', seq: context.lastSeq + 1 });
  };
  const model: ModelClient = {
    info: {
      id: 'test/model',
      contextWindow,
      maxOutputTokens: Math.floor(contextWindow / 20),
      acceptsImages: false,
      hasNativeCalls: true,
      isSmall: false,
    },
    async *stream(request): AsyncGenerator<ModelEvent> {
      requests.push(request);
      const text = answer(request);
      if (text instanceof Error) throw text;
      yield { type: 'text-delta', text: 'never shown' };
      yield { type: 'end', message: { role: 'assistant', parts: [{ type: 'text', text }] }, usage, finish: 'answer' };
    },
  };
  async function exchange(text: string): Promise<void> {
    await record({ type: 'turn-start', message: { role: 'user', parts: [{ type: 'text', text }] }, origin: 'test' });
    const message = { role: 'assistant', parts: [{ type: 'text', text: filler }] } as const;
    await record({ type: 'model-end', model: 'test/model', message, usage, finish: 'answer', durationMs: 1 });
  }
  const fit = (seen: ConversationContext = context) =>
    createContextWindow({ context: seen, model, budget: undefined }).fit({ system: '', tools: [] }, record, signal);
  const count = (type: EventBody['type']) => events.filter((event) => event.type === type).length;
  return { requests, events, context, exchange, fit, count };
}

const textOf = ({ system, messages }: ModelRequest) => system + JSON.stringify(messages);

describe('a summary', () => {
  it('[K75] is asked for above 70 % of the window, not below, and leaves four exchanges as they are', async () => {
    const { requests, context, exchange, fit, count } = world(4_000, () => 'The user likes gardens.');
    let before = 0;
    for (let turn = 1; count('compaction') === 0; turn += 1) {
      before = (await fit()).roughTokens;
      await exchange(`Message ${turn}. ${filler}`);
      if (context.entries.reduce((sum, { size }) => sum + size.textTokens, 0) <= 2_800) expect(requests).toEqual([]);
      await fit();
    }
    expect(before).toBeLessThanOrEqual(2_800);
    expect(context.entries.map(({ kind }) => kind)).toEqual(
      ['summary', ...Array.from({ length: 4 }, () => ['exchange', 'message'])].flat(),
    );
    expect(requests[0]?.tools).toEqual([]);
  });

  it('[K75] of more than the window holds takes a few requests that each fit, the earlier one in the next', async () => {
    const { requests, context, exchange, fit } = world(
      3_000,
      ({ messages }) => `Notes ${JSON.stringify(messages).length}.`,
    );
    for (let turn = 1; turn <= 60; turn += 1) await exchange(`Message ${turn}. ${filler}`);
    await fit();
    expect(requests.length).toBeGreaterThan(1);
    expect(requests.length).toBeLessThanOrEqual(4);
    for (const request of requests) expect(estimateTokens(textOf(request))).toBeLessThan(2_800);
    for (const [at, request] of requests.entries()) expect(textOf(request).includes('EARLIER SUMMARY')).toBe(at > 0);
    expect(textOf(requests[0] as ModelRequest)).toContain('Message 1. ');
    expect(context.entries[0]?.kind).toBe('summary');
  });

  it('[K76] that failed is not asked for before the context has grown by a fifth; twin: without that memory it is', async () => {
    const failing = world(4_000, () => new ModelFailure('overloaded', 'Busy.'));
    for (let turn = 1; turn <= 11; turn += 1) await failing.exchange(filler);
    for (let turn = 1; turn <= 5; turn += 1) await failing.fit();
    expect(failing.requests).toHaveLength(1);
    expect(failing.events.at(-1)).toMatchObject({ type: 'compaction-failed', text: expect.stringContaining('Busy.') });
    const forgetful = Object.create(failing.context, { lastCompaction: { value: undefined } }) as ConversationContext;
    for (let turn = 1; turn <= 5; turn += 1) await failing.fit(forgetful);
    expect(failing.requests).toHaveLength(6);
  });

  it.each(['budget', 'cancelled'] as const)(
    '[K76] that must not be asked for (%s) ends the turn and changes nothing',
    async (kind) => {
      const { context, exchange, fit, count } = world(4_000, () => new ModelFailure(kind, 'No.'));
      for (let turn = 1; turn <= 11; turn += 1) await exchange(filler);
      const before = [...context.messages];
      await expect(fit()).rejects.toMatchObject({ kind });
      expect(context.messages).toEqual(before);
      expect(count('compaction-failed')).toBe(0);
    },
  );
});
