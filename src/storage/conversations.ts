/** The table of conversations. */
import { type Insertable, type Selectable, type Updateable, sql } from 'kysely';
import { ToolFailure } from '../contract/failure.ts';
import type { Conversation, ConversationFilter, ConversationStore } from '../contract/storage.ts';
import type { Database } from './database.ts';
import { withToolFailures } from './storage-failure.ts';
import { decodeStoredText, encodeStoredText } from './stored-text.ts';
import type { ConversationRow } from './tables.ts';

const defaultLimit = 50;

export function createConversationStore(database: Database, owner: string): ConversationStore {
  const { kysely } = database;
  return {
    create: async (conversation) =>
      withToolFailures(
        database,
        async () => {
          await kysely.insertInto('conversations').values(toRow(conversation, owner)).execute();
        },
        { duplicate: taken(conversation) },
      ),
    createBranch: async (conversation) =>
      withToolFailures(database, async () => copyInto(database, owner, conversation), {
        duplicate: taken(conversation),
      }),
    get: async (id) =>
      withToolFailures(database, async () => {
        const row = await kysely
          .selectFrom('conversations')
          .selectAll()
          .where('owner_id', '=', owner)
          .where('id', '=', encodeStoredText(id))
          .executeTakeFirst();
        return row === undefined ? undefined : fromRow(row);
      }),
    list: async (options) => withToolFailures(database, async () => list(database, owner, options)),
    update: async (id, change) => withToolFailures(database, async () => update(database, owner, id, change)),
    remove: async (id) =>
      withToolFailures(database, async () => {
        // Its events and grants go with it: their foreign keys cascade.
        await kysely
          .deleteFrom('conversations')
          .where('owner_id', '=', owner)
          .where('id', '=', encodeStoredText(id))
          .execute();
      }),
  };
}

const taken =
  ({ id }: Conversation) =>
  (): ToolFailure =>
    new ToolFailure('conflict', `The conversation ${id} exists already. Use another id.`);

async function copyInto(
  database: Database,
  owner: string,
  conversation: Parameters<ConversationStore['createBranch']>[0],
): Promise<void> {
  const { conversationId, beforeSeq } = conversation.branchedFrom;
  await database.transact({ durable: true }, async (connection) => {
    await connection.insertInto('conversations').values(toRow(conversation, owner)).execute();
    await connection
      .insertInto('events')
      .columns(['conversation_id', 'seq', 'owner_id', 'turn_id', 'type', 'at', 'body'])
      .expression((of) =>
        of
          .selectFrom('events')
          .select(sql<string>`cast(${encodeStoredText(conversation.id)} as text)`.as('conversation_id'))
          .select(['seq', 'owner_id', 'turn_id', 'type', 'at', 'body'])
          .where('owner_id', '=', owner)
          .where('conversation_id', '=', encodeStoredText(conversationId))
          .where('seq', '<', beforeSeq),
      )
      .execute();
  });
}

async function list(
  database: Database,
  owner: string,
  options: ConversationFilter = {},
): Promise<readonly Conversation[]> {
  let query = database.kysely
    .selectFrom('conversations')
    .selectAll()
    .where('owner_id', '=', owner)
    .where('is_throwaway', '=', 0);
  if (options.workspace !== undefined) query = query.where('workspace', '=', encodeStoredText(options.workspace));
  if (options.search !== undefined) {
    const escaped = encodeStoredText(options.search).replaceAll(/[!%_]/g, (character) => `!${character}`);
    const part = `%${escaped}%`;
    query = query.where(
      sql<boolean>`(lower(title) like lower(${part}) escape '!' or lower(workspace) like lower(${part}) escape '!')`,
    );
  }
  if (options.pinnedFirst === true) query = query.orderBy('is_pinned', 'desc');
  const rows = await query
    .orderBy('updated_at', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(Math.max(0, Math.trunc(options.limit ?? defaultLimit)))
    .offset(Math.max(0, Math.trunc(options.offset ?? 0)))
    .execute();
  return rows.map(fromRow);
}

async function update(
  database: Database,
  owner: string,
  id: string,
  change: Parameters<ConversationStore['update']>[1],
): Promise<void> {
  const values: Updateable<ConversationRow> = {
    ...(change.title === undefined ? {} : { title: encodeStoredText(change.title) }),
    ...(change.updatedAt === undefined ? {} : { updated_at: change.updatedAt }),
    ...(change.isPinned === undefined ? {} : { is_pinned: change.isPinned ? 1 : 0 }),
  };
  if (Object.keys(values).length === 0) return;
  const { numUpdatedRows } = await database.kysely
    .updateTable('conversations')
    .set(values)
    .where('owner_id', '=', owner)
    .where('id', '=', encodeStoredText(id))
    .executeTakeFirst();
  if (numUpdatedRows === 0n)
    throw new ToolFailure('not_found', `There is no conversation ${id}. It may have been removed.`);
}

function toRow(conversation: Conversation, owner: string): Insertable<ConversationRow> {
  const { branchedFrom } = conversation;
  return {
    id: encodeStoredText(conversation.id),
    owner_id: owner,
    title: encodeStoredText(conversation.title),
    workspace: encodeStoredText(conversation.workspace),
    is_throwaway: conversation.isThrowaway ? 1 : 0,
    created_at: conversation.createdAt,
    updated_at: conversation.updatedAt,
    is_pinned: conversation.isPinned === true ? 1 : 0,
    kind: conversation.kind ?? 'chat',
    branched_from: branchedFrom === undefined ? null : encodeStoredText(branchedFrom.conversationId),
    branched_before: branchedFrom?.beforeSeq ?? null,
  };
}

function fromRow(row: Selectable<ConversationRow>): Conversation {
  return {
    id: decodeStoredText(row.id),
    title: decodeStoredText(row.title),
    workspace: decodeStoredText(row.workspace),
    isThrowaway: row.is_throwaway === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...(row.is_pinned === 1 ? { isPinned: true } : {}),
    ...(row.kind === 'interactive' ? { kind: 'interactive' } : {}),
    ...(row.branched_from === null || row.branched_before === null
      ? {}
      : {
          branchedFrom: { conversationId: decodeStoredText(row.branched_from), beforeSeq: row.branched_before },
        }),
  };
}
