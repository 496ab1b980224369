import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SetupFailure, ToolFailure } from '../../contract/failure.ts';
import type { Storage } from '../../contract/storage.ts';
import { assembleStorage } from '../assemble-storage.ts';
import { openStorage } from '../open-storage.ts';
import { openSqlite } from './open-sqlite.ts';

const at = '2026-03-04T05:06:07.008Z';
let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'handrail-sqlite-'));
  path = join(folder, 'data', 'h.sqlite');
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const open = async () => openStorage({ sqlitePath: path, backupFolder: join(folder, 'backups') });
const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

async function addConversation(storage: Storage, id = 'c') {
  await storage.conversations.create({
    id,
    title: '',
    workspace: '/',
    isThrowaway: false,
    createdAt: at,
    updatedAt: at,
  });
}

const append = async (storage: Storage, afterSeq: number, text: string) =>
  storage.events.append([{ type: 'note', text, at }], { conversationId: 'c', turnId: 't', afterSeq, durable: false });

/** A closed database of some size, with one conversation and 200 events. */
async function makeDatabase() {
  const storage = await open();
  await addConversation(storage);
  for (let seq = 0; seq < 200; seq += 1) await append(storage, seq, 'some text '.repeat(50));
  await storage.close();
}

describe('who can read it', () => {
  test('folder, database and its log are for us alone, whatever the umask', async () => {
    const before = process.umask(0);
    try {
      const storage = await open();
      await addConversation(storage);
      const files = readdirSync(join(folder, 'data')).sort();
      expect(files).toEqual(['h.sqlite', 'h.sqlite-shm', 'h.sqlite-wal']);
      expect(files.map((name) => modeOf(join(folder, 'data', name)))).toEqual(['600', '600', '600']);
      expect(modeOf(join(folder, 'data'))).toBe('700');
      await storage.close();
    } finally {
      process.umask(before);
    }
  });

  test('twin: SQLite by itself lets everybody read it', () => {
    const before = process.umask(0o022);
    try {
      new DatabaseSync(join(folder, 'other.sqlite')).exec('create table t (x); ');
      expect(modeOf(join(folder, 'other.sqlite'))).toBe('644');
    } finally {
      process.umask(before);
    }
  });

  test('a database that others could read is closed to them', async () => {
    await makeDatabase();
    chmodSync(path, 0o644);
    await (await open()).close();
    expect(modeOf(path)).toBe('600');
  });
});

describe('a file that cannot be used', () => {
  const header = 100;
  const damages: readonly (readonly [string, (bytes: Buffer) => Buffer])[] = [
    ['is text', () => Buffer.from('this is not a database, it is a letter to my aunt\n'.repeat(100))],
    ['has lost its first bytes', (bytes) => Buffer.concat([Buffer.alloc(16), bytes.subarray(16)])],
    ['was cut in the middle', (bytes) => bytes.subarray(0, Math.floor(bytes.length / 2))],
    [
      'has noise in its list of tables',
      (bytes) => Buffer.concat([bytes.subarray(0, header), Buffer.alloc(4096 - header, 0xa5), bytes.subarray(4096)]),
    ],
    ['is a picture', () => Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(5000, 7)])],
  ];

  test.each(damages)('that %s is named and left as it is', async (_, damage) => {
    await makeDatabase();
    const bytes = damage(readFileSync(path));
    writeFileSync(path, bytes);
    const failure = await open().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SetupFailure);
    expect(failure).toMatchObject({
      message: expect.stringMatching(/h\.sqlite is damaged or is no database.*left as it is.*move it away/),
    });
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  test('twin: the same file undamaged opens', async () => {
    await makeDatabase();
    const storage = await open();
    expect(await storage.events.read('c')).toHaveLength(200);
    await storage.close();
  });

  test('that is damaged deep inside fails the reading, in one line, not the program', async () => {
    await makeDatabase();
    const bytes = readFileSync(path);
    bytes.fill(0xa5, 4096 * 6);
    writeFileSync(path, bytes);
    const storage = await open();
    const failure = await storage.events.read('c').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ToolFailure);
    expect(failure).toMatchObject({ code: 'failed', message: expect.stringContaining('damaged') });
    await storage.close();
  });

  test('that is a folder, or lies below a file, is refused with what to do', async () => {
    mkdirSync(path, { recursive: true });
    await expect(open()).rejects.toThrow(/is no file: move it away/);
    rmSync(join(folder, 'data'), { recursive: true });
    writeFileSync(join(folder, 'data'), '');
    await expect(open()).rejects.toThrow(SetupFailure);
    await expect(open()).rejects.toThrow(/a part of its path is a file/);
  });

  test('that is a link to itself is refused', async () => {
    mkdirSync(join(folder, 'data'));
    symlinkSync(path, path);
    await expect(open()).rejects.toThrow(SetupFailure);
  });

  test("that is another program's database is refused and not changed", async () => {
    mkdirSync(join(folder, 'data'));
    const foreign = new DatabaseSync(path);
    foreign.exec('create table recipes (name text)');
    foreign.close();
    await expect(open()).rejects.toThrow(/tables of another program \(recipes\)/);
    const after = new DatabaseSync(path, { readOnly: true });
    expect(after.prepare('select name from sqlite_master').all()).toEqual([{ name: 'recipes' }]);
    after.close();
  });

  test('an empty file is a new database', async () => {
    await makeDatabase();
    truncateSync(path, 0);
    const storage = await open();
    expect(await storage.conversations.list()).toEqual([]);
    await storage.close();
  });
});

