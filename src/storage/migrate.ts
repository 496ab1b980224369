/** Brings the tables up to the program's version: under a lock, all or nothing, after a backup. */
import type { Expression, Kysely, Transaction } from 'kysely';
import { SetupFailure } from '../contract/failure.ts';
import type { Database } from './database.ts';
import type { Tables } from './tables.ts';

export type Migration = {
  readonly name: string;
  /** Runs inside the transaction. Writes plain SQL where it touches columns that a later migration may remove. */
  readonly up: (database: Kysely<Tables>, text: 'text' | Expression<unknown>) => Promise<void>;
};

/** Rejects with SetupFailure when the database is newer than the program, or holds another program's tables. */
export async function migrate(database: Database, migrations: readonly Migration[]): Promise<void> {
  // Without the lock: the usual start finds nothing to do, and must not wait for whoever writes just now.
  const version = await readVersion(database, database.kysely);
  if (version === migrations.length) return;
  refuseNewer(database, version, migrations);
  await database.kysely.transaction().execute(async (transaction) => {
    await database.migration.lock(transaction);
    await migrateLocked(database, transaction, migrations);
  });
}

async function migrateLocked(database: Database, transaction: Transaction<Tables>, migrations: readonly Migration[]) {
  const tableNames = await database.migration.tableNames(transaction);
  const isNew = !tableNames.includes('schema_versions');
  if (isNew) refuseForeign(database, tableNames);
  const version = isNew ? 0 : await readVersion(database, transaction);
  refuseNewer(database, version, migrations);
  if (version > 0 && version < migrations.length) await database.migration.backUp?.(version);
  if (isNew) await createVersionTable(transaction, database.migration.text);
  for (const [index, migration] of migrations.entries()) {
    if (index < version) continue;
    await migration.up(transaction, database.migration.text);
    await transaction
      .insertInto('schema_versions')
      .values({ version: index + 1, owner_id: 'owner', name: migration.name, applied_at: new Date().toISOString() })
      .execute();
  }
}

async function readVersion(database: Database, connection: Kysely<Tables>): Promise<number> {
  try {
    const row = await connection
      .selectFrom('schema_versions')
      .select((select) => select.fn.max('version').as('version'))
      .executeTakeFirst();
    return row?.version ?? 0;
  } catch (error) {
    if (database.explain(error)?.kind === 'missing-table') return 0;
    throw error;
  }
}

/** The owner id is there as in every table, so that the rule has no exception to remember. */
async function createVersionTable(transaction: Transaction<Tables>, text: 'text' | Expression<unknown>): Promise<void> {
  await transaction.schema
    .createTable('schema_versions')
    .addColumn('version', 'integer', (column) => column.primaryKey().notNull())
    .addColumn('owner_id', text, (column) => column.notNull().defaultTo('owner'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('applied_at', text, (column) => column.notNull())
    .execute();
}

function refuseNewer(database: Database, version: number, migrations: readonly Migration[]): void {
  if (version <= migrations.length) return;
  throw new SetupFailure(
    `The database ${database.place} was written by a newer Handrail (its version is ${version}, this program knows ${migrations.length}): update Handrail, or set HANDRAIL_HOME to another folder. Nothing was changed.`,
  );
}

function refuseForeign(database: Database, tableNames: readonly string[]): void {
  const taken = ['conversations', 'events', 'grants'].filter((name) => tableNames.includes(name));
  const foreign = database.migration.ownsDatabase ? tableNames : taken;
  if (foreign.length === 0) return;
  throw new SetupFailure(
    `The database ${database.place} holds tables of another program (${foreign.slice(0, 3).join(', ')}): give Handrail a database of its own. Nothing was changed.`,
  );
}
