import { expect, test } from 'vitest';
import type { LedgerEntry } from '../../contract/ledger.ts';
import { queryOf, readView, viewQuery } from './ledger-filter.ts';
import { appendCalls, lookFrom, mergeCalls } from './merge-calls.ts';

const ended = {
  at: 'z',
  durationMs: 1,
  verdict: 'allow',
  reason: '',
  ok: true,
  resultBytes: 0,
  resultHead: '',
} as const;
const call = (callId: string, startedAt: string, part: Partial<LedgerEntry> = {}): LedgerEntry => ({
  ...{ callId, conversationId: 'c', turnId: 't', seq: 1, origin: 'model', tool: 'a_tool', effect: 'read' },
  ...{ summary: '', input: '', startedAt, end: ended },
  ...part,
});
const running = (callId: string, startedAt: string): LedgerEntry => {
  const { end: _end, ...rest } = call(callId, startedAt);
  return rest;
};
const ids = (calls: readonly LedgerEntry[]) => calls.map(({ callId }) => callId);

test('filters stand in the address and are read from it; what nobody knows is left out', () => {
  const view = { text: 'git push', origin: 'mcp', state: 'denied', period: 'week', tool: 'a_tool' } as const;
  const query = viewQuery(view);
  expect(readView(query)).toEqual(view);
  expect(viewQuery({ period: 'today', text: '' })).toBeUndefined();
  expect(readView('origin=martian&state=&period=century&text=&x=1')).toEqual({});
});

test('a period begins with its first day, where the person is; one call is meant whenever it was', () => {
  const now = new Date(2026, 2, 4, 15, 30);
  expect(queryOf({}, now)).toEqual({ since: new Date(2026, 2, 4).toISOString() });
  expect(queryOf({ period: 'week', text: ' a ' }, now)).toEqual({
    since: new Date(2026, 1, 26).toISOString(),
    text: 'a',
  });
  expect(queryOf({ period: 'all', state: 'failed' }, now)).toEqual({ state: 'failed' });
  expect(queryOf({ call: 'k', state: 'failed', period: 'today' }, now)).toEqual({ call: 'k' });
});

test('what has ended changes in its place, what is new is told apart, what does not fit any more goes', () => {
  const known = [call('d', '4'), running('c', '3'), running('b', '2'), call('a', '1')];
  expect(lookFrom(known)).toBe('2');
  const fresh = [call('e', '5'), call('d', '4'), call('c', '3')];
  const { calls, added } = mergeCalls(known, fresh, '2');
  expect(ids(calls)).toEqual(['d', 'c', 'a']);
  expect(calls[1]?.end).toEqual(ended);
  // What is as it was is the same object.
  expect(calls[0]).toBe(known[0]);
  expect(ids(added)).toEqual(['e']);
  expect(lookFrom(calls)).toBe('4');
  expect(lookFrom([])).toBeUndefined();
});

test('a page holds none twice', () => {
  expect(ids(appendCalls([call('c', '3'), call('b', '2')], [call('b', '2'), call('a', '1')]))).toEqual(['c', 'b', 'a']);
});