describe('a database that another program keeps locked', () => {
  test('fails an opening and an append after the patience, and is used again when it is free', async () => {
    const database = await openSqlite(path, { backupFolder: folder, patienceMs: 50 });
    const storage = await assembleStorage(database);
    await addConversation(storage);
    const rival = new DatabaseSync(path);
    rival.exec('begin immediate');
    const failure = await append(storage, 0, 'x').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ToolFailure);
    expect(failure).toMatchObject({ code: 'failed', message: expect.stringMatching(/locked by another program/) });
    rival.exec('rollback');
    expect(await append(storage, 0, 'x')).toHaveLength(1);
    await storage.close();
    rival.exec('pragma locking_mode = exclusive; begin exclusive');
    const opening = openSqlite(path, { backupFolder: folder, patienceMs: 50 });
    await expect(opening).rejects.toThrow(/locked by another program/);
    await expect(opening).rejects.toThrow(SetupFailure);
    rival.close();
  });

  test('is waited for without holding up the program', async () => {
    const storage = await open();
    await addConversation(storage);
    const rival = new DatabaseSync(path);
    rival.exec('begin immediate');
    const waiting = append(storage, 0, 'x');
    // The rival is of this very process: were the program held up, it could never give way.
    setImmediate(() => rival.exec('rollback'));
    expect(await waiting).toHaveLength(1);
    rival.close();
    await storage.close();
  });
});

describe('a full disk', () => {
  test('fails the append in one line, keeps what was there, and goes on when there is space', async () => {
    let small: DatabaseSync | undefined;
    const database = await openSqlite(path, { backupFolder: folder, onOpen: (sqlite) => (small = sqlite) });
    const storage = await assembleStorage(database);
    await addConversation(storage);
    small?.exec('pragma max_page_count = 30');
    const big = 'x'.repeat(500_000);
    for (const bodies of [[big], [big, big]]) {
      const events = bodies.map((text) => ({ type: 'note' as const, text, at }));
      const failure = await storage.events
        .append(events, { conversationId: 'c', turnId: 't', afterSeq: 0, durable: true })
        .catch((error: unknown) => error);
      expect(failure).toMatchObject({
        name: 'ToolFailure',
        code: 'failed',
        message: expect.stringContaining('The disk is full'),
      });
    }
    expect(await append(storage, 0, 'small')).toHaveLength(1);
    small?.exec('pragma max_page_count = 100000');
    expect(await append(storage, 1, big)).toHaveLength(1);
    await storage.close();
  });

  test('of its own file system is a setup failure at the start', () => {
    const { message } = openInside(['--size', '16384', '--tmpfs', folder]);
    expect(message).toMatch(/^SetupFailure The (disk|database).*(full|Free some space|free some space)/);
  });
});

