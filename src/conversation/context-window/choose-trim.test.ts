import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../contract/message.ts';
import { type ContextEntry, createContextList } from '../context-list.ts';
import { chooseTrim } from './choose-trim.ts';

const said = (chars: number): Message => ({ role: 'user', parts: [{ type: 'text', text: 'x '.repeat(chars / 2) }] });
const calls = (ids: readonly string[]): Message => ({
  role: 'assistant',
  parts: ids.map((callId) => ({ type: 'call', callId, tool: 'look', input: '{}' })),
});
const results = (ids: readonly string[], chars: number): Message => ({
  role: 'tool',
  results: ids.map((callId) => ({ callId, tool: 'look', text: 'y '.repeat(chars / 2), isError: false })),
});
const tokensOf = ({ size }: Pick<ContextEntry, 'size'>) => size.textTokens;
const total = (entries: readonly ContextEntry[]) => entries.reduce((sum, entry) => sum + tokensOf(entry), 0);

/** Exchanges of so many rounds, each round with so many results of so many characters. */
function listOf(exchanges: readonly { rounds: number; results: number; chars: number }[]) {
  const list = createContextList();
  let seq = 0;
  for (const exchange of exchanges) {
    list.add('exchange', (seq += 1), said(40));
    for (let round = 0; round < exchange.rounds; round += 1) {
      const ids = Array.from({ length: exchange.results }, (_, at) => `${seq}-${at}`);
      list.add('message', (seq += 1), calls(ids));
      list.add('message', (seq += 1), results(ids, exchange.chars));
    }
  }
  return list;
}

function orphans(messages: readonly Message[]): readonly string[] {
  const open = new Set<string>();
  const lost: string[] = [];
  for (const message of messages) {
    if (message.role === 'assistant') for (const part of message.parts) if (part.type === 'call') open.add(part.callId);
    if (message.role === 'tool') for (const { callId } of message.results) if (!open.delete(callId)) lost.push(callId);
  }
  return [...lost, ...open];
}

describe('what is left out', () => {
  it('[K72] makes it fit, keeps the last round, and never parts a call from its result', () => {
    const exchange = fc.record({
      rounds: fc.integer({ min: 0, max: 8 }),
      results: fc.integer({ min: 1, max: 4 }),
      chars: fc.constantFrom(20, 200, 2_000, 20_000),
    });
    fc.assert(
      fc.property(fc.array(exchange, { minLength: 1, maxLength: 6 }), (exchanges) => {
        const list = listOf(exchanges);
        const bounds = { goal: 2_000, most: 3_000, tokensOf };
        const before = total(list.entries);
        if (before <= bounds.most) return;
        const lastRound = list.messages.findLast((message) => message.role === 'assistant');
        const trim = chooseTrim(list.entries, bounds);
        expect(trim).toBeDefined();
        if (trim === undefined) return;
        list.trim({ type: 'trim', text: '', ...trim }, 999);
        expect(total(list.entries)).toBeLessThan(before);
        expect(total(list.entries)).toBeLessThan(bounds.most + 60);
        expect(orphans(list.messages)).toEqual([]);
        if ((exchanges.at(-1)?.rounds ?? 0) > 0) expect(list.messages).toContain(lastRound);
      }),
    );
  });

  it('goes down to its goal, so that many rounds fit behind', () => {
    const list = listOf([{ rounds: 40, results: 1, chars: 1_000 }]);
    const trim = chooseTrim(list.entries, { goal: 3_000, most: 5_000, tokensOf });
    list.trim({ type: 'trim', text: '', ...(trim ?? { keepFromSeq: 0 }) }, 999);
    expect(total(list.entries)).toBeLessThan(3_060);
    expect(total(list.entries)).toBeGreaterThan(2_400);
  });

  it('is nothing when only what the user said is there', () => {
    expect(
      chooseTrim(listOf([{ rounds: 0, results: 1, chars: 1 }]).entries, { goal: 1, most: 2, tokensOf }),
    ).toBeUndefined();
  });
});
