/** A line for each call, with those that the journal holds already. */
import { type Kysely, sql } from 'kysely';
import type { Migration } from '../migrate.ts';
import type { Tables } from '../tables.ts';

export const ledger: Migration = {
  name: '0004-ledger',
  up: async (database, text) => {
    await database.schema
      .createTable('calls')
      .addColumn('conversation_id', text, (column) =>
        column.notNull().references('conversations.id').onDelete('cascade'),
      )
      .addColumn('call_id', text, (column) => column.notNull())
      .addColumn('owner_id', text, (column) => column.notNull().defaultTo('owner'))
      .addColumn('seq', 'integer', (column) => column.notNull())
      .addColumn('turn_id', text, (column) => column.notNull())
      .addColumn('origin', 'text', (column) => column.notNull())
      .addColumn('tool', text, (column) => column.notNull())
      .addColumn('effect', 'text', (column) => column.notNull())
      .addColumn('summary', 'text', (column) => column.notNull())
      .addColumn('input', 'text', (column) => column.notNull())
      .addColumn('started_at', text, (column) => column.notNull())
      .addColumn('ended_at', text)
      .addColumn('duration_ms', 'bigint')
      .addColumn('verdict', 'text')
      .addColumn('reason', 'text')
      .addColumn('is_ok', 'integer')
      .addColumn('error_code', 'text')
      .addColumn('result_bytes', 'bigint')
      .addColumn('result_head', 'text')
      .addPrimaryKeyConstraint('calls_identity', ['conversation_id', 'call_id'])
      .execute();
    await database.schema.createIndex('calls_by_time').on('calls').columns(['owner_id', 'started_at']).execute();
    await fill(database);
  },
};

type OldEvent = {
  readonly conversation_id: string;
  readonly seq: number;
  readonly owner_id: string;
  readonly turn_id: string;
  readonly type: string;
  readonly at: string;
  readonly body: string;
};

const pageSize = 500;
const maxInputChars = 2_000;
const maxHeadChars = 1_000;

/** In the order of the journal: a call that was run again after a crash has the line of its last run. */
async function fill(database: Kysely<Tables>): Promise<void> {
  let after = { conversation_id: '', seq: 0 };
  for (;;) {
    const { rows } = await sql<OldEvent>`
      select conversation_id, seq, owner_id, turn_id, type, at, body from events
      where type in ('tool-start', 'tool-end')
        and (conversation_id > ${after.conversation_id} or (conversation_id = ${after.conversation_id} and seq > ${after.seq}))
      order by conversation_id, seq limit ${pageSize}`.execute(database);
    for (const row of rows) await addCall(database, row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    after = last;
  }
}

async function addCall(database: Kysely<Tables>, row: OldEvent): Promise<void> {
  const event = readBody(row.body);
  // Half an event: the journal says so when it is read; the ledger can say nothing about it.
  if (event === undefined) return;
  const text = (value: unknown, maxChars = maxInputChars): string => storable(String(value ?? '').slice(0, maxChars));
  const key = [row.conversation_id, text(event['callId'], Infinity), row.owner_id, row.seq, row.turn_id] as const;
  if (row.type === 'tool-start') {
    await sql`insert into calls (conversation_id, call_id, owner_id, seq, turn_id, origin, tool, effect, summary, input, started_at)
      values (${sql.join(key)}, ${text(event['origin'])}, ${text(event['tool'])}, ${text(event['effect'])},
        ${text(event['summary'])}, ${text(event['input'])}, ${row.at})
      on conflict (conversation_id, call_id) do update set started_at = excluded.started_at, seq = excluded.seq`.execute(
      database,
    );
    return;
  }
  const outcome = (event['outcome'] ?? {}) as Readonly<Record<string, unknown>>;
  const decision = (event['decision'] ?? {}) as Readonly<Record<string, unknown>>;
  const error = outcome['error'] as { readonly code?: unknown } | undefined;
  const artifact = outcome['artifact'] as { readonly bytes?: unknown } | undefined;
  const bytes = Number(artifact?.bytes ?? Buffer.byteLength(String(outcome['text'] ?? '')));
  await sql`insert into calls (conversation_id, call_id, owner_id, seq, turn_id, origin, tool, effect, summary, input, started_at,
      ended_at, duration_ms, verdict, reason, is_ok, error_code, result_bytes, result_head)
    values (${sql.join(key)}, ${'model'}, ${text(event['tool'])}, ${'read'}, ${''}, ${''}, ${row.at}, ${row.at},
      ${Math.round(Number(event['durationMs'] ?? 0))}, ${text(decision['verdict'])}, ${text(decision['reason'])},
      ${outcome['ok'] === true ? 1 : 0}, ${error?.code === undefined ? null : text(error.code)}, ${bytes},
      ${text(outcome['text'], maxHeadChars)})
    on conflict (conversation_id, call_id) do update set ended_at = excluded.ended_at, duration_ms = excluded.duration_ms,
      verdict = excluded.verdict, reason = excluded.reason, is_ok = excluded.is_ok, error_code = excluded.error_code,
      result_bytes = excluded.result_bytes, result_head = excluded.result_head`.execute(database);
}

function readBody(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(body) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}

/** As storage/stored-text.ts had it when this was written: no U+0000, no half of a pair, and the backslash escaped with them. */
function storable(text: string): string {
  if (!/[\0\\]|\p{Surrogate}/u.test(text)) return text;
  return text.replaceAll(/[\0\\]|\p{Surrogate}/gu, (character) =>
    character === '\\' ? '\\\\' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
