/** One suite for every store, run on SQLite and on a real Postgres: what holds on one must hold on the other. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ToolFailure } from '../../src/contract/failure.ts';
import type { Conversation, Storage } from '../../src/contract/storage.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import type { StorageOptions } from '../../src/storage/open-storage.ts';
import { startPostgres } from '../kit/postgres.ts';
import type { TestPostgres } from '../kit/postgres.ts';
import { soak } from '../kit/soak.ts';
import { aConversation, aGrant, append, note, storedAt, toolEnd } from '../kit/stored-samples.ts';

const at = storedAt;
const halfPair = '\ud83d';
const oddTexts = [
  'a\0b',
  `${halfPair}!`,
  `!${halfPair.replace('\ud83d', '\ude00')}`,
  'C:\\new\\u0000',
  '\\',
  '😀 ü ﷽',
  "'; drop table events; --",
  '\ufeff',
  '',
];

let postgres: TestPostgres;
let folder: string;

beforeAll(async () => {
  postgres = await startPostgres();
});

afterAll(async () => {
  await postgres.stop();
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'handrail-store-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const places: readonly { readonly name: string; readonly locate: () => Promise<StorageOptions> }[] = [
  { name: 'SQLite', locate: async () => options() },
  { name: 'Postgres', locate: async () => ({ ...options(), databaseUrl: await postgres.createSchema() }) },
];

const options = (): StorageOptions => ({ sqlitePath: join(folder, 'h.sqlite'), backupFolder: join(folder, 'backups') });

describe.each(places)('on $name', ({ locate }) => {
  let place: StorageOptions;
  let storage: Storage;
  const others: Storage[] = [];

  beforeEach(async () => {
    place = await locate();
    storage = await openStorage(place);
  });

  afterEach(async () => {
    for (const one of [storage, ...others.splice(0)]) await one.close();
  });

  const openAnother = async () => {
    const another = await openStorage(place);
    others.push(another);
    return another;
  };

  describe('conversations', () => {
    test('a branch has the events before its place and none of the rest, the ledger no line more, and outlives its origin', async () => {
      const origin = { ...aConversation('origin'), kind: 'interactive' } as const;
      await storage.conversations.create(origin);
      const position = { conversationId: 'origin', turnId: 't1', durable: true };
      const call = { callId: 'c1', tool: 'look', title: 'Look', summary: '', input: '{}', effect: 'read' } as const;
      await storage.events.append(
        [
          { type: 'note', text: oddTexts.join(' '), at },
          { type: 'tool-start', origin: 'user', ...call, at },
          { type: 'note', text: 'later', at },
        ],
        { ...position, afterSeq: 0 },
      );
      await storage.grants.add({ ...aGrant('g'), conversationId: 'origin', scope: 'conversation' });
      const branch = { ...aConversation('a\0branch'), branchedFrom: { conversationId: 'origin', beforeSeq: 3 } };
      await storage.conversations.createBranch(branch);
      expect(await storage.conversations.get(branch.id)).toEqual(branch);
      const copied = (await storage.events.read('origin', { limit: 2 })).map((event) => ({
        ...event,
        conversationId: branch.id,
      }));
      expect(await storage.events.read(branch.id)).toEqual(copied);
      expect(await storage.grants.list(branch.id)).toEqual([]);
      expect(await storage.ledger.list({})).toHaveLength(1);
      await expect(storage.conversations.createBranch(branch)).rejects.toMatchObject({ code: 'conflict' });
      await storage.conversations.remove('origin');
      expect(await storage.events.lastSeq(branch.id)).toBe(2);
      await storage.events.append([{ type: 'note', text: 'on', at }], {
        ...position,
        conversationId: branch.id,
        afterSeq: 2,
      });
      expect(await storage.events.lastSeq(branch.id)).toBe(3);
    });

    test('come back as they went in, whatever their text', async () => {
      for (const [index, text] of oddTexts.entries()) {
        const conversation = { ...aConversation(`c${index}${text}`), title: text, workspace: `/w/${text}` };
        await storage.conversations.create(conversation);
        expect(await storage.conversations.get(conversation.id)).toEqual(conversation);
        expect(await storage.conversations.list({ workspace: `/w/${text}` })).toEqual([conversation]);
      }
      expect(await storage.conversations.get('nobody')).toBeUndefined();
    });

    test('two of the same id are a conflict, and the first stays', async () => {
      await storage.conversations.create(aConversation('one'));
      const second = storage.conversations.create({ ...aConversation('one'), title: 'second' });
      await expect(second).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('another id') });
      expect(await storage.conversations.get('one')).toMatchObject({ title: 'title of one' });
    });

    test('are listed newest first, without throw-away ones, up to the limit', async () => {
      for (let day = 10; day < 70; day += 1) {
        const updatedAt = new Date(Date.UTC(2026, 0, day)).toISOString();
        await storage.conversations.create({ ...aConversation(`day-${day}`), updatedAt, workspace: `/w${day % 2}` });
      }
      await storage.conversations.create({ ...aConversation('gone'), isThrowaway: true });
      const ids = (list: readonly Conversation[]) => list.map((conversation) => conversation.id);
      expect(ids(await storage.conversations.list())).toEqual(
        Array.from({ length: 50 }, (_, index) => `day-${69 - index}`),
      );
      expect(ids(await storage.conversations.list({ limit: 2, workspace: '/w0' }))).toEqual(['day-68', 'day-66']);
      expect(await storage.conversations.get('gone')).toMatchObject({ isThrowaway: true });
    });

    test('change their title and time, and nothing else', async () => {
      await storage.conversations.create(aConversation('one'));
      await storage.conversations.update('one', { title: 'new\0' });
      await storage.conversations.update('one', { updatedAt: '2027-01-01T00:00:00.000Z' });
      await storage.conversations.update('one', {});
      const expected = { ...aConversation('one'), title: 'new\0', updatedAt: '2027-01-01T00:00:00.000Z' };
      expect(await storage.conversations.get('one')).toEqual(expected);
      await expect(storage.conversations.update('none', { title: 'x' })).rejects.toMatchObject({ code: 'not_found' });
    });

    test('take their events and grants with them when removed', async () => {
      for (const id of ['one', 'two']) {
        await storage.conversations.create(aConversation(id));
        await append(storage, id, 0, [note('x')]);
        await storage.grants.add({ ...aGrant(`grant-${id}`), conversationId: id, scope: 'conversation' });
      }
      await storage.conversations.remove('one');
      await storage.conversations.remove('one');
      expect(await storage.conversations.get('one')).toBeUndefined();
      expect(await storage.events.read('one')).toEqual([]);
      expect(await storage.grants.list('one')).toEqual([]);
      expect(await storage.events.read('two')).toHaveLength(1);
      expect(await storage.grants.list('two')).toHaveLength(1);
    });
  });

  describe('events', () => {
    beforeEach(async () => storage.conversations.create(aConversation('c')));

    test('get their positions without gaps and are read in order', async () => {
      const first = await append(storage, 'c', 0, [note('a')]);
      const more = await append(storage, 'c', 1, [note('b'), note('c')], true);
      expect([...first, ...more].map((event) => event.seq)).toEqual([1, 2, 3]);
      expect(more[1]).toEqual({ ...note('c'), at, conversationId: 'c', turnId: 'turn', seq: 3 });
      expect(await storage.events.read('c')).toEqual([...first, ...more]);
      expect(await storage.events.read('c', { afterSeq: 2 })).toEqual([more[1]]);
      expect(await storage.events.read('nobody')).toEqual([]);
      expect(await append(storage, 'c', 3, [])).toEqual([]);
    });

    test('keep every kind of text, and bodies of 5 MB', async () => {
      const texts = [...oddTexts, 'ü'.repeat(2.5 * 1024 * 1024), '\0'.repeat(100_000)];
      await append(storage, 'c', 0, texts.map(note));
      const stored = await storage.events.read('c');
      expect(stored.map((event) => (event.type === 'note' ? event.text : ''))).toEqual(texts);
    });

    test('keep any JSON that a tool gives back', async () => {
      let seq = 0;
      const values = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary' }));
      const property = fc.asyncProperty(values, async (data) => {
        const plain = JSON.parse(JSON.stringify(data)) as Record<string, unknown>;
        await append(storage, 'c', seq, [toolEnd(plain)]);
        const [event] = await storage.events.read('c', { afterSeq: seq });
        seq += 1;
        expect(event?.type === 'tool-end' ? event.outcome.data : undefined).toEqual(plain);
      });
      await fc.assert(property, { numRuns: soak(60) });
    });

    test.each([
      ['behind an event that is not the last', 1],
      ['beyond the last event, which would leave a gap', 3],
      ['before the first event', -1],
    ])('are refused %s, and nothing of them is kept', async (_, afterSeq) => {
      await append(storage, 'c', 0, [note('a'), note('b')]);
      for (const bodies of [[note('x')], [note('x'), note('y')]]) {
        await expect(append(storage, 'c', afterSeq, bodies)).rejects.toMatchObject({
          name: 'ToolFailure',
          code: 'conflict',
        });
      }
      expect(await storage.events.read('c')).toHaveLength(2);
    });

    test('of no conversation are refused', async () => {
      await expect(append(storage, 'nobody', 0, [note('x')])).rejects.toMatchObject({ code: 'not_found' });
      await expect(append(storage, 'nobody', 0, [note('x')], true)).rejects.toMatchObject({ code: 'not_found' });
    });

    test.each([
      ['one event', 1, false],
      ['one event, durably', 1, true],
      ['three events', 3, false],
    ])('two who append %s behind the same event: exactly one wins', async (_, count, durable) => {
      const rivals = [storage, await openAnother(), await openAnother()];
      let seq = 0;
      for (let round = 0; round < 15; round += 1) {
        const bodies = Array.from({ length: count }, () => note(`round ${round}`));
        const results = await Promise.allSettled(rivals.map(async (rival) => append(rival, 'c', seq, bodies, durable)));
        const losers = results.filter((result) => result.status === 'rejected');
        expect(losers).toHaveLength(2);
        for (const loser of losers) expect(loser.reason).toMatchObject({ name: 'ToolFailure', code: 'conflict' });
        seq += count;
      }
      const seqs = (await storage.events.read('c')).map((event) => event.seq);
      expect(seqs).toEqual(Array.from({ length: seq }, (_, index) => index + 1));
    });

    test('of many conversations at once do not disturb each other', async () => {
      const ids = Array.from({ length: 8 }, (_, index) => `many-${index}`);
      const another = await openAnother();
      await Promise.all(
        ids.map(async (id, index) => {
          const mine = index % 2 === 0 ? storage : another;
          await mine.conversations.create(aConversation(id));
          for (let seq = 0; seq < 20; seq += 1) await append(mine, id, seq, [note(id)], seq % 5 === 0);
        }),
      );
      for (const id of ids) expect(await storage.events.read(id)).toHaveLength(20);
    });

    test('are there for the next program after the one that wrote them was killed', async () => {
      const script = `import { openStorage } from ${JSON.stringify(moduleAddress)};
        const storage = await openStorage(${JSON.stringify(place)});
        for (let seq = 0; ; seq += 1) {
          await storage.events.append([{ type: 'note', text: 'x', at: '${at}' }], { conversationId: 'c', turnId: 't', afterSeq: seq, durable: false });
          process.stdout.write((seq + 1) + '\\n');
        }`;
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let output = '';
      for await (const chunk of child.stdout) {
        output += String(chunk);
        if (output.includes('\n50\n')) child.kill('SIGKILL');
      }
      const said = Number(output.trimEnd().split('\n').at(-1));
      const kept = (await storage.events.read('c')).length;
      expect(kept).toBeGreaterThanOrEqual(said);
      await append(storage, 'c', kept, [note('goes on')]);
    });
  });

  test('[A50] the first text of others in a conversation is found, whatever other texts say', async () => {
    for (const id of ['c', 'd']) await storage.conversations.create(aConversation(id));
    const forged = toolEnd({ untrusted: 'forged', nested: [{ untrusted: 'x' }], text: '"untrusted":"x"' });
    await append(storage, 'c', 0, [note('"untrusted":"x"'), forged]);
    expect(await storage.events.firstUntrusted('c')).toBeUndefined();
    const end = toolEnd({});
    const marked = end.type === 'tool-end' ? { ...end, outcome: { ...end.outcome, untrusted: 'a page' } } : end;
    await storage.events.append(
      [
        { ...marked, at: '2026-01-01T00:00:05.000Z' },
        { ...marked, at: '2026-01-01T00:00:09.000Z' },
      ],
      { conversationId: 'c', turnId: 'turn', afterSeq: 2, durable: false },
    );
    expect(await storage.events.firstUntrusted('c')).toBe('2026-01-01T00:00:05.000Z');
    expect(await storage.events.firstUntrusted('d')).toBeUndefined();
    expect(await storage.events.firstUntrusted('nobody')).toBeUndefined();
  });

  describe('grants', () => {
    test('come back as they went in, those of other conversations left out', async () => {
      await storage.conversations.create(aConversation('c'));
      await storage.conversations.create(aConversation('d'));
      const always = { ...aGrant('g1'), pattern: `/w/\0${halfPair}\\` };
      const here = { ...aGrant('g2'), scope: 'conversation' as const, conversationId: 'c' };
      const there = { ...aGrant('g3'), scope: 'conversation' as const, conversationId: 'd' };
      for (const grant of [always, here, there]) await storage.grants.add(grant);
      expect(await storage.grants.list('c')).toEqual([always, here]);
      expect(await storage.grants.list()).toEqual([always]);
    });

    test('are gone once revoked, and a second time there is none', async () => {
      await storage.grants.add(aGrant('g'));
      expect(await storage.grants.revoke('g')).toBe(true);
      expect(await storage.grants.revoke('g')).toBe(false);
      expect(await storage.grants.list()).toEqual([]);
    });

    test('keep until when they hold, and count each use', async () => {
      await storage.conversations.create(aConversation('c'));
      const ends = { ...aGrant('g1'), expiresAt: '2026-02-01T00:00:00.000Z' };
      const here = { ...aGrant('g2'), scope: 'conversation' as const, conversationId: 'c' };
      for (const grant of [ends, here]) await storage.grants.add(grant);
      await storage.grants.used(['g1', 'g2', 'gone'], '2026-01-02T00:00:00.000Z');
      await storage.grants.used(['g1'], '2026-01-03T00:00:00.000Z');
      await storage.grants.used([], '2026-01-04T00:00:00.000Z');
      expect(await storage.grants.all()).toEqual([
        { ...ends, usedAt: '2026-01-03T00:00:00.000Z', uses: 2 },
        { ...here, usedAt: '2026-01-02T00:00:00.000Z', uses: 1 },
      ]);
      const other = await openAnother();
      await other.grants.revoke('g2');
      await other.close();
      expect(await storage.grants.list('c')).toHaveLength(1);
    });

    test('are refused twice, and for no conversation', async () => {
      await storage.grants.add(aGrant('g'));
      await expect(storage.grants.add(aGrant('g'))).rejects.toMatchObject({ code: 'conflict' });
      const homeless = { ...aGrant('h'), scope: 'conversation' as const, conversationId: 'nobody' };
      await expect(storage.grants.add(homeless)).rejects.toMatchObject({ code: 'not_found' });
    });
  });

  test('a closed storage says so in one line', async () => {
    const closed = await openAnother();
    await closed.close();
    await closed.close();
    const failure = await closed.grants.list().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ToolFailure);
    expect(failure).toMatchObject({ code: 'failed', message: expect.stringMatching(/closed already/) });
  });

  test('five programs that start on a new database at once all work', async () => {
    const fresh = await locate();
    const script = `import { openStorage } from ${JSON.stringify(moduleAddress)};
      process.stdin.resume();
      process.stdout.write('ready\\n');
      process.stdin.once('end', async () => {
        const storage = await openStorage(${JSON.stringify({ ...fresh, sqlitePath: join(folder, 'fresh', 'h.sqlite') })});
        await storage.conversations.create({ id: String(process.pid), title: '', workspace: '/', isThrowaway: false, createdAt: '${at}', updatedAt: '${at}' });
        await storage.close();
      });`;
    const children = Array.from({ length: 5 }, () =>
      spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'inherit'] }),
    );
    await Promise.all(children.map(async (child) => once(child.stdout, 'data')));
    const ends = children.map(async (child) => once(child, 'close'));
    for (const child of children) child.stdin.end();
    expect((await Promise.all(ends)).map(([code]) => code)).toEqual([0, 0, 0, 0, 0]);
    const after = await openStorage({ ...fresh, sqlitePath: join(folder, 'fresh', 'h.sqlite') });
    others.push(after);
    expect(await after.conversations.list()).toHaveLength(5);
  });
});

const moduleAddress = pathToFileURL(join(import.meta.dirname, '../../src/storage/open-storage.ts')).href;
