/** The ledger as a file, page by page: however long it is, only one page of it is in memory. */
import type { LedgerEntry, LedgerFilter, LedgerStore } from '../contract/ledger.ts';

const pageCalls = 500;

type Column = readonly [name: string, value: (entry: LedgerEntry) => string | number | undefined];

const columns: readonly Column[] = [
  ['started_at', (entry) => entry.startedAt],
  ['ended_at', (entry) => entry.end?.at],
  ['origin', (entry) => entry.origin],
  ['tool', (entry) => entry.tool],
  ['summary', (entry) => entry.summary],
  ['input', (entry) => entry.input],
  ['verdict', (entry) => entry.end?.verdict],
  ['reason', (entry) => entry.end?.reason],
  [
    'result',
    (entry) => (entry.end === undefined ? undefined : entry.end.ok ? 'ok' : (entry.end.errorCode ?? 'failed')),
  ],
  ['duration_ms', (entry) => entry.end?.durationMs],
  ['result_bytes', (entry) => entry.end?.resultBytes],
  ['cost_usd', (entry) => entry.costUsd],
  ['conversation', (entry) => entry.conversationId],
  ['call', (entry) => entry.callId],
];

/** Calls that begin from now on are not in it. */
export function ledgerFile(
  ledger: Pick<LedgerStore, 'list'>,
  filter: LedgerFilter,
  format: 'csv' | 'json',
  now: Date,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const until = filter.until ?? now.toISOString();
  let offset = 0;
  return new ReadableStream({
    async pull(controller) {
      const calls = await ledger.list({ ...filter, until, limit: pageCalls, offset });
      const isFirst = offset === 0;
      const isLast = calls.length < pageCalls;
      offset += calls.length;
      controller.enqueue(encoder.encode(format === 'csv' ? csvText(calls, isFirst) : jsonText(calls, isFirst, isLast)));
      if (isLast) controller.close();
    },
  });
}

/** RFC 4180, with the mark by which spreadsheets know UTF-8. */
function csvText(calls: readonly LedgerEntry[], isFirst: boolean): string {
  const head = isFirst ? `\ufeff${columns.map(([name]) => name).join(',')}\r\n` : '';
  return `${head}${calls.map((entry) => `${columns.map(([, value]) => cell(value(entry))).join(',')}\r\n`).join('')}`;
}

/** A spreadsheet runs what begins like a formula (https://owasp.org/www-community/attacks/CSV_Injection): the quote before it stops that. */
function cell(value: string | number | undefined): string {
  if (typeof value !== 'string') return value === undefined ? '' : String(value);
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

function jsonText(calls: readonly LedgerEntry[], isFirst: boolean, isLast: boolean): string {
  const lines = calls.map((entry, at) => `${isFirst && at === 0 ? '' : ',\n'}${JSON.stringify(entry)}`);
  return `${isFirst ? '[\n' : ''}${lines.join('')}${isLast ? '\n]\n' : ''}`;
}
