import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { soak } from '../../test/kit/soak.ts';
import type { EventBody, JournalEvent } from '../contract/event.ts';
import type { Message } from '../contract/message.ts';
import { createContext, foldContext } from './fold-context.ts';

const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0 };
const said = (text: string) => ({ role: 'user', parts: [{ type: 'text', text }] }) as const;

const whats = ['turn', 'answer', 'calls', 'note', 'typed', 'killed', 'compaction', 'failed', 'trim'] as const;

/** What can happen between two requests; each looks only at what concerns it. */
type Happening = {
  readonly what: (typeof whats)[number];
  readonly count?: number;
  readonly offers?: boolean;
  /** How much of the journal so far is left out. */
  readonly share?: number;
  readonly maxResultChars?: number | undefined;
};

const happening: fc.Arbitrary<Happening> = fc.record({
  what: fc.constantFrom(...whats),
  count: fc.integer({ min: 1, max: 4 }),
  offers: fc.boolean(),
  share: fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10),
  maxResultChars: fc.option(fc.constant(60), { nil: undefined }),
});

function journalOf(happenings: readonly Happening[]): JournalEvent[] {
  const events: JournalEvent[] = [];
  let turn = 0;
  const add = (event: EventBody) =>
    void events.push({ ...event, conversationId: 'c', turnId: `t${turn}`, at: '', seq: events.length + 1 });
  const newTurn = () => {
    turn += 1;
    add({ type: 'turn-start', message: said(`message ${turn}`), origin: 'test' });
  };
  const answer = (parts: Extract<Message, { role: 'assistant' }>['parts']) => {
    add({ type: 'model-start', model: 'm', round: 1, roughInputTokens: 1 });
    const message = { role: 'assistant', parts } as const;
    add({ type: 'model-end', model: 'm', message, usage, finish: 'answer', durationMs: 1 });
  };
  const end = (callId: string, offers: boolean) =>
    add({
      type: 'tool-end',
      callId,
      tool: 'look',
      outcome: { ok: true, text: `result of ${callId} ${'x'.repeat(100)}`, ...(offers ? { offers: ['found'] } : {}) },
      decision: { verdict: 'allow', reason: '' },
      durationMs: 1,
    });
  const start = (callId: string, origin: 'model' | 'user') =>
    add({ type: 'tool-start', callId, tool: 'look', title: '', summary: '', input: '{}', effect: 'read', origin });
  const keepFromSeq = ({ share = 1 }: Happening) => Math.floor(events.length * share) + 1;
  newTurn();
  for (const each of happenings) {
    const id = `c${events.length}`;
    if (each.what === 'turn') newTurn();
    else if (each.what === 'answer') answer([{ type: 'text', text: `answer ${id}` }]);
    else if (each.what === 'note') add({ type: 'note', text: '', forModel: `note ${id}` });
    else if (each.what === 'killed') add({ type: 'model-start', model: 'm', round: 2 });
    else if (each.what === 'typed') {
      start(id, 'user');
      end(id, false);
    } else if (each.what === 'calls') {
      const ids = Array.from({ length: each.count ?? 1 }, (_, at) => `${id}-${at}`);
      answer(ids.map((callId) => ({ type: 'call', callId, tool: 'look', input: '{}' })));
      for (const callId of ids) start(callId, 'model');
      for (const callId of ids.toReversed()) end(callId, each.offers ?? false);
    } else if (each.what === 'compaction') {
      const spent = { model: 'm', usage, durationMs: 1 };
      add({ type: 'compaction', summary: `summary ${id}`, keepFromSeq: keepFromSeq(each), ...spent });
    } else if (each.what === 'failed') {
      add({ type: 'compaction-failed', text: '', model: 'm', usage, durationMs: 1 });
    } else {
      const limit = each.maxResultChars === undefined ? {} : { maxResultChars: each.maxResultChars };
      add({ type: 'trim', keepFromSeq: keepFromSeq(each), text: '', ...limit });
    }
  }
  return events;
}

const plain = (context: ReturnType<typeof createContext>) =>
  JSON.stringify([context.messages, [...context.foundTools], context.lastCompaction, context.openTurn?.finished]);

describe('a context', () => {
  it('[K75] is the same event by event and folded again from what was written, wherever the program is killed', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 40 }), (happenings) => {
        const events = journalOf(happenings);
        const live = createContext();
        const { messages } = live;
        for (const [at, event] of events.entries()) {
          live.add(event);
          // As a database gives it back.
          const written = JSON.parse(JSON.stringify(events.slice(0, at + 1))) as JournalEvent[];
          expect(plain(foldContext(written))).toBe(plain(live));
        }
        expect(live.messages).toBe(messages);
      }),
      { numRuns: soak(60) },
    );
  });

  it('[K72] never loses what the user said last, whatever is left out', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 40 }), (happenings) => {
        const live = createContext();
        let last = '';
        for (const event of journalOf(happenings)) {
          live.add(event);
          if (event.type === 'turn-start') last = JSON.stringify(event.message);
          const kept = live.messages.filter((message) => JSON.stringify(message) === last);
          expect(kept).toHaveLength(1);
        }
      }),
      { numRuns: soak(60) },
    );
  });

  it('[K02] forgets found tools at a compaction, and at nothing else', () => {
    const calls: Happening = { what: 'calls', count: 1, offers: true };
    const found = (...more: Happening[]) => [...foldContext(journalOf([calls, ...more])).foundTools];
    expect(found({ what: 'turn' }, { what: 'answer' })).toEqual(['found']);
    expect(found({ what: 'trim', share: 1 })).toEqual(['found']);
    expect(found({ what: 'failed', share: 1 })).toEqual(['found']);
    expect(found({ what: 'compaction', share: 1 })).toEqual([]);
    expect(found({ what: 'compaction', share: 1 }, calls)).toEqual(['found']);
  });

  it('[K75] says what is a summary, folds the next one in its place, and says what was left out', () => {
    const texts = foldContext(
      journalOf([
        { what: 'answer' },
        { what: 'compaction', share: 1 },
        { what: 'turn' },
        { what: 'compaction', share: 0.5 },
        { what: 'answer' },
        { what: 'trim', share: 1 },
      ]),
    ).messages.map((message) => JSON.stringify(message));
    expect(texts).toHaveLength(3);
    expect(texts[0]).toMatch(/summarised.*summary c5/);
    expect(texts[1]).toContain('message 2');
    expect(texts[2]).toContain('1 earlier message was left out');
  });
});
