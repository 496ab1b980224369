import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SetupFailure } from '../../contract/failure.ts';
import type { Storage } from '../../contract/storage.ts';
import { openStorage } from '../open-storage.ts';

const at = '2026-03-04T05:06:07.008Z';
let folder: string;
let path: string;
let told: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'handrail-aside-'));
  path = join(folder, 'h.sqlite');
  told = [];
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const options = () => ({ sqlitePath: path, backupFolder: join(folder, 'backups') });
const open = async () => openStorage({ ...options(), beginAnew: (line) => void told.push(line) });
const aside = () => readdirSync(folder).filter((name) => name.startsWith('h.sqlite.damaged-'));

async function fill(storage: Storage, id: string, events = 1): Promise<void> {
  await storage.conversations.create({
    id,
    title: '',
    workspace: '/',
    isThrowaway: false,
    createdAt: at,
    updatedAt: at,
  });
  for (let seq = 0; seq < events; seq += 1) {
    const event = { type: 'note', text: 'some text '.repeat(50), at } as const;
    await storage.events.append([event], { conversationId: id, turnId: 't', afterSeq: seq, durable: false });
  }
}

async function makeDatabase(events = 100): Promise<void> {
  const storage = await open();
  await fill(storage, 'old', events);
  await storage.close();
}

const overwrite = (change: (bytes: Buffer) => Buffer): void => writeFileSync(path, change(readFileSync(path)));

const damages: readonly (readonly [string, () => void])[] = [
  ['text', () => writeFileSync(path, 'a letter to my aunt\n'.repeat(500))],
  ['without its first bytes', () => overwrite((bytes) => Buffer.concat([Buffer.alloc(16), bytes.subarray(16)]))],
  ['cut in the middle', () => truncateSync(path, Math.floor(statSync(path).size / 2))],
  ['cut to half a page', () => truncateSync(path, 2_000)],
  [
    'empty, with a log beside it',
    () => {
      truncateSync(path, 0);
      writeFileSync(`${path}-wal`, Buffer.alloc(5_000, 1));
    },
  ],
  ['noise from its second page on', () => overwrite((bytes) => bytes.fill(0xa5, 50))],
  [
    'of another program',
    () => {
      const database = new DatabaseSync(path);
      database.exec('pragma application_id = 252006675');
      database.close();
    },
  ],
  [
    'a folder',
    () => {
      rmSync(path);
      mkdirSync(join(path, 'inside'), { recursive: true });
    },
  ],
];

describe('a database that is', () => {
  test.each(damages)('%s is set aside whole, and a new one begins', async (_, damage) => {
    await makeDatabase();
    damage();
    const before = statSync(path).isFile() ? readFileSync(path) : undefined;
    const storage = await open();
    expect(await storage.conversations.list()).toEqual([]);
    await fill(storage, 'new');
    const [name = '', ...more] = aside().filter((each) => !each.endsWith('-wal') && !each.endsWith('-shm'));
    expect(more).toEqual([]);
    expect(name).toMatch(/^h\.sqlite\.damaged-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/);
    if (before !== undefined) expect(readFileSync(join(folder, name)).equals(before)).toBe(true);
    expect(told).toEqual([
      expect.stringMatching(
        /h\.sqlite could not be read \(.+\)\. It lies in .*damaged-.* now, as it was.*handrail doctor/,
      ),
    ]);
    expect(storage.upkeep()?.setAside).toEqual([join(folder, name)]);
    await storage.close();
    const again = await open();
    expect(told).toHaveLength(1);
    expect(await again.conversations.list()).toHaveLength(1);
    await again.close();
  });

  test.each(damages)(
    '%s is refused and left where it is, where nobody lets it be set aside (twin)',
    async (_, damage) => {
      await makeDatabase();
      damage();
      await expect(openStorage(options())).rejects.toThrow(SetupFailure);
      expect(aside()).toEqual([]);
    },
  );

  test('damaged deep inside is set aside by the opening after the work that found it', async () => {
    await makeDatabase(200);
    overwrite((bytes) => bytes.fill(0xa5, 4096 * 12));
    const first = await open();
    expect(told).toEqual([]);
    await expect(first.events.read('old')).rejects.toThrow(/damaged/);
    await first.close();
    const second = await open();
    expect(aside()).not.toEqual([]);
    expect(told).toHaveLength(1);
    await second.close();
    await (await open()).close();
    expect(told).toHaveLength(1);
  });

  test('whole although something made us doubt it stays', async () => {
    await makeDatabase();
    writeFileSync(`${path}.check`, '');
    const storage = await open();
    expect(await storage.events.read('old')).toHaveLength(100);
    expect(aside()).toEqual([]);
    expect(readdirSync(folder)).not.toContain('h.sqlite.check');
    await storage.close();
  });

  test('damaged is set aside once, also when five find it at once', async () => {
    await makeDatabase();
    writeFileSync(path, 'no database at all '.repeat(100));
    const opened = await Promise.all(Array.from({ length: 5 }, async () => open()));
    expect(aside()).toHaveLength(1);
    expect(told).toHaveLength(1);
    for (const [index, storage] of opened.entries()) await fill(storage, `c${index}`);
    expect(await opened[0]?.conversations.list()).toHaveLength(5);
    for (const storage of opened) await storage.close();
  });

  test('locked or newer than the program is not set aside', async () => {
    await makeDatabase();
    const rival = new DatabaseSync(path);
    rival.exec(`insert into schema_versions (version, name, applied_at) values (1000, 'later', '${at}')`);
    await expect(open()).rejects.toThrow(/written by a newer Handrail.*update Handrail/);
    rival.exec('pragma locking_mode = exclusive; begin exclusive');
    await expect(open()).rejects.toThrow(/locked by another program/);
    rival.close();
    expect(aside()).toEqual([]);
    expect(told).toEqual([]);
  });
});
