/** The table of allowances that a person gave for longer than one call. */
import { ToolFailure } from '../contract/failure.ts';
import type { Grant } from '../contract/permission.ts';
import type { GrantStore } from '../contract/storage.ts';
import type { Database } from './database.ts';
import { withToolFailures } from './storage-failure.ts';
import { decodeStoredText, encodeStoredText } from './stored-text.ts';
import type { GrantRow } from './tables.ts';

export function createGrantStore(database: Database, owner: string): GrantStore {
  const { kysely } = database;
  return {
    list: async (conversationId) => withToolFailures(database, async () => list(database, owner, conversationId)),
    all: async () => withToolFailures(database, async () => (await select(database, owner).execute()).map(fromRow)),
    add: async (grant) =>
      withToolFailures(
        database,
        async () => {
          await kysely.insertInto('grants').values(toRow(grant, owner)).execute();
        },
        {
          duplicate: () => new ToolFailure('conflict', `The grant ${grant.id} exists already. Use another id.`),
          'missing-reference': () =>
            new ToolFailure(
              'not_found',
              `There is no conversation ${grant.conversationId ?? ''} to grant anything in.`,
            ),
        },
      ),
    used: async (ids, at) =>
      withToolFailures(database, async () => {
        if (ids.length === 0) return;
        await kysely
          .updateTable('grants')
          .set((column) => ({ used_at: at, uses: column('uses', '+', 1) }))
          .where('owner_id', '=', owner)
          .where('id', 'in', ids.map(encodeStoredText))
          .execute();
      }),
    revoke: async (id) =>
      withToolFailures(database, async () => {
        const { numDeletedRows } = await kysely
          .deleteFrom('grants')
          .where('owner_id', '=', owner)
          .where('id', '=', encodeStoredText(id))
          .executeTakeFirst();
        return numDeletedRows > 0n;
      }),
  };
}

async function list(database: Database, owner: string, conversationId: string | undefined): Promise<readonly Grant[]> {
  const rows = await select(database, owner)
    .where((where) =>
      conversationId === undefined
        ? where('conversation_id', 'is', null)
        : where.or([
            where('conversation_id', 'is', null),
            where('conversation_id', '=', encodeStoredText(conversationId)),
          ]),
    )
    .execute();
  return rows.map(fromRow);
}

function select(database: Database, owner: string) {
  return database.kysely
    .selectFrom('grants')
    .selectAll()
    .where('owner_id', '=', owner)
    .orderBy('created_at')
    .orderBy('id');
}

function toRow(grant: Grant, owner: string): GrantRow {
  return {
    id: encodeStoredText(grant.id),
    owner_id: owner,
    tool: encodeStoredText(grant.tool),
    pattern: encodeStoredText(grant.pattern),
    scope: grant.scope,
    conversation_id: grant.conversationId === undefined ? null : encodeStoredText(grant.conversationId),
    origin: encodeStoredText(grant.origin),
    created_at: grant.createdAt,
    expires_at: grant.expiresAt ?? null,
    used_at: grant.usedAt ?? null,
    uses: grant.uses ?? 0,
  };
}

function fromRow(row: GrantRow): Grant {
  return {
    id: decodeStoredText(row.id),
    tool: decodeStoredText(row.tool),
    pattern: decodeStoredText(row.pattern),
    // Anything but the wider word means the narrower scope.
    scope: row.scope === 'always' ? 'always' : 'conversation',
    conversationId: row.conversation_id === null ? undefined : decodeStoredText(row.conversation_id),
    origin: decodeStoredText(row.origin),
    createdAt: row.created_at,
    ...(row.expires_at === null ? {} : { expiresAt: row.expires_at }),
    ...(row.used_at === null ? {} : { usedAt: row.used_at }),
    ...(row.uses === 0 ? {} : { uses: row.uses }),
  };
}
