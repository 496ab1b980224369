/** The tables of what models have cost: reserving below a limit, settling, adding up. */
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { LimitUse, SpendingAccount, SpendingLimit, SpendingLine, SpendingStore } from '../contract/spending.ts';
import { compileStatement } from './compiled-statement.ts';
import type { Database } from './database.ts';
import { isHolderGone, ownHolder } from './reservation-holder.ts';
import { withToolFailures } from './storage-failure.ts';
import { decodeStoredText, encodeStoredText } from './stored-text.ts';
import type { SpendingRow, Tables } from './tables.ts';

const nanosPerDollar = 1e9;
const toNanos = (usd: number): number => Math.round(usd * nanosPerDollar);

export function createSpendingStore(database: Database, owner: string): SpendingStore {
  const { kysely } = database;
  const addition = compileAddition(database);
  const dropping = compileDropping(database);
  return {
    reserve: async (reservation, limits, now) =>
      withToolFailures(database, async () =>
        database.transact({ durable: false }, async (connection) => {
          await database.takeTurns(connection, 'spending');
          await dropDead(connection, owner, now);
          const usedUp: LimitUse[] = [];
          for (const limit of limits) {
            const use = await measure(connection, owner, { limit, account: reservation.account });
            if (use.spent + use.reserved >= use.limit) usedUp.push(use);
          }
          if (usedUp.length > 0) return usedUp;
          await connection
            .insertInto('spending_reservations')
            .values({
              id: encodeStoredText(reservation.id),
              owner_id: owner,
              ...accountColumns(reservation.account),
              tokens: Math.ceil(reservation.tokens),
              usd_nanos: toNanos(reservation.usd),
              holder: ownHolder(),
              expires_at: reservation.expiresAt,
            })
            .execute();
          return [];
        }),
      ),
    settle: async (reservationId, account, { model, usage, costUsd }) =>
      withToolFailures(database, async () => {
        const { day, conversation_id: conversation, scope_id: scope } = accountColumns(account);
        const { inputTokens, outputTokens, cachedInputTokens } = usage;
        const counts = [costUsd === undefined ? 1 : 0, inputTokens, outputTokens, cachedInputTokens].map(Math.round);
        const query = addition(
          ...[owner, day, conversation, scope, encodeStoredText(model)],
          ...[...counts, toNanos(costUsd ?? 0)],
        );
        const settled =
          reservationId === undefined ? [] : [{ query: dropping(owner, encodeStoredText(reservationId)) }];
        await database.write([{ query }, ...settled], { durable: false });
      }),
    release: async (reservationId) =>
      withToolFailures(database, async () => {
        const query = dropping(owner, encodeStoredText(reservationId));
        await database.write([{ query }], { durable: false });
      }),
    list: async ({ fromDay = '' } = {}) =>
      withToolFailures(database, async () => {
        const rows = await kysely
          .selectFrom('spending')
          .selectAll()
          .where('owner_id', '=', owner)
          .where('day', '>=', fromDay)
          .orderBy('day', 'desc')
          .orderBy('conversation_id')
          .orderBy('scope_id')
          .orderBy('model')
          .execute();
        return rows.map(fromRow);
      }),
  };
}

/** Nobody will settle what was reserved by a process that is gone, or longer ago than any request takes. */
async function dropDead(connection: Kysely<Tables>, owner: string, now: Date): Promise<void> {
  const reservations = connection.deleteFrom('spending_reservations').where('owner_id', '=', owner);
  await reservations.where('expires_at', '<=', now.toISOString()).execute();
  const holders = await connection
    .selectFrom('spending_reservations')
    .select('holder')
    .distinct()
    .where('owner_id', '=', owner)
    .execute();
  for (const { holder } of holders) if (isHolderGone(holder)) await reservations.where('holder', '=', holder).execute();
}

/** Both tables name the parts of an account alike. */
async function measure(
  connection: Kysely<Tables>,
  owner: string,
  { limit, account }: { readonly limit: SpendingLimit; readonly account: SpendingAccount },
): Promise<LimitUse> {
  const columns = accountColumns(account);
  const column = ({ conversation: 'conversation_id', day: 'day', schedule: 'scope_id' } as const)[limit.of];
  const own = sql`owner_id = ${owner} and ${sql.ref(column)} = ${columns[column]}`;
  const spent = limit.unit === 'tokens' ? sql`input_tokens + output_tokens` : sql`usd_nanos`;
  const reserved = limit.unit === 'tokens' ? sql`tokens` : sql`usd_nanos`;
  // Postgres adds up bigint as numeric, which its driver gives as text.
  const { rows } = await sql<{ readonly spent: number; readonly reserved: number }>`select
    (select cast(coalesce(sum(${spent}), 0) as bigint) from spending where ${own}) as spent,
    (select cast(coalesce(sum(${reserved}), 0) as bigint) from spending_reservations where ${own}) as reserved`.execute(
    connection,
  );
  const scale = limit.unit === 'tokens' ? 1 : nanosPerDollar;
  const [row] = rows;
  return { ...limit, spent: (row?.spent ?? 0) / scale, reserved: (row?.reserved ?? 0) / scale };
}

function compileAddition(database: Database) {
  return compileStatement(
    database.kysely,
    sql`insert into spending (owner_id, day, conversation_id, scope_id, model, requests, unpriced_requests,
        input_tokens, output_tokens, cached_input_tokens, usd_nanos)
      values (${''}, ${''}, ${''}, ${''}, ${''}, 1, ${0}, ${0}, ${0}, ${0}, ${0})
      on conflict (owner_id, day, conversation_id, scope_id, model) do update set
        requests = spending.requests + 1,
        unpriced_requests = spending.unpriced_requests + excluded.unpriced_requests,
        input_tokens = spending.input_tokens + excluded.input_tokens,
        output_tokens = spending.output_tokens + excluded.output_tokens,
        cached_input_tokens = spending.cached_input_tokens + excluded.cached_input_tokens,
        usd_nanos = spending.usd_nanos + excluded.usd_nanos`,
  );
}

function compileDropping({ kysely }: Database) {
  return compileStatement(kysely, sql`delete from spending_reservations where owner_id = ${''} and id = ${''}`);
}

function accountColumns({ day, conversationId, scopeId }: SpendingAccount) {
  return { day, conversation_id: encodeStoredText(conversationId), scope_id: encodeStoredText(scopeId) };
}

function fromRow(row: SpendingRow): SpendingLine {
  return {
    day: row.day,
    conversationId: decodeStoredText(row.conversation_id),
    scopeId: decodeStoredText(row.scope_id),
    model: decodeStoredText(row.model),
    requests: row.requests,
    unpricedRequests: row.unpriced_requests,
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    cachedInputTokens: row.cached_input_tokens,
    costUsd: row.usd_nanos / nanosPerDollar,
  };
}
