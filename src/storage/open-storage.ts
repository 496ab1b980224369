/** Opens the one data layer: SQLite by default, Postgres where an address is given. */
import type { Storage } from '../contract/storage.ts';

export type StorageOptions = {
  /** `postgres://…`. Undefined or empty: SQLite. */
  readonly databaseUrl?: string | undefined;
  readonly sqlitePath: string;
  /** Where copies of the SQLite file go before its tables change. */
  readonly backupFolder: string;
};

/** Rejects with SetupFailure: one line that says what to do. Kysely and the drivers are loaded here, not before. */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { databaseUrl } = options;
  const [{ assembleStorage }, database] = await Promise.all([
    import('./assemble-storage.ts'),
    databaseUrl === undefined || databaseUrl === ''
      ? import('./sqlite/open-sqlite.ts').then(async ({ openSqlite }) => openSqlite(options.sqlitePath, options))
      : import('./postgres/open-postgres.ts').then(async ({ openPostgres }) => openPostgres(databaseUrl)),
  ]);
  return assembleStorage(database);
}
