/** Kysely over node:sqlite: one connection, statements prepared once. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import type { DatabaseConnection, Dialect, Driver, QueryResult, CompiledQuery } from 'kysely';
import { beginText, type Prepared } from './prepared.ts';
import { whenFree } from './when-free.ts';

export function createSqliteDialect(sqlite: DatabaseSync, prepared: Prepared, patienceMs: number): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => createDriver(sqlite, prepared, patienceMs),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
  };
}

function createDriver(sqlite: DatabaseSync, prepared: Prepared, patienceMs: number): Driver {
  const connection = createConnection(sqlite, prepared, patienceMs);
  // Kysely lets one caller at a time have it: the adapter says that there is only one.
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: async () => whenFree(patienceMs, () => void prepared.run(beginText)),
    commitTransaction: async () => whenFree(patienceMs, () => void prepared.run('commit')),
    // A full disk makes SQLite roll back by itself; a second rollback would hide the first error.
    rollbackTransaction: async () => {
      if (sqlite.isTransaction) sqlite.exec('rollback');
    },
    releaseConnection: async () => {},
    destroy: async () => sqlite.close(),
  };
}

function createConnection(sqlite: DatabaseSync, prepared: Prepared, patienceMs: number): DatabaseConnection {
  return {
    executeQuery: async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> =>
      whenFree(patienceMs, () => {
        const rows = prepared.rows(query.sql, query.parameters);
        if (rows !== undefined) return { rows: rows as Row[] };
        const { changes, lastInsertRowid } = prepared.run(query.sql, query.parameters);
        return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
      }),
    streamQuery: async function* <Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
      // A statement of its own: a cached one would be restarted by the next caller in the middle.
      const rows = sqlite.prepare(query.sql).iterate(...(query.parameters as SQLInputValue[]));
      for (const row of rows) yield { rows: [row as Row] };
    },
  };
}
