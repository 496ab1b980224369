/** What models have cost, on SQLite and on a real Postgres: nothing is counted twice, lost, or spent past a limit. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SpendingAccount, SpendingLimit } from '../../src/contract/spending.ts';
import type { Storage } from '../../src/contract/storage.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import type { StorageOptions } from '../../src/storage/open-storage.ts';
import { startPostgres } from '../kit/postgres.ts';
import type { TestPostgres } from '../kit/postgres.ts';
import { soak } from '../kit/soak.ts';

const now = new Date('2026-03-04T05:06:07.008Z');
const later = '2026-03-04T05:16:07.008Z';
const account: SpendingAccount = { conversationId: 'c\0', day: '2026-03-04', scopeId: '' };
const usage = { inputTokens: 100, outputTokens: 20, cachedInputTokens: 50, reasoningTokens: 5 };
const tokens = (limit: number, of: SpendingLimit['of'] = 'conversation') => ({ of, unit: 'tokens', limit }) as const;
const ask = (id: string, more: object = {}) => ({ id, account, tokens: 500, usd: 0.25, expiresAt: later, ...more });

let postgres: TestPostgres;
let folder: string;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(async () => {
  await postgres.stop();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'handrail-spending-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const options = (): StorageOptions => ({ sqlitePath: join(folder, 'h.sqlite'), backupFolder: join(folder, 'backups') });
const places: readonly { readonly name: string; readonly locate: () => Promise<StorageOptions> }[] = [
  { name: 'SQLite', locate: async () => options() },
  { name: 'Postgres', locate: async () => ({ ...options(), databaseUrl: await postgres.createSchema() }) },
];

describe.each(places)('on $name, spending', ({ locate }) => {
  let place: StorageOptions;
  let storage: Storage;
  beforeEach(async () => {
    place = await locate();
    storage = await openStorage(place);
  });
  afterEach(async () => {
    await storage.close();
  });

  test('is added up by day, conversation, scope and model, and stays when its conversation is removed', async () => {
    const at = now.toISOString();
    const conversation = { id: account.conversationId, title: '', workspace: '/', isThrowaway: false };
    await storage.conversations.create({ ...conversation, createdAt: at, updatedAt: at });
    await storage.spending.settle(undefined, account, { model: 'a/x', usage, costUsd: 0.001 });
    await storage.spending.settle(undefined, account, { model: 'a/x', usage, costUsd: 0.0000000014 });
    await storage.spending.settle(undefined, account, { model: 'b/y', usage, costUsd: undefined });
    const nextDay = { ...account, day: '2026-03-05', scopeId: 'schedule 1' };
    await storage.spending.settle(undefined, nextDay, { model: 'a/x', usage, costUsd: 7 });
    await storage.conversations.remove(account.conversationId);
    const counted = { inputTokens: 100, outputTokens: 20, cachedInputTokens: 50 };
    expect(await storage.spending.list()).toEqual([
      { ...nextDay, model: 'a/x', requests: 1, unpricedRequests: 0, ...counted, costUsd: 7 },
      {
        ...{ ...account, model: 'a/x', requests: 2, unpricedRequests: 0 },
        ...{ inputTokens: 200, outputTokens: 40, cachedInputTokens: 100, costUsd: 0.001000001 },
      },
      { ...account, model: 'b/y', requests: 1, unpricedRequests: 1, ...counted, costUsd: 0 },
    ]);
    expect(await storage.spending.list({ fromDay: '2026-03-05' })).toHaveLength(1);
  });

  test('is refused when nothing of a limit is left, by whatever is spent or reserved, and names the limits', async () => {
    const limits = [tokens(600), tokens(10_000, 'day'), { of: 'day', unit: 'usd', limit: 0.5 }] as const;
    expect(await storage.spending.reserve(ask('one'), limits, now)).toEqual([]);
    expect(await storage.spending.reserve(ask('two'), limits, now)).toEqual([]);
    expect(await storage.spending.reserve(ask('three'), limits, now)).toEqual([
      { ...tokens(600), spent: 0, reserved: 1000 },
      { of: 'day', unit: 'usd', limit: 0.5, spent: 0, reserved: 0.5 },
    ]);
    await storage.spending.settle('one', account, { model: 'a/x', usage, costUsd: 0.1 });
    await storage.spending.release('two');
    expect(await storage.spending.reserve(ask('three'), [tokens(120)], now)).toEqual([
      { ...tokens(120), spent: 120, reserved: 0 },
    ]);
    expect(await storage.spending.reserve(ask('three'), [tokens(121)], now)).toEqual([]);
  });

  test('counts for a limit only what belongs to it', async () => {
    const elsewhere = { conversationId: 'd', day: '2026-03-03', scopeId: 's' };
    await storage.spending.settle(undefined, elsewhere, { model: 'a/x', usage, costUsd: 1 });
    const all = [tokens(1), tokens(1, 'day'), { of: 'day', unit: 'usd', limit: 0.1 }] as const;
    expect(await storage.spending.reserve(ask('one'), all, now)).toEqual([]);
    await storage.spending.release('one');
    const sameScope = { ...account, scopeId: 's' };
    expect(
      await storage.spending.reserve(ask('two', { account: sameScope }), [tokens(1, 'schedule')], now),
    ).toMatchObject([{ of: 'schedule', spent: 120 }]);
  });

  test('is not held up by reservations that are out of date', async () => {
    const limits = [tokens(500)];
    await storage.spending.reserve(ask('old', { expiresAt: now.toISOString() }), limits, new Date(0));
    expect(await storage.spending.reserve(ask('new'), limits, now)).toEqual([]);
    expect(await storage.spending.reserve(ask('newer'), limits, now)).toHaveLength(1);
  });

  test('is not held up by reservations of a process that was killed', async () => {
    const child = spawnSpender(place, 'await reserve("theirs"); say("reserved"); setInterval(() => {}, 1000);');
    await child.said('reserved');
    expect(await storage.spending.reserve(ask('mine'), [tokens(500)], now)).toMatchObject([{ reserved: 500 }]);
    child.kill();
    await child.ended;
    expect(await storage.spending.reserve(ask('mine'), [tokens(500)], now)).toEqual([]);
  });

  test('by several processes at once passes a limit by one request at most', async () => {
    let round = 0;
    const sizes = fc.record({
      processes: fc.integer({ min: 2, max: 3 }),
      limit: fc.integer({ min: 1, max: 3000 }),
      cost: fc.integer({ min: 1, max: 500 }),
    });
    const property = fc.asyncProperty(sizes, async ({ processes, limit, cost }) => {
      round += 1;
      const script = `
        const spent = { model: 'a/x', usage: { ...usage, inputTokens: ${cost}, outputTokens: 0 }, costUsd: undefined };
        for (let n = 0; n < 40; n += 1) {
          const id = process.pid + '-' + n;
          if ((await reserve(id, { tokens: ${cost} }, ${limit}, 'r${round}')).length > 0) continue;
          await new Promise((resolve) => setImmediate(resolve));
          await storage.spending.settle(id, { ...account, conversationId: 'r${round}' }, spent);
        }
        await storage.close();`;
      const children = Array.from({ length: processes }, () => spawnSpender(place, script));
      expect(await Promise.all(children.map((child) => child.ended))).toEqual(children.map(() => 0));
      const [line] = (await storage.spending.list()).filter((each) => each.conversationId === `r${round}`);
      const spent = line?.inputTokens ?? 0;
      expect(spent).toBeLessThan(limit + cost);
      expect(spent).toBeGreaterThanOrEqual(Math.min(limit, 40 * cost));
    });
    await fc.assert(property, { numRuns: soak(4), endOnFailure: true });
  });
});

test('twin: without their turns, two on Postgres pass a limit together', async () => {
  const url = await postgres.createSchema();
  const { assembleStorage } = await import('../../src/storage/assemble-storage.ts');
  const { openPostgres } = await import('../../src/storage/postgres/open-postgres.ts');
  const open = async () => assembleStorage({ ...(await openPostgres(url)), takeTurns: async () => {} });
  const rivals = [await open(), await open()];
  let together = 0;
  for (let round = 0; round < 50 && together === 0; round += 1) {
    const reserving = rivals.map((rival, at) => rival.spending.reserve(ask(`${round} ${at}`), [tokens(500)], now));
    const reserved = (await Promise.all(reserving)).filter((usedUp) => usedUp.length === 0);
    if (reserved.length > 1) together += 1;
    for (const at of rivals.keys()) await rivals[0]?.spending.release(`${round} ${at}`);
  }
  for (const rival of rivals) await rival.close();
  expect(together).toBe(1);
});

const address = (file: string) => pathToFileURL(join(import.meta.dirname, '../..', file)).href;

function spawnSpender(place: StorageOptions, script: string) {
  const source = `import { openStorage } from ${JSON.stringify(address('src/storage/open-storage.ts'))};
    const storage = await openStorage(${JSON.stringify(place)});
    const account = ${JSON.stringify(account)};
    const usage = ${JSON.stringify(usage)};
    const say = (text) => process.stdout.write(text + '\\n');
    const reserve = (id, more = {}, limit = 500, conversationId = account.conversationId) => storage.spending.reserve(
      { id, account: { ...account, conversationId }, tokens: 500, usd: 0, expiresAt: ${JSON.stringify(later)}, ...more },
      [{ of: 'conversation', unit: 'tokens', limit }], new Date(${now.getTime()}));
    ${script}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return {
    ended,
    kill: () => void child.kill('SIGKILL'),
    async said(text: string) {
      for await (const chunk of child.stdout) if (String(chunk).includes(text)) return;
    },
  };
}
