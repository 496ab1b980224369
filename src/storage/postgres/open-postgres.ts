/** Opens a pool of connections to Postgres. */
import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Pool } from 'pg';
import type { Database, WriteOptions, Writing } from '../database.ts';
import { withSetupFailures } from '../storage-failure.ts';
import type { Tables } from '../tables.ts';
import { describePlace } from './describe-place.ts';
import { explainPostgresError } from './postgres-problem.ts';

const maxConnections = 5;
const connectTimeoutMs = 10_000;
const bigintType = 20;

/** Any number will do, if no other program locks the same one in this database: the first bytes of "handrail". */
const migrationLock = 0x68616e64;

/** Rejects with SetupFailure when the address is no address, the server does not answer, or it refuses us. */
export async function openPostgres(databaseUrl: string): Promise<Database> {
  const { default: pg } = await import('pg');
  const place = describePlace(databaseUrl, (connectionString) => new pg.Client({ connectionString }));
  const explain = (error: unknown) => explainPostgresError(error, place);
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: maxConnections,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: 'handrail',
    keepAlive: true,
    // Only for this pool: pg's own registry of parsers is shared by everything in the process.
    types: { getTypeParser: (type, format) => (type === bigintType ? Number : pg.types.getTypeParser(type, format)) },
  });
  // An idle connection that breaks is replaced by the next query; without a listener it would end the program.
  pool.on('error', () => {});
  // So would one that breaks while it is lent out; whoever has it sees the failure of its query.
  pool.on('connect', (client) => void client.on('error', () => {}));
  const kysely = new Kysely<Tables>({ dialect: createDialect(pool) });
  try {
    await withSetupFailures(
      // Whatever stops the first connection (TLS, a missing password …) is for the user to mend.
      (error) =>
        explain(error) ?? { kind: 'failed', line: `The database ${place} cannot be opened: ${String(error)}.` },
      async () => void (await sql`select 1`.execute(kysely)),
    );
  } catch (error) {
    await kysely.destroy();
    throw error;
  }
  return {
    kysely,
    place,
    explain,
    write: async (statements, options) => write(kysely, statements, options),
    transact: async (options, work) => transact(kysely, options, work),
    takeTurns: async (transaction, turnstile) =>
      void (await sql`select pg_advisory_xact_lock(hashtext(${`handrail ${turnstile}`}))`.execute(transaction)),
    migration: {
      // Postgres sorts text by the database's language otherwise, and differently from machine to machine.
      text: sql`text collate "C"`,
      ownsDatabase: false,
      lock: async (transaction) =>
        void (await sql`select pg_advisory_xact_lock(${migrationLock})`.execute(transaction)),
      tableNames,
    },
    close: async () => kysely.destroy(),
  };
}

/** A server may be set up to answer before the disk has it; a person's approval must not be lost that way. */
function createDialect(pool: Pool): PostgresDialect {
  return new PostgresDialect({
    pool,
    onCreateConnection: async (connection) => {
      const text = `select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'`;
      await connection.executeQuery(CompiledQuery.raw(text));
    },
  });
}

async function write(kysely: Kysely<Tables>, statements: readonly Writing[], { durable }: WriteOptions): Promise<void> {
  const run = async (connection: Kysely<Tables>) => {
    for (const { query, orElse } of statements) {
      const { numAffectedRows } = await connection.executeQuery(query);
      if (orElse !== undefined && numAffectedRows === 0n) throw orElse();
    }
  };
  if (!durable) return transact(kysely, { durable }, run);
  return statements.length > 1 ? kysely.transaction().execute(run) : run(kysely);
}

async function transact<T>(
  kysely: Kysely<Tables>,
  { durable }: WriteOptions,
  work: (connection: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  return kysely.transaction().execute(async (transaction) => {
    if (!durable) await sql`set local synchronous_commit to off`.execute(transaction);
    return work(transaction);
  });
}

async function tableNames(transaction: Transaction<Tables>): Promise<readonly string[]> {
  const query = sql<{
    name: string;
  }>`select table_name as name from information_schema.tables where table_schema = current_schema()`;
  return (await query.execute(transaction)).rows.map((row) => row.name);
}
