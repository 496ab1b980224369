/** The journal's table: appending behind a known position, reading in order. */
import { sql } from 'kysely';
import type { EventBody, JournalEvent } from '../contract/event.ts';
import { ToolFailure } from '../contract/failure.ts';
import type { EventStore } from '../contract/storage.ts';
import { compileStatement } from './compiled-statement.ts';
import type { Statement } from './compiled-statement.ts';
import type { Database } from './database.ts';
import { createLedgerLine } from './ledger-lines.ts';
import { withToolFailures } from './storage-failure.ts';
import { decodeStoredText, encodeStoredText } from './stored-text.ts';

/** More than a conversation can hold, and a number that both databases take. */
const noLimit = 2 ** 31 - 1;

type NewEvent = EventBody & { readonly at: string };
type Position = Parameters<EventStore['append']>[1];
type StoredEvent = { readonly seq: number; readonly turn_id: string; readonly at: string; readonly body: string };

export function createEventStore(database: Database, owner: string): EventStore {
  const insertion = compileInsertion(database);
  const selection = compileSelection(database);
  const lastPosition = compileLastPosition(database);
  const marked = compileMarked(database);
  const lineOf = createLedgerLine(database, owner);
  const read: EventStore['read'] = async (conversationId, options = {}) =>
    withToolFailures(database, async () => {
      const query = selection(owner, encodeStoredText(conversationId), options.afterSeq ?? 0, options.limit ?? noLimit);
      const { rows } = await database.kysely.executeQuery(query);
      return rows.map((row) => readRow(row, conversationId, database.place));
    });
  return {
    append: async (events, position) => {
      if (events.length === 0) return [];
      const statements = events.flatMap((event, index) => {
        const line = lineOf(event, { ...position, seq: position.afterSeq + index + 1 });
        // Somebody else has written there.
        const row = { query: insertion(...toRow(event, position, index, owner)), orElse: conflict };
        return line === undefined ? [row] : [row, { query: line }];
      });
      await withToolFailures(database, async () => database.write(statements, position), {
        duplicate: conflict,
        'missing-reference': () => noConversation(position.conversationId),
      });
      return events.map((event, index) => toJournalEvent(event, position, index));
    },
    lastSeq: async (conversationId) =>
      withToolFailures(database, async () => {
        const query = lastPosition(owner, encodeStoredText(conversationId));
        const { rows } = await database.kysely.executeQuery(query);
        return rows[0]?.seq ?? 0;
      }),
    read,
    readForModel: read,
    forModel: (event) => event,
    firstUntrusted: async (conversationId) =>
      withToolFailures(database, async () => {
        const { rows } = await database.kysely.executeQuery(marked(owner, encodeStoredText(conversationId)));
        return rows.map((row) => readRow(row, conversationId, database.place)).find(isUntrusted)?.at;
      }),
  };
}

/**
 * One statement that checks the position and writes: two processes behind the same event cannot both pass, because the
 * primary key lets only one of them in, and nobody can leave a gap.
 */
function compileInsertion(database: Database): Statement<unknown> {
  return compileStatement(
    database.kysely,
    sql`insert into events (conversation_id, seq, owner_id, turn_id, type, at, body)
      select cast(${''} as text), cast(${0} as integer), cast(${''} as text), cast(${''} as text), cast(${''} as text),
        cast(${''} as text), cast(${''} as text)
      where cast(${0} as integer) = coalesce((select max(seq) from events where conversation_id = ${''}), 0)`,
  );
}

function compileSelection(database: Database): Statement<StoredEvent> {
  return compileStatement(
    database.kysely,
    sql<StoredEvent>`select seq, turn_id, at, body from events
      where owner_id = ${''} and conversation_id = ${''} and seq > ${0} order by seq limit cast(${0} as integer)`,
  );
}

function compileLastPosition(database: Database): Statement<{ readonly seq: number }> {
  return compileStatement(
    database.kysely,
    sql<{ readonly seq: number }>`select seq from events
      where owner_id = ${''} and conversation_id = ${''} order by seq desc limit 1`,
  );
}

/** Candidates only: the key may also be one of a tool's own data. In a text its quotes would be escaped. */
function compileMarked(database: Database): Statement<StoredEvent> {
  return compileStatement(
    database.kysely,
    sql<StoredEvent>`select seq, turn_id, at, body from events
      where owner_id = ${''} and conversation_id = ${''} and type = 'tool-end' and body like '%"untrusted":"%'
      order by seq`,
  );
}

const isUntrusted = (event: JournalEvent): boolean =>
  event.type === 'tool-end' && event.outcome.untrusted !== undefined;

type Values = readonly (string | number)[];

/** JSON.stringify writes U+0000 and lone surrogates as escapes, so its text fits both databases as it is. */
function toRow(event: NewEvent, position: Position, index: number, owner: string): Values {
  const { at, ...body } = event;
  const conversationId = encodeStoredText(position.conversationId);
  const before = position.afterSeq + index;
  const turnId = encodeStoredText(position.turnId);
  return [conversationId, before + 1, owner, turnId, event.type, at, JSON.stringify(body), before, conversationId];
}

function toJournalEvent(event: NewEvent, position: Position, index: number): JournalEvent {
  return {
    ...event,
    conversationId: position.conversationId,
    seq: position.afterSeq + index + 1,
    turnId: position.turnId,
  };
}

function readRow(row: StoredEvent, conversationId: string, place: string): JournalEvent {
  try {
    const body = JSON.parse(row.body) as EventBody;
    return { ...body, conversationId, seq: row.seq, turnId: decodeStoredText(row.turn_id), at: row.at };
  } catch (error) {
    const line = `Event ${row.seq} of conversation ${conversationId} in ${place} is damaged: start another conversation, or restore a backup.`;
    throw new ToolFailure('failed', line, { cause: error });
  }
}

const conflict = () =>
  new ToolFailure(
    'conflict',
    'Another process has added to this conversation in the meantime. Read it again, then go on.',
  );

const noConversation = (id: string) => new ToolFailure('not_found', `There is no conversation ${id}. Start a new one.`);
