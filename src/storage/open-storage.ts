/** Opens the one data layer: SQLite by default, Postgres where an address is given. */
import type { RedactorSource } from '../contract/redaction.ts';
import type { Storage } from '../contract/storage.ts';

export type StorageOptions = {
  /** `postgres://…`. Undefined or empty: SQLite. */
  readonly databaseUrl?: string | undefined;
  readonly sqlitePath: string;
  /** Where copies of the SQLite file go before its tables change. */
  readonly backupFolder: string;
  /** Gets one line for the person when a damaged SQLite file was set aside and a new one begun. Omitted: such a file is refused. */
  readonly beginAnew?: (line: string) => void;
  /** Omitted: secrets are kept like any other text. */
  readonly redactor?: RedactorSource;
};

/** Rejects with SetupFailure: one line that says what to do. Kysely and the drivers are loaded here, not before. */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { databaseUrl, redactor } = options;
  const isLocal = databaseUrl === undefined || databaseUrl === '';
  const storage = isLocal ? await openLocal(options) : await openRemote(databaseUrl);
  if (redactor === undefined) return storage;
  const { withRedaction } = await import('./redacted-storage.ts');
  return withRedaction(storage, redactor);
}

async function openLocal(options: StorageOptions): Promise<Storage> {
  const { sqlitePath, beginAnew } = options;
  const [{ assembleStorage }, { openSqlite }, { openOrSetAside }] = await Promise.all([
    import('./assemble-storage.ts'),
    import('./sqlite/open-sqlite.ts'),
    import('./sqlite/set-aside.ts'),
  ]);
  const open = async (): Promise<Storage> => assembleStorage(await openSqlite(sqlitePath, options));
  return beginAnew === undefined ? open() : openOrSetAside(sqlitePath, open, beginAnew);
}

async function openRemote(databaseUrl: string): Promise<Storage> {
  const [{ assembleStorage }, { openPostgres }] = await Promise.all([
    import('./assemble-storage.ts'),
    import('./postgres/open-postgres.ts'),
  ]);
  return assembleStorage(await openPostgres(databaseUrl));
}
