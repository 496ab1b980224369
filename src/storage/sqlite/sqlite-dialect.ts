/** Kysely over node:sqlite: one connection, statements prepared once. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import type { DatabaseConnection, Dialect, Driver, QueryResult, CompiledQuery } from 'kysely';
import { whenFree } from './when-free.ts';

/** More than all our statements together; a statement costs a few kilobytes. */
const maxPrepared = 100;

export function createSqliteDialect(sqlite: DatabaseSync, patienceMs: number): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => createDriver(sqlite, patienceMs),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
  };
}

function createDriver(sqlite: DatabaseSync, patienceMs: number): Driver {
  const connection = createConnection(sqlite, patienceMs);
  // Kysely lets one caller at a time have it: the adapter says that there is only one.
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    // IMMEDIATE takes the write lock at once: a transaction that read first could not upgrade past another writer.
    beginTransaction: async () => whenFree(patienceMs, () => sqlite.exec('begin immediate')),
    commitTransaction: async () => whenFree(patienceMs, () => sqlite.exec('commit')),
    // A full disk makes SQLite roll back by itself; a second rollback would hide the first error.
    rollbackTransaction: async () => {
      if (sqlite.isTransaction) sqlite.exec('rollback');
    },
    releaseConnection: async () => {},
    destroy: async () => sqlite.close(),
  };
}

type Prepared = { readonly statement: StatementSync; readonly returnsRows: boolean };

function createConnection(sqlite: DatabaseSync, patienceMs: number): DatabaseConnection {
  const prepared = new Map<string, Prepared>();
  return {
    executeQuery: async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> =>
      whenFree(patienceMs, () => {
        const { statement, returnsRows } = prepareOnce(sqlite, prepared, query.sql);
        const parameters = query.parameters as SQLInputValue[];
        if (returnsRows) return { rows: statement.all(...parameters) as Row[] };
        const { changes, lastInsertRowid } = statement.run(...parameters);
        return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
      }),
    streamQuery: async function* <Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
      // A statement of its own: a cached one would be restarted by the next caller in the middle.
      const rows = sqlite.prepare(query.sql).iterate(...(query.parameters as SQLInputValue[]));
      for (const row of rows) yield { rows: [row as Row] };
    },
  };
}

function prepareOnce(sqlite: DatabaseSync, prepared: Map<string, Prepared>, text: string): Prepared {
  const known = prepared.get(text);
  if (known !== undefined) return known;
  const statement = sqlite.prepare(text);
  const made = { statement, returnsRows: statement.columns().length > 0 };
  if (prepared.size >= maxPrepared) prepared.clear();
  prepared.set(text, made);
  return made;
}
