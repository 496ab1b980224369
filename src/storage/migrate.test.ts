import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startPostgres } from '../../test/kit/postgres.ts';
import type { TestPostgres } from '../../test/kit/postgres.ts';
import { SetupFailure } from '../contract/failure.ts';
import { assembleStorage } from './assemble-storage.ts';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import type { Migration } from './migrate.ts';
import { migrationsInOrder } from './migrations/in-order.ts';
import { openPostgres } from './postgres/open-postgres.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';
import type { Tables } from './tables.ts';

let postgres: TestPostgres;
let folder: string;
const opened: Database[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
});

afterAll(async () => {
  await postgres.stop();
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'handrail-migrate-'));
});

afterEach(async () => {
  for (const database of opened.splice(0)) await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const track = (database: Database) => {
  opened.push(database);
  return database;
};

const openFile = async () =>
  track(await openSqlite(join(folder, 'h.sqlite'), { backupFolder: join(folder, 'backups') }));

/** Each gives a function that opens the same database again and again. */
const places = [
  { name: 'SQLite', prepare: async () => openFile },
  {
    name: 'Postgres',
    prepare: async () => {
      const url = await postgres.createSchema();
      return async () => track(await openPostgres(url));
    },
  },
];

/** The version of a database that has seen all of them. */
const newest = migrationsInOrder.length;

const addColour: Migration = {
  name: '9998-colour',
  up: async (database) => database.schema.alterTable('conversations').addColumn('colour', 'text').execute(),
};

const breakHalfWay: Migration = {
  name: '9999-broken',
  up: async (database) => {
    await addColour.up(database, 'text');
    throw new SetupFailure('half-way');
  },
};

describe.each(places)('on $name', ({ prepare }) => {
  let open: () => Promise<Database>;

  beforeEach(async () => {
    open = await prepare();
  });

  test('a new database gets every migration once', async () => {
    for (let start = 0; start < 3; start += 1) await migrate(await open(), migrationsInOrder);
    expect(await versions(await open())).toEqual(migrationsInOrder.map((migration) => migration.name));
    expect(migrationsInOrder.map((migration) => migration.name.slice(0, 4))).toEqual(
      migrationsInOrder.map((_, index) => String(index + 1).padStart(4, '0')),
    );
  });

  test('an older database gets only what is new, and keeps its rows', async () => {
    const database = await open();
    await fillNewestVersion(database);
    await migrate(database, [...migrationsInOrder, addColour]);
    expect(await versions(database)).toEqual([...migrationsInOrder.map((migration) => migration.name), '9998-colour']);
    expect(await sql`select id, colour from conversations`.execute(database.kysely)).toMatchObject({
      rows: [{ id: 'c', colour: null }],
    });
  });

  test('a migration that fails half-way leaves everything as it was', async () => {
    const database = await open();
    await fillNewestVersion(database);
    await expect(migrate(database, [...migrationsInOrder, breakHalfWay])).rejects.toThrow('half-way');
    expect(await versions(database)).toHaveLength(migrationsInOrder.length);
    await expect(sql`select colour from conversations`.execute(database.kysely)).rejects.toThrow(/colour/);
    await migrate(database, [...migrationsInOrder, addColour]);
  });

  test('a database that is newer than the program is refused in one line and not changed', async () => {
    await migrate(await open(), [...migrationsInOrder, addColour]);
    const refusal = assembleStorage(await open());
    await expect(refusal).rejects.toThrow(SetupFailure);
    await expect(refusal).rejects.toThrow(
      new RegExp(
        `written by a newer Handrail \\(its version is ${newest + 1}, this program knows ${newest}\\): update`,
        'u',
      ),
    );
    expect(await versions(await open())).toHaveLength(newest + 1);
  });

  test('two that start at once do not migrate together', async () => {
    const watch = watchOverlap();
    await Promise.all([migrate(await open(), [watch.migration]), migrate(await open(), [watch.migration])]);
    expect(watch.seen()).toEqual({ runs: 1, atOnce: 1 });
  });

  test('every table says whose its rows are, and text sorts by its characters', async () => {
    const database = await open();
    await migrate(database, migrationsInOrder);
    const names = await database.kysely
      .transaction()
      .execute(async (transaction) => database.migration.tableNames(transaction));
    expect([...names].sort()).toEqual([
      ...['calls', 'conversations', 'events', 'grants', 'schema_versions', 'spending', 'spending_reservations'],
    ]);
    await sql`insert into conversations (id, title, workspace, is_throwaway, created_at, updated_at)
      values ('a', '', '', 0, '', ''), ('B', '', '', 0, '', ''), ('_', '', '', 0, '', '')`.execute(database.kysely);
    const rows = await database.kysely.selectFrom('conversations').select(['id', 'owner_id']).orderBy('id').execute();
    expect(rows.map((row) => row.id)).toEqual(['B', '_', 'a']);
    for (const name of names) await sql`select owner_id from ${sql.table(name)}`.execute(database.kysely);
    expect(new Set(rows.map((row) => row.owner_id))).toEqual(new Set(['owner']));
  });
});

test('twin: without the lock, two on Postgres are inside at once', async () => {
  const url = await postgres.createSchema();
  const watch = watchOverlap();
  const withoutLock = async (): Promise<Database> => {
    const database = track(await openPostgres(url));
    return { ...database, migration: { ...database.migration, lock: async () => {} } };
  };
  const runs = [await withoutLock(), await withoutLock()].map(async (database) =>
    database.kysely.transaction().execute(async (transaction) => {
      await database.migration.lock(transaction);
      await watch.migration.up(transaction);
    }),
  );
  await Promise.all(runs);
  expect(watch.seen()).toEqual({ runs: 2, atOnce: 2 });
});

describe('the backup of a SQLite file', () => {
  const copies = () => readdirSync(join(folder, 'backups'));

  test('is made before a migration, whole and for us alone, with what is only in the log yet', async () => {
    const database = await openFile();
    await fillNewestVersion(database);
    await migrate(database, [...migrationsInOrder, addColour]);
    expect(copies()).toEqual([expect.stringMatching(new RegExp(`^h\\.sqlite\\.version-${newest}\\.2`, 'u'))]);
    const copyPath = join(folder, 'backups', copies()[0] ?? '');
    expect((statSync(copyPath).mode & 0o777).toString(8)).toBe('600');
    const copy = new DatabaseSync(copyPath, { readOnly: true });
    expect(copy.prepare('select * from conversations').all()).toHaveLength(1);
    expect(copy.prepare('select max(version) as version from schema_versions').get()).toEqual({ version: newest });
    expect(copy.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
    copy.close();
  });

  test('is there, too, when the migration fails', async () => {
    const database = await openFile();
    await fillNewestVersion(database);
    await expect(migrate(database, [...migrationsInOrder, breakHalfWay])).rejects.toThrow('half-way');
    expect(copies()).toHaveLength(1);
  });

  test('of a new or unchanged database is not made', async () => {
    for (let start = 0; start < 2; start += 1) await migrate(await openFile(), migrationsInOrder);
    expect(copies).toThrow(/ENOENT/);
  });

  test('is one of the last five: older ones are removed, other files stay', async () => {
    const database = await openFile();
    await fillNewestVersion(database);
    mkdirSync(join(folder, 'backups'), { mode: 0o700 });
    const older = Array.from(
      { length: 7 },
      (_, day) => `h.sqlite.version-${12 - day}.2026-01-0${day + 1}T00-00-00.000Z`,
    );
    for (const name of [...older, 'mine.sqlite']) writeFileSync(join(folder, 'backups', name), '');
    await migrate(database, [...migrationsInOrder, addColour]);
    const [newCopy = '', ...rest] = copies().filter((name) => !older.includes(name) && name !== 'mine.sqlite');
    expect(rest).toEqual([]);
    expect(copies().sort()).toEqual([...older.slice(3), newCopy, 'mine.sqlite'].sort());
    expect(database.upkeep?.()?.copies).toEqual([...older.slice(3), newCopy]);
  });

  test('that cannot be made stops the migration before it changes anything', async () => {
    const database = track(
      await openSqlite(join(folder, 'h.sqlite'), { backupFolder: join(folder, 'h.sqlite', 'below-a-file') }),
    );
    await fillNewestVersion(database);
    await expect(migrate(database, [...migrationsInOrder, addColour])).rejects.toThrow(
      /cannot be made .*so nothing was changed/,
    );
    expect(await versions(database)).toHaveLength(newest);
  });
});

async function fillNewestVersion(database: Database): Promise<void> {
  await migrate(database, migrationsInOrder);
  await sql`insert into conversations (id, title, workspace, is_throwaway, created_at, updated_at)
    values ('c', '', '', 0, '', '')`.execute(database.kysely);
}

async function versions(database: Database): Promise<readonly string[]> {
  const rows = await database.kysely.selectFrom('schema_versions').select('name').orderBy('version').execute();
  return rows.map((row) => row.name);
}

/** A migration that stays inside until another has come in, or has had every chance to. */
function watchOverlap() {
  let runs = 0;
  let inside = 0;
  let atOnce = 0;
  const up = async (database: Kysely<Tables>) => {
    runs += 1;
    inside += 1;
    for (let look = 0; look < 200 && atOnce < 2; look += 1) {
      atOnce = Math.max(atOnce, inside);
      await sql`select 1`.execute(database);
      await new Promise((resolve) => setImmediate(resolve));
    }
    inside -= 1;
  };
  return { migration: { name: '0001-watch', up }, seen: () => ({ runs, atOnce }) };
}
