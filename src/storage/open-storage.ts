/** Opens the one data layer: SQLite by default, Postgres where an address is given. */
import type { RedactorSource } from '../contract/redaction.ts';
import type { Storage } from '../contract/storage.ts';

export type StorageOptions = {
  /** `postgres://…`. Undefined or empty: SQLite. */
  readonly databaseUrl?: string | undefined;
  readonly sqlitePath: string;
  /** Where copies of the SQLite file go before its tables change. */
  readonly backupFolder: string;
  /** Omitted: secrets are kept like any other text. */
  readonly redactor?: RedactorSource;
};

/** Rejects with SetupFailure: one line that says what to do. Kysely and the drivers are loaded here, not before. */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { databaseUrl } = options;
  const [{ assembleStorage }, { withRedaction }, database] = await Promise.all([
    import('./assemble-storage.ts'),
    import('./redacted-storage.ts'),
    databaseUrl === undefined || databaseUrl === ''
      ? import('./sqlite/open-sqlite.ts').then(async ({ openSqlite }) => openSqlite(options.sqlitePath, options))
      : import('./postgres/open-postgres.ts').then(async ({ openPostgres }) => openPostgres(databaseUrl)),
  ]);
  const storage = await assembleStorage(database);
  return options.redactor === undefined ? storage : withRedaction(storage, options.redactor);
}
