/** Opens the SQLite file: private, in WAL mode, one connection. */
import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import type { Database, Writing } from '../database.ts';
import { DamagedDatabase, withSetupFailures } from '../storage-failure.ts';
import type { Tables } from '../tables.ts';
import { backUp, listBackups } from './back-up.ts';
import { checkAfterDamage, noteDamage } from './check-after-damage.ts';
import { prepareFile } from './prepare-file.ts';
import { listSetAside } from './set-aside.ts';
import { beginText, createPrepared, type Prepared } from './prepared.ts';
import { createSqliteDialect } from './sqlite-dialect.ts';
import { damagedLine, explainSqliteError } from './sqlite-problem.ts';
import { whenFree } from './when-free.ts';

const defaultPatienceMs = 5000;

export type SqliteOptions = {
  readonly backupFolder: string;
  /** Sees the connection before its first statement; a test makes the disk small here. */
  readonly onOpen?: (sqlite: DatabaseSync) => void;
  /** How long to wait for another program that is writing. Omitted: five seconds. */
  readonly patienceMs?: number;
};

/** Rejects with SetupFailure. */
export async function openSqlite(path: string, options: SqliteOptions): Promise<Database> {
  const explain = (error: unknown) => explainSqliteError(error, path);
  const patienceMs = options.patienceMs ?? defaultPatienceMs;
  const sqlite = await withSetupFailures(explain, async () => {
    prepareFile(path);
    return connect(path, patienceMs, options.onOpen);
  });
  const prepared = createPrepared(sqlite);
  const kysely = new Kysely<Tables>({ dialect: createSqliteDialect(sqlite, prepared, patienceMs) });
  return {
    kysely,
    place: path,
    explain,
    noteDamage: () => noteDamage(path),
    upkeep: () => ({
      backupFolder: options.backupFolder,
      copies: listBackups(path, options.backupFolder),
      setAside: listSetAside(path),
      copyTo: async (file) => (await import('./copy-database.ts')).copyDatabase(path, file),
    }),
    // BEGIN IMMEDIATE lets one at a time past everything.
    takeTurns: async () => {},
    write: async (statements, { durable }) =>
      alone(sqlite, kysely, durable, async () => whenFree(patienceMs, () => writeAll(sqlite, prepared, statements))),
    transact: async ({ durable }, work) =>
      alone(sqlite, kysely, durable, async (connection) => connection.transaction().execute(work)),
    migration: {
      text: 'text',
      ownsDatabase: true,
      // BEGIN IMMEDIATE, by which every transaction begins, keeps other writers out of the whole file.
      lock: async () => {},
      backUp: async (version) => void backUp(path, options.backupFolder, version),
      tableNames: async (transaction) => {
        const query = sql<{
          name: string;
        }>`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`;
        return (await query.execute(transaction)).rows.map((row) => row.name);
      },
    },
    close: async () => {
      await kysely.destroy();
      // Kysely closes only what it has used.
      if (sqlite.isOpen) sqlite.close();
    },
  };
}

async function connect(path: string, patienceMs: number, onOpen: SqliteOptions['onOpen']): Promise<DatabaseSync> {
  // Two programs that switch a new file to WAL at once: SQLite answers "busy" to one of them.
  return whenFree(patienceMs, () => {
    const sqlite = new DatabaseSync(path, { timeout: 0, enableForeignKeyConstraints: true });
    try {
      onOpen?.(sqlite);
      configure(sqlite);
      refuseOthers(path, sqlite);
      checkAfterDamage(path, sqlite);
      return sqlite;
    } catch (error) {
      sqlite.close();
      throw error;
    }
  });
}

/** We write none; every other program that writes one means itself (https://www.sqlite.org/fileformat.html#application_id). */
function refuseOthers(path: string, sqlite: DatabaseSync): void {
  const { application_id: id } = sqlite.prepare('pragma application_id').get() ?? {};
  if (id !== 0) throw new DamagedDatabase(damagedLine(path), 'it belongs to another program');
}

function configure(sqlite: DatabaseSync): void {
  sqlite.exec('pragma journal_mode = wal');
  sqlite.exec('pragma synchronous = normal');
  // A log that one huge event made long is cut back to this many bytes.
  sqlite.exec('pragma journal_size_limit = 16777216');
  // Views and triggers of a file that somebody prepared get no functions with effects.
  sqlite.exec('pragma trusted_schema = off');
}

/**
 * With NORMAL, SQLite syncs the log at a checkpoint only; with FULL, at each commit, and with it everything before it.
 * The level cannot change inside a transaction (https://www.sqlite.org/pragma.html#pragma_synchronous), so nobody else has the
 * connection meanwhile.
 */
async function alone<T>(
  sqlite: DatabaseSync,
  kysely: Kysely<Tables>,
  durable: boolean,
  work: (connection: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  return kysely.connection().execute(async (connection) => {
    if (!durable) return work(connection);
    sqlite.exec('pragma synchronous = full');
    try {
      return await work(connection);
    } finally {
      sqlite.exec('pragma synchronous = normal');
    }
  });
}

/** At once: while it writes nothing else of the program runs. */
function writeAll(sqlite: DatabaseSync, prepared: Prepared, statements: readonly Writing[]): void {
  const isTransaction = statements.length > 1;
  if (isTransaction) prepared.run(beginText);
  try {
    for (const { query, orElse } of statements) {
      const { changes } = prepared.run(query.sql, query.parameters);
      if (orElse !== undefined && changes === 0) throw orElse();
    }
    if (isTransaction) prepared.run('commit');
  } catch (error) {
    // A full disk makes SQLite roll back by itself; a second rollback would hide the first error.
    if (sqlite.isTransaction) sqlite.exec('rollback');
    throw error;
  }
}