describe('a folder that is read-only', () => {
  test('is a setup failure that says so, for a new database and for an old one', async () => {
    expect(openInside(['--ro-bind', folder, folder]).message).toMatch(
      /^SetupFailure The database .* cannot be written.*HANDRAIL_HOME/,
    );
    await makeDatabase();
    expect(openInside(['--ro-bind', folder, folder]).message).toMatch(
      /^SetupFailure The database .* cannot be written.*HANDRAIL_HOME/,
    );
  });

  test('twin: the same folder writable opens', () => {
    expect(openInside(['--bind', folder, folder]).message).toBe('opened');
  });
});

describe('writing', () => {
  test('is synced to the disk when it is durable, and only then', async () => {
    const database = await openSqlite(path, { backupFolder: folder });
    const { kysely } = database;
    await sql`create table seen (level integer)`.execute(kysely);
    const query = sql`insert into seen select synchronous from pragma_synchronous`.compile(kysely);
    const levels = async (durable: boolean, count: number) => {
      await sql`delete from seen`.execute(kysely);
      await database.write(
        Array.from({ length: count }, () => ({ query })),
        { durable },
      );
      return (await sql<{ level: number }>`select level from seen`.execute(kysely)).rows.map((row) => row.level);
    };
    // 1 is NORMAL, 2 is FULL.
    expect([await levels(false, 1), await levels(true, 1), await levels(true, 2)]).toEqual([[1], [2], [2, 2]]);
    expect(await levels(false, 2)).toEqual([1, 1]);
    const touchesNothing = sql`update seen set level = 9 where level = 7`.compile(kysely);
    const failing = database.write([{ query }, { query: touchesNothing, orElse: () => new Error('no') }], {
      durable: true,
    });
    await expect(failing).rejects.toThrow('no');
    for (const [durable, synchronous] of [
      [true, 2],
      [false, 1],
    ] as const) {
      const look = async (transaction: typeof kysely) => sql`pragma synchronous`.execute(transaction);
      expect((await database.transact({ durable }, look)).rows).toEqual([{ synchronous }]);
    }
    const leaving = database.transact({ durable: true }, async () => Promise.reject(new Error('not so')));
    await expect(leaving).rejects.toThrow('not so');
    expect(await levels(false, 1)).toEqual([1]);
    await database.close();
  });

  test('is all or nothing, and waits while somebody else of the program is in a transaction', async () => {
    const database = await openSqlite(path, { backupFolder: folder });
    const { kysely } = database;
    await sql`create table said (word text)`.execute(kysely);
    const say = (word: string) => ({ query: sql`insert into said values (${word})`.compile(kysely) });
    const words = async () =>
      (await sql<{ word: string }>`select word from said`.execute(kysely)).rows.map((row) => row.word);
    const none = { query: sql`delete from said where word = 'none'`.compile(kysely), orElse: () => new Error('no') };
    await expect(database.write([say('half'), none], { durable: false })).rejects.toThrow('no');
    expect(await words()).toEqual([]);
    const rolledBack = database.transact({ durable: true }, async (transaction) => {
      await transaction.executeQuery(say('taken back').query);
      void database.write([say('kept')], { durable: false });
      await new Promise(setImmediate);
      throw new Error('not so');
    });
    await expect(rolledBack).rejects.toThrow('not so');
    await database.write([say('last')], { durable: false });
    expect(await words()).toEqual(['kept', 'last']);
    await database.close();
  });
});

/** Opens the storage in a process that sees the file system as bubblewrap makes it: root, too, cannot write there. */
function openInside(mounts: readonly string[]): { readonly message: string } {
  const script = `import { openStorage } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, '../open-storage.ts')).href)};
    try {
      await (await openStorage({ sqlitePath: ${JSON.stringify(path)}, backupFolder: '/nowhere' })).close();
      console.log('opened');
    } catch (error) {
      console.log(error.name, error.message);
    }`;
  const node = [process.execPath, '--input-type=module', '-e', script];
  const result = spawnSync('bwrap', ['--dev-bind', '/', '/', ...mounts, ...node], { encoding: 'utf8' });
  if (result.error !== undefined) throw new Error('bubblewrap is missing. Install it: apt-get install bubblewrap');
  return { message: (result.stdout + result.stderr).trim() };
}
