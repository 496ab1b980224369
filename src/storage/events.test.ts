import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { assembleStorage } from './assemble-storage.ts';
import type { Database } from './database.ts';
import { createEventStore } from './events.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';

const at = '2026-03-04T05:06:07.008Z';
let folder: string;
let database: Database;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'handrail-events-'));
  database = await openSqlite(join(folder, 'h.sqlite'), { backupFolder: folder });
  const { conversations } = await assembleStorage(database);
  await conversations.create({ id: 'c', title: '', workspace: '/', isThrowaway: false, createdAt: at, updatedAt: at });
});

afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const insert = async (seq: number, body: string) =>
  sql`insert into events (conversation_id, seq, turn_id, type, at, body)
    values ('c', ${seq}, 't', 'note', ${at}, ${body})`.execute(database.kysely);

test('twin: the tables alone would take an event that leaves a gap', async () => {
  const events = createEventStore(database, 'owner');
  const note = { type: 'note' as const, text: 'x', at };
  const position = { conversationId: 'c', turnId: 't', afterSeq: 6, durable: false };
  await expect(events.append([note], position)).rejects.toMatchObject({ code: 'conflict' });
  await insert(7, '{"type":"note","text":"x"}');
  expect((await events.read('c')).map((event) => event.seq)).toEqual([7]);
});

test('an event whose text was damaged is named, and ends no program', async () => {
  await insert(1, '{"type":"no');
  const failure = createEventStore(database, 'owner').read('c');
  await expect(failure).rejects.toMatchObject({ name: 'ToolFailure', code: 'failed' });
  await expect(failure).rejects.toThrow(/Event 1 of conversation c in .* is damaged/);
});

test("another owner's events are not read", async () => {
  await insert(1, '{"type":"note","text":"x"}');
  expect(await createEventStore(database, 'somebody').read('c')).toEqual([]);
});
