/** The ledger on SQLite and on a real Postgres: as many lines as the journal has calls, whatever happens. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { EventBody } from '../../src/contract/event.ts';
import type { CallOutcome } from '../../src/contract/output.ts';
import type { Storage } from '../../src/contract/storage.ts';
import { assembleStorage } from '../../src/storage/assemble-storage.ts';
import type { Database } from '../../src/storage/database.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { migrationsInOrder } from '../../src/storage/migrations/in-order.ts';
import { openPostgres } from '../../src/storage/postgres/open-postgres.ts';
import { openSqlite } from '../../src/storage/sqlite/open-sqlite.ts';
import { startPostgres, type TestPostgres } from '../kit/postgres.ts';
import { soak } from '../kit/soak.ts';

const at = '2026-03-04T05:06:07.008Z';
let postgres: TestPostgres;
let folder: string;

beforeAll(async () => {
  postgres = await startPostgres();
});

afterAll(async () => {
  await postgres.stop();
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'handrail-ledger-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const places: readonly { readonly name: string; readonly open: () => Promise<Database> }[] = [
  {
    name: 'SQLite',
    open: async () =>
      openSqlite(join(folder, `${crypto.randomUUID()}.sqlite`), { backupFolder: join(folder, 'backups') }),
  },
  { name: 'Postgres', open: async () => openPostgres(await postgres.createSchema()) },
];

describe.each(places)('on $name', ({ open }) => {
  let storage: Storage;
  const opened: { close(): Promise<void> }[] = [];

  beforeEach(async () => {
    storage = await assembleStorage(await open());
    opened.push(storage);
    await addConversation(storage, 'c');
  });

  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
  });

  test('a line says who, what, why, how long, how much and what came of it', async () => {
    await append(storage, [start('k1'), end('k1', { text: 'ü!' })]);
    expect(await storage.ledger.list()).toEqual([
      {
        callId: 'k1',
        conversationId: 'c',
        turnId: 'turn',
        seq: 1,
        origin: 'user',
        tool: 'a_tool',
        effect: 'once',
        summary: 'do it',
        input: '{"a":1}',
        startedAt: at,
        end: { at, durationMs: 12, verdict: 'allow', reason: 'a test', ok: true, resultBytes: 3, resultHead: 'ü!' },
      },
    ]);
  });

  test('a call that runs has no end; one that never began has one', async () => {
    await append(storage, [start('runs'), end('never', { ok: false, error: { code: 'cancelled', message: 'x' } })]);
    const [never, runs] = [...(await storage.ledger.list())].toSorted((one, two) => (one.callId < two.callId ? -1 : 1));
    expect(runs?.end).toBeUndefined();
    expect(never).toMatchObject({ tool: 'a_tool', end: { ok: false, errorCode: 'cancelled' } });
  });

  test('a call that is run again after a crash has one line, of its last run', async () => {
    await append(storage, [start('k'), end('k', { ok: false }), start('k')]);
    expect((await storage.ledger.list()).map((entry) => entry.end)).toEqual([undefined]);
    await append(storage, [end('k', {})]);
    expect((await storage.ledger.list()).map((entry) => entry.end?.ok)).toEqual([true]);
  });

  test('long arguments and results are cut, of a kept result the whole is counted, and odd texts come back', async () => {
    const odd = 'a\0b\\ \ud83d ü';
    const artifact = { id: 'i', path: '/p', bytes: 123_456_789_012 };
    await append(storage, [
      { ...start('k'), input: 'x'.repeat(9_000), summary: odd },
      end('k', { text: 'y'.repeat(9_000), artifact }),
    ]);
    const [entry] = await storage.ledger.list();
    expect(entry).toMatchObject({ summary: odd, end: { resultBytes: 123_456_789_012 } });
    expect([entry?.input.length, entry?.end?.resultHead.length]).toEqual([2_000, 1_000]);
  });

  test('what the request has cost is shared by the calls that it asked for', async () => {
    const parts = ['m1', 'm2'].map((callId) => ({ type: 'call', callId, tool: 'a_tool', input: '{}' }) as const);
    const message = { role: 'assistant', parts } as const;
    const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0 };
    const asked: EventBody = {
      type: 'model-end',
      model: 'm',
      message,
      usage,
      finish: 'calls',
      durationMs: 1,
      costUsd: 0.5,
    };
    await append(storage, [
      asked,
      ...['m1', 'm2'].map((id) => ({ ...start(id), origin: 'model' }) as const),
      start('mine'),
    ]);
    const costs = new Map((await storage.ledger.list()).map((entry) => [entry.callId, entry.costUsd]));
    expect(Object.fromEntries(costs)).toEqual({ m1: 0.25, m2: 0.25, mine: undefined });
  });

  test('are filtered, newest first, and found by the end of their id', async () => {
    await addConversation(storage, 'd');
    const denied = { ok: false, error: { code: 'denied', message: 'no' } };
    const failed = { ok: false, error: { code: 'timeout', message: 'no' } };
    await append(storage, [start('one-aa'), end('one-aa', {}), start('two-ab'), end('two-ab', denied)]);
    await append(
      storage,
      [{ ...start('three-ac'), tool: 'b_tool', origin: 'mcp' }, end('three-ac', failed)],
      'd',
      '2026-03-05T00:00:00.000Z',
    );
    const ids = async (filter: Parameters<Storage['ledger']['list']>[0]) =>
      (await storage.ledger.list(filter)).map((entry) => entry.callId);
    expect(await ids({})).toEqual(['three-ac', 'two-ab', 'one-aa']);
    expect(await ids({ limit: 1 })).toEqual(['three-ac']);
    expect(await ids({ conversationId: 'c' })).toEqual(['two-ab', 'one-aa']);
    expect(await ids({ tool: 'b_tool' })).toEqual(['three-ac']);
    expect(await ids({ origin: 'mcp' })).toEqual(['three-ac']);
    expect(await ids({ since: '2026-03-04T12:00:00.000Z' })).toEqual(['three-ac']);
    expect(await ids({ failed: true })).toEqual(['three-ac', 'two-ab']);
    expect(await ids({ denied: true })).toEqual(['two-ab']);
    expect(await ids({ until: '2026-03-04T12:00:00.000Z' })).toEqual(['two-ab', 'one-aa']);
    expect(await ids({ offset: 1, limit: 1 })).toEqual(['two-ab']);
    expect(await ids({ callId: 'two-ab' })).toEqual(['two-ab']);
    expect(await ids({ callId: 'ab' })).toEqual([]);
    expect(await ids({ state: 'done' })).toEqual(['one-aa']);
    expect(await ids({ state: 'failed' })).toEqual(['three-ac']);
    expect(await ids({ state: 'denied' })).toEqual(['two-ab']);
    expect(await ids({ state: 'running' })).toEqual([]);
    expect(await ids({ text: 'DO IT', conversationId: 'c' })).toEqual(['two-ab', 'one-aa']);
    expect(await ids({ text: '-AC' })).toEqual(['three-ac']);
    // No sign of the pattern's own.
    expect(await ids({ text: '%' })).toEqual([]);
    expect(await ids({ text: '_' })).toEqual(['three-ac', 'two-ab', 'one-aa']);
    expect(await storage.ledger.count()).toEqual({ calls: 3, failed: 1, denied: 1 });
    expect(await storage.ledger.count({ conversationId: 'd', limit: 0 })).toEqual({ calls: 1, failed: 1, denied: 0 });
    expect(await storage.ledger.count({ text: 'nowhere' })).toEqual({ calls: 0, failed: 0, denied: 0 });
    expect((await storage.ledger.find('ab')).map((entry) => entry.callId)).toEqual(['two-ab']);
    expect((await storage.ledger.find('one-aa')).map((entry) => entry.callId)).toEqual(['one-aa']);
    expect(await storage.ledger.find('%')).toEqual([]);
  });

  test('go with their conversation', async () => {
    await append(storage, [start('k'), end('k', {})]);
    await storage.conversations.remove('c');
    expect(await storage.ledger.list()).toEqual([]);
  });

  test('an append that is refused leaves no line', async () => {
    const late = storage.events.append([{ ...start('k'), at }], {
      conversationId: 'c',
      turnId: 't',
      afterSeq: 7,
      durable: false,
    });
    await expect(late).rejects.toMatchObject({ code: 'conflict' });
    expect(await storage.ledger.list()).toEqual([]);
  });

  test('the journal and the ledger name the same calls, whatever is written, also by two at once', async () => {
    const body = fc.tuple(fc.constantFrom('start', 'end', 'note'), fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(2));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(body, { maxLength: 4 }), { maxLength: 12 }), async (batches) => {
        const id = crypto.randomUUID();
        await addConversation(storage, id);
        await Promise.all(
          batches.map(async (batch, writer) => {
            const bodies = batch.map(([kind, name, n]): EventBody => {
              const callId = `${name}${n}${writer % 2}`;
              return kind === 'start' ? start(callId) : kind === 'end' ? end(callId, {}) : { type: 'note', text: name };
            });
            // Whoever loses the race writes nothing.
            await append(storage, bodies, id).catch(() => undefined);
          }),
        );
        await expectSameCalls(storage, id);
      }),
      { numRuns: soak(25) },
    );
  });

  test('a journal from before the ledger gets its lines', async () => {
    const database = await open();
    opened.push(database);
    const position = migrationsInOrder.findIndex((migration) => migration.name === '0004-ledger');
    await migrate(database, migrationsInOrder.slice(0, position));
    const conversation = {
      id: 'old',
      owner_id: 'owner',
      title: '',
      workspace: '/',
      is_throwaway: 1,
      created_at: at,
      updated_at: at,
    };
    await database.kysely.insertInto('conversations').values(conversation).execute();
    const bodies = Array.from({ length: 700 }, (_, n) => [
      start(`k${n}`),
      end(`k${n}`, { ok: n % 7 !== 0, text: 'a\0b' }),
    ]).flat();
    const rows = [...bodies, start('runs'), end('never', {}), { type: 'note', text: 'x' } as const].map((each, n) => ({
      ...{ conversation_id: 'old', seq: n + 1, owner_id: 'owner', turn_id: 't', type: each.type, at },
      body: JSON.stringify(each),
    }));
    const broken = {
      ...rows[0],
      conversation_id: 'old',
      seq: 5_000,
      owner_id: 'owner',
      turn_id: 't',
      type: 'tool-end',
      at,
      body: '{"half',
    };
    for (const row of [...rows, broken]) await database.kysely.insertInto('events').values(row).execute();
    const upgraded = await assembleStorage(database);
    const entries = await upgraded.ledger.list({ limit: 1_000 });
    expect(entries).toHaveLength(702);
    expect(entries.find((entry) => entry.callId === 'runs')?.end).toBeUndefined();
    expect(entries.find((entry) => entry.callId === 'k7')).toMatchObject({
      origin: 'user',
      input: '{"a":1}',
      end: { ok: false, resultBytes: 3, resultHead: 'a\0b' },
    });
  });
});

async function expectSameCalls(storage: Storage, id: string): Promise<void> {
  const events = await storage.events.read(id);
  const inJournal = new Set(
    events.flatMap((event) => (event.type === 'tool-start' || event.type === 'tool-end' ? [event.callId] : [])),
  );
  const entries = await storage.ledger.list({ conversationId: id, limit: 1_000 });
  expect(new Set(entries.map((entry) => entry.callId))).toEqual(inJournal);
  expect(entries).toHaveLength(inJournal.size);
}

async function addConversation(storage: Storage, id: string): Promise<void> {
  await storage.conversations.create({
    id,
    title: '',
    workspace: '/',
    isThrowaway: false,
    createdAt: at,
    updatedAt: at,
  });
}

async function append(storage: Storage, bodies: readonly EventBody[], conversationId = 'c', when = at): Promise<void> {
  const afterSeq = await storage.events.lastSeq(conversationId);
  const position = { conversationId, turnId: 'turn', afterSeq, durable: false };
  await storage.events.append(
    bodies.map((body) => ({ ...body, at: when })),
    position,
  );
}

function start(callId: string): Extract<EventBody, { type: 'tool-start' }> {
  return {
    type: 'tool-start',
    callId,
    tool: 'a_tool',
    title: 'A tool',
    summary: 'do it',
    input: '{"a":1}',
    effect: 'once',
    origin: 'user',
  };
}

function end(callId: string, outcome: Partial<CallOutcome>): EventBody {
  const decision = { verdict: 'allow', reason: 'a test' } as const;
  return {
    type: 'tool-end',
    callId,
    tool: 'a_tool',
    outcome: { ok: true, text: '', ...outcome },
    decision,
    durationMs: 12,
  };
}
