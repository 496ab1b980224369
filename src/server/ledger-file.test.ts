import { buffer, text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { LedgerEntry, LedgerFilter } from '../contract/ledger.ts';
import { ledgerFile } from './ledger-file.ts';

const now = new Date('2026-03-04T10:00:00.000Z');
const entry = (part: Partial<LedgerEntry>): LedgerEntry => ({
  ...{ callId: 'k', conversationId: 'c', turnId: 't', seq: 1, origin: 'model', tool: 'a_tool', effect: 'read' },
  ...{ summary: 'do it', input: '{}', startedAt: '2026-03-04T09:00:00.000Z' },
  ...part,
});

function storeOf(calls: readonly LedgerEntry[]) {
  const asked: LedgerFilter[] = [];
  const list = async (filter: LedgerFilter = {}) => {
    asked.push(filter);
    return calls.slice(filter.offset, (filter.offset ?? 0) + (filter.limit ?? 50));
  };
  return { asked, list };
}

test('a table for spreadsheets: quoted where it must be, and never a formula', async () => {
  const end = {
    at: 'x',
    durationMs: 3,
    verdict: 'allow',
    reason: 'a, "b"',
    ok: true,
    resultBytes: 9,
    resultHead: '',
  } as const;
  const calls = [entry({ summary: '=HYPERLINK("http://evil.test")', end, costUsd: 0.5 }), entry({ input: '@x\n' })];
  const lines = (await buffer(ledgerFile(storeOf(calls), {}, 'csv', now))).toString().split('\r\n');
  expect(lines[0]).toMatch(/^\ufeffstarted_at,ended_at,origin,tool,summary/);
  expect(lines[1]).toContain(`,model,a_tool,"'=HYPERLINK(""http://evil.test"")",{},allow,"a, ""b""",ok,3,9,0.5,c,k`);
  expect(lines[2]).toContain(`,"'@x\n",,,,,,,c,k`);
});

test('JSON that any program reads, page by page, whatever is added meanwhile', async () => {
  const calls = Array.from({ length: 1_001 }, (_, at) => entry({ callId: `k${at}` }));
  const store = storeOf(calls);
  const read = JSON.parse(await text(ledgerFile(store, { tool: 'a_tool' }, 'json', now))) as readonly LedgerEntry[];
  expect(read.map(({ callId }) => callId)).toEqual(calls.map(({ callId }) => callId));
  expect(store.asked.map(({ until, offset, tool }) => [until, offset, tool])).toEqual(
    [0, 500, 1_000].map((offset) => [now.toISOString(), offset, 'a_tool']),
  );
  expect(JSON.parse(await text(ledgerFile(storeOf([]), {}, 'json', now)))).toEqual([]);
});
