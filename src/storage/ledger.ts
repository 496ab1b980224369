/** Reads the ledger. */
import { type SelectQueryBuilder, sql } from 'kysely';
import type { EventBody } from '../contract/event.ts';
import type { LedgerCount, LedgerEntry, LedgerFilter, LedgerState, LedgerStore } from '../contract/ledger.ts';
import type { Database } from './database.ts';
import { withToolFailures } from './storage-failure.ts';
import { decodeStoredText, encodeStoredText } from './stored-text.ts';
import type { CallRow, Tables } from './tables.ts';

const defaultLimit = 50;
const maxFound = 10;

export function createLedgerStore(database: Database, owner: string): LedgerStore {
  const read = async (rows: readonly CallRow[]): Promise<readonly LedgerEntry[]> => {
    const costs = await costsOf(database, rows);
    return rows.map((row) => toEntry(row, costs.get(costKey(row.conversation_id, row.call_id))));
  };
  return {
    list: async (filter = {}) =>
      withToolFailures(database, async () => read(await page(database, owner, filter).execute())),
    count: async (filter = {}) => withToolFailures(database, async () => count(database, owner, filter)),
    find: async (callId) =>
      withToolFailures(database, async () => {
        const ending = encodeStoredText(callId);
        const length = ending.length;
        const rows = await newestFirst(database, owner)
          .where((where) =>
            where(
              where.fn('substr', ['call_id', where(where.fn('length', ['call_id']), '-', length - 1)]),
              '=',
              ending,
            ),
          )
          .limit(maxFound)
          .execute();
        return read(rows);
      }),
  };
}

type Calls<Output> = SelectQueryBuilder<Tables, 'calls', Output>;

const ownCalls = ({ kysely }: Database, owner: string) => kysely.selectFrom('calls').where('owner_id', '=', owner);

const newestFirst = (database: Database, owner: string) =>
  ownCalls(database, owner).selectAll().orderBy('started_at', 'desc').orderBy('conversation_id').orderBy('seq', 'desc');

function page(database: Database, owner: string, filter: LedgerFilter) {
  const { limit = defaultLimit, offset = 0 } = filter;
  return narrowed(newestFirst(database, owner), filter)
    .limit(Math.max(0, Math.trunc(limit)))
    .offset(Math.max(0, Math.trunc(offset)));
}

function narrowed<Output>(calls: Calls<Output>, filter: LedgerFilter): Calls<Output> {
  const { tool, conversationId, origin, since, until, callId, text, state, failed, denied } = filter;
  let query = calls;
  if (tool !== undefined) query = query.where('tool', '=', encodeStoredText(tool));
  if (conversationId !== undefined) query = query.where('conversation_id', '=', encodeStoredText(conversationId));
  if (callId !== undefined) query = query.where('call_id', '=', encodeStoredText(callId));
  if (origin !== undefined) query = query.where('origin', '=', origin);
  if (since !== undefined) query = query.where('started_at', '>=', since);
  if (until !== undefined) query = query.where('started_at', '<=', until);
  if (text !== undefined) query = query.where(holds(text));
  if (state !== undefined) query = query.where(isIn[state]);
  if (failed === true) query = query.where('is_ok', '=', 0);
  if (denied === true) query = query.where('error_code', '=', 'denied');
  return query;
}

const isIn: Readonly<Record<LedgerState, ReturnType<typeof sql<boolean>>>> = {
  running: sql<boolean>`ended_at is null`,
  done: sql<boolean>`is_ok = 1`,
  denied: sql<boolean>`error_code = 'denied'`,
  failed: sql<boolean>`(is_ok = 0 and coalesce(error_code, '') <> 'denied')`,
};

function holds(text: string) {
  const escaped = encodeStoredText(text).replaceAll(/[!%_]/g, (character) => `!${character}`);
  const part = `%${escaped}%`;
  const columns = ['summary', 'input', 'reason', 'call_id', 'tool'].map(
    (column) => sql`lower(coalesce(${sql.ref(column)}, '')) like lower(${part}) escape '!'`,
  );
  return sql<boolean>`(${sql.join(columns, sql` or `)})`;
}

async function count(database: Database, owner: string, filter: LedgerFilter): Promise<LedgerCount> {
  const found = await narrowed(
    ownCalls(database, owner).select([
      sql<number | string>`count(*)`.as('calls'),
      sql<number | string | null>`sum(case when ${isIn.failed} then 1 else 0 end)`.as('failed'),
      sql<number | string | null>`sum(case when ${isIn.denied} then 1 else 0 end)`.as('denied'),
    ]),
    filter,
  ).executeTakeFirst();
  // Postgres counts in bigint, which its driver gives as text; a sum over nothing is null.
  const { calls = 0, failed = 0, denied = 0 } = found ?? {};
  return { calls: Number(calls), failed: Number(failed ?? 0), denied: Number(denied ?? 0) };
}

const costKey = (conversationId: string, callId: string): string => JSON.stringify([conversationId, callId]);

/** The answer that asked for a call says what it has cost, and which calls it asked for. */
async function costsOf({ kysely }: Database, rows: readonly CallRow[]): Promise<ReadonlyMap<string, number>> {
  const turns = [...new Set(rows.filter((row) => row.origin === 'model').map((row) => row.turn_id))];
  const costs = new Map<string, number>();
  if (turns.length === 0) return costs;
  const answers = await kysely
    .selectFrom('events')
    .select(['conversation_id', 'body'])
    .where('conversation_id', 'in', [...new Set(rows.map((row) => row.conversation_id))])
    .where('turn_id', 'in', turns)
    .where('type', '=', 'model-end')
    .execute();
  for (const { conversation_id: conversationId, body } of answers) {
    const event = readAnswer(body);
    const calls = event?.message.parts.filter((part) => part.type === 'call') ?? [];
    if (event?.costUsd === undefined) continue;
    for (const { callId } of calls)
      costs.set(costKey(conversationId, encodeStoredText(callId)), event.costUsd / calls.length);
  }
  return costs;
}

function readAnswer(body: string): Extract<EventBody, { type: 'model-end' }> | undefined {
  try {
    return JSON.parse(body) as Extract<EventBody, { type: 'model-end' }>;
  } catch {
    // Whoever reads the journal is told that it is damaged; here only the cost is missing.
    return undefined;
  }
}

/** What is read was written by ledger-lines.ts. */
function toEntry(row: CallRow, costUsd: number | undefined): LedgerEntry {
  return {
    callId: decodeStoredText(row.call_id),
    conversationId: decodeStoredText(row.conversation_id),
    turnId: decodeStoredText(row.turn_id),
    seq: row.seq,
    origin: row.origin as LedgerEntry['origin'],
    tool: decodeStoredText(row.tool),
    effect: row.effect as LedgerEntry['effect'],
    summary: decodeStoredText(row.summary),
    input: decodeStoredText(row.input),
    startedAt: row.started_at,
    ...(row.ended_at === null ? {} : { end: toEnd(row, row.ended_at) }),
    ...(costUsd === undefined ? {} : { costUsd }),
  };
}

function toEnd(row: CallRow, at: string): NonNullable<LedgerEntry['end']> {
  return {
    at,
    durationMs: row.duration_ms ?? 0,
    verdict: row.verdict === 'allow' || row.verdict === 'ask' ? row.verdict : 'deny',
    reason: decodeStoredText(row.reason ?? ''),
    ok: row.is_ok === 1,
    ...(row.error_code === null ? {} : { errorCode: decodeStoredText(row.error_code) }),
    resultBytes: row.result_bytes ?? 0,
    resultHead: decodeStoredText(row.result_head ?? ''),
  };
}
