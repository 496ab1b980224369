import { inspect } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPostgres } from '../../../test/kit/postgres.ts';
import type { TestPostgres } from '../../../test/kit/postgres.ts';
import { SetupFailure } from '../../contract/failure.ts';
import { openStorage } from '../open-storage.ts';
import { openPostgres } from './open-postgres.ts';

const at = '2026-03-04T05:06:07.008Z';
let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
});

afterAll(async () => {
  await postgres.stop();
});

const open = async (databaseUrl: string) =>
  openStorage({ databaseUrl, sqlitePath: '/nowhere/h.sqlite', backupFolder: '/nowhere' });

async function failureOf(databaseUrl: string): Promise<SetupFailure> {
  const failure = await open(databaseUrl).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(SetupFailure);
  const { message } = failure as SetupFailure;
  expect(message).not.toContain('\n');
  return failure as SetupFailure;
}

describe('a database that cannot be opened', () => {
  test('because of a wrong password is said without user or password', async () => {
    const url = await postgres.createDatabase();
    const failure = await failureOf(postgres.withWrongPassword(url));
    expect(failure.message).toMatch(/refused the user name or password: correct them in HANDRAIL_DATABASE_URL/);
    expect(failure.message).not.toContain('not-the-password');
  });

  test('twin: with the right password it opens, and its place names neither', async () => {
    const url = await postgres.createDatabase();
    const storage = await open(url);
    const { username, password } = new URL(url);
    expect(storage.place).toMatch(/^test_[0-9a-f]{32} at \/.* port 5432$/);
    expect(storage.place).not.toContain(username);
    expect(storage.place).not.toContain(password);
    await storage.close();
  });

  test('because no password was given', async () => {
    const url = new URL(await postgres.createDatabase());
    url.password = '';
    expect((await failureOf(url.href)).message).toMatch(/refused the user name or password/);
  });

  test('because nothing listens there', async () => {
    const failure = await failureOf('postgres://somebody:hunter2@127.0.0.1:1/things');
    expect(failure.message).toBe(
      'The database things at 127.0.0.1:1 cannot be reached (ECONNREFUSED): check HANDRAIL_DATABASE_URL, and that Postgres runs there.',
    );
    expect(inspect(failure, { depth: 9 })).not.toContain('hunter2');
  });

  test('because it does not exist', async () => {
    const url = (await postgres.createDatabase()).replace(/test_[0-9a-f]+/, 'nothing_here');
    expect((await failureOf(url)).message).toMatch(/There is no such database: nothing_here/);
  });

  test.each(['mysql://u:hunter2@h/d', 'hunter2', '/var/hunter2.sqlite'])(
    'because %s is of another kind',
    async (url) => {
      const failure = await failureOf(url);
      expect(failure.message).toMatch(/must begin with postgres:/);
      expect(inspect(failure, { depth: 9 })).not.toContain('hunter2');
    },
  );

  test('because its address cannot be read, which is not repeated', async () => {
    const failure = await failureOf('postgres://u:hunter2@host:notaport/d');
    expect(failure.message).toMatch(/percent-encode/);
    expect(inspect(failure, { depth: 9 })).not.toContain('hunter2');
  });

  test('because its user may make no tables there', async () => {
    const url = new URL(await postgres.createDatabase());
    await postgres.query(
      url.href,
      "create role guest login password 'guest'; revoke create on schema public from public",
    );
    const guest = new URL(url);
    guest.username = 'guest';
    guest.password = 'guest';
    expect((await failureOf(guest.href)).message).toMatch(/The database user may not do that/);
  });

  test("because another program's table has our name", async () => {
    const url = await postgres.createDatabase();
    await postgres.query(url, 'create table events (id int); create table recipes (id int)');
    expect((await failureOf(url)).message).toMatch(/holds tables of another program \(events\)/);
    expect(
      await postgres.query(
        url,
        `select count(*)::int as n from information_schema.tables where table_schema = 'public'`,
      ),
    ).toEqual([{ n: 2 }]);
  });
});

test("another program's tables of other names are no hindrance", async () => {
  const url = await postgres.createDatabase();
  await postgres.query(url, 'create table recipes (id int)');
  const storage = await open(url);
  expect(await storage.conversations.list()).toEqual([]);
  await storage.close();
});

test('a server that dies fails the append in one line, and is used again when it is back', async () => {
  const own = await startPostgres();
  try {
    const storage = await open(await own.createDatabase());
    await storage.conversations.create({
      id: 'c',
      title: '',
      workspace: '/',
      isThrowaway: false,
      createdAt: at,
      updatedAt: at,
    });
    const append = async (afterSeq: number) =>
      storage.events.append([{ type: 'note', text: 'x', at }], {
        conversationId: 'c',
        turnId: 't',
        afterSeq,
        durable: true,
      });
    await append(0);
    await own.crash();
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const failure = await append(1).catch((error: unknown) => error);
      expect(failure).toMatchObject({
        name: 'ToolFailure',
        code: 'failed',
        message: expect.stringMatching(/^The database test_\w+ .*(reached|answer|moment)/),
      });
    }
    await own.restart();
    await append(1);
    expect(await storage.events.read('c')).toHaveLength(2);
    await storage.close();
  } finally {
    await own.stop();
  }
});

test('a server that dies in the middle of a transaction fails it, and not the program', async () => {
  const own = await startPostgres();
  try {
    const database = await openPostgres(await own.createDatabase());
    const dying = database.transact({ durable: true }, async (connection) => {
      await own.crash();
      await sql`select 1`.execute(connection);
    });
    const failure = await dying.catch((error: unknown) => error);
    expect(database.explain(failure)).toMatchObject({
      kind: 'failed',
      line: expect.stringMatching(/answer|reached|moment/),
    });
    await database.close();
  } finally {
    await own.stop();
  }
});

test('commits wait for the disk when they are durable, and only then, also where the server would not', async () => {
  const url = await postgres.createDatabase();
  const name = new URL(url).pathname.slice(1);
  await postgres.query(url, `alter database ${name} set synchronous_commit to off`);
  const database = await openPostgres(url);
  const { kysely } = database;
  await sql`create table seen (level text)`.execute(kysely);
  const look = sql`insert into seen select current_setting('synchronous_commit')`;
  const levels = async (durable: boolean, count: number) => {
    await sql`delete from seen`.execute(kysely);
    await database.write(
      Array.from({ length: count }, () => ({ query: look.compile(kysely) })),
      { durable },
    );
    return (await sql<{ level: string }>`select level from seen`.execute(kysely)).rows.map((row) => row.level);
  };
  expect([await levels(false, 1), await levels(false, 2)]).toEqual([['off'], ['off', 'off']]);
  expect([await levels(true, 1), await levels(true, 2)]).toEqual([['on'], ['on', 'on']]);
  const query = sql<{ level: string }>`select current_setting('synchronous_commit') as level`;
  for (const [durable, level] of [
    [false, 'off'],
    [true, 'on'],
  ] as const) {
    const { rows } = await database.transact({ durable }, async (transaction) => query.execute(transaction));
    expect(rows).toEqual([{ level }]);
  }
  await database.close();
});

test('whole numbers of eight bytes come back as numbers, here and nowhere else', async () => {
  const url = await postgres.createDatabase();
  const database = await openPostgres(url);
  const { rows } = await sql<{ n: unknown }>`select count(*) as n from pg_database`.execute(database.kysely);
  expect(typeof rows[0]?.n).toBe('number');
  expect(typeof (await postgres.query(url, 'select count(*) as n from pg_database'))[0]?.['n']).toBe('string');
  await database.close();
});
