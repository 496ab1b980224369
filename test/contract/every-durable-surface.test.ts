/**
 * Each way by which something reaches the disk, with a secret in it: with our redactor it is nowhere afterwards, and with one
 * that lets everything pass (the twin) it is found. So the walk is worth something, and each surface is guarded by itself.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { identityOf } from '../../src/base/process-identity.ts';
import type { EventBody, JournalEvent } from '../../src/contract/event.ts';
import type { Redactor } from '../../src/contract/redaction.ts';
import type { Storage } from '../../src/contract/storage.ts';
import { createArtifacts } from '../../src/services/artifacts/create-artifacts.ts';
import { createStarters } from '../../src/services/jobs/starters.ts';
import { createSupervisor } from '../../src/services/jobs/supervisor.ts';
import { createLog } from '../../src/services/log/create-log.ts';
import { createRedactor } from '../../src/services/secrets/create-redactor.ts';
import { createSecretVault } from '../../src/services/secrets/secret-vault.ts';
import { createPipePool } from '../../src/services/shell/pipe-pool.ts';
import { createSavedMemory } from '../../src/services/shell/persistent/saved-memory.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { openJobsWorld, scopeOf } from '../kit/jobs-world.ts';
import { readAll } from '../kit/read-all.ts';
import { sampleKeys, samplePrivateKey, samplePrivateKeyLines } from '../kit/sample-secrets.ts';

const at = '2026-03-04T05:06:07.008Z';
const known = { name: 'MY_WORD', value: 'a word that only we know' };
const key = sampleKeys['anthropic'] ?? '';
const secrets = [known.value, key, ...samplePrivateKeyLines.map((line) => line.slice(0, 30))];
const both = `${known.value} ${key}`;
/** In the middle of the one; the other is whole, for the twin to find. */
const cutAnywhere = [...both.slice(0, 10), both.slice(10)];

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'handrail-surface-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Names of files with a secret in them, the vault apart. */
const leaks = (place = folder): readonly string[] =>
  [...readAll(place, (name) => name === 'vault')]
    .filter(({ bytes }) => secrets.some((secret) => bytes.includes(secret)))
    .map(({ name }) => name);

const letsPass: Redactor = {
  redact: (text) => text,
  redactAll: (value) => value,
  redactStream: () => ({ next: (text) => ({ text, after: letsPass.redactStream() }), waits: false, rest: () => '' }),
  restore: (text) => text,
  restoreAll: (value) => value,
  findLost: () => undefined,
};

const ours = (): Redactor =>
  createRedactor({ stored: [known], fromEnvironment: [], vault: createSecretVault(join(folder, 'vault')) });

describe.each([
  { name: 'with our redactor nothing of it is found', make: ours, isGuarded: true },
  { name: 'twin: with one that lets it pass it is', make: () => letsPass, isGuarded: false },
])('$name', ({ make, isGuarded }) => {
  const expectLeaks = (place?: string): void => {
    if (isGuarded) expect(leaks(place)).toEqual([]);
    else expect(leaks(place)).not.toEqual([]);
  };

  const bodies: readonly (readonly [string, readonly EventBody[]])[] = [
    [
      'what the user said',
      [{ type: 'turn-start', message: { role: 'user', parts: [{ type: 'text', text: both }] }, origin: 'terminal' }],
    ],
    ['streamed text, cut anywhere', cutAnywhere.map((text) => ({ type: 'text-delta', text }))],
    ['notes of the model, cut anywhere', cutAnywhere.map((text) => ({ type: 'reasoning-delta', text }))],
    [
      'output of a call, cut anywhere',
      cutAnywhere.map((text) => ({ type: 'tool-progress', callId: 'k', text, stream: 'stdout' })),
    ],
    [
      'a private key, line by line',
      samplePrivateKey.split('\n').map((line) => ({ type: 'tool-progress', callId: 'k', text: `${line}\n` })),
    ],
    [
      'arguments of a call',
      [
        {
          type: 'tool-start',
          callId: 'k',
          tool: 't',
          title: 'T',
          summary: both,
          input: JSON.stringify({ a: samplePrivateKey, both }),
          effect: 'read',
          origin: 'model',
        },
      ],
    ],
    [
      'a result',
      [
        {
          type: 'tool-end',
          callId: 'k',
          tool: 't',
          decision: { verdict: 'deny', reason: both },
          durationMs: 1,
          outcome: { ok: false, text: both, data: { [both]: [both] }, error: { code: 'failed', message: both } },
        },
      ],
    ],
    [
      'a diff',
      [
        {
          type: 'tool-end',
          callId: 'k',
          tool: 't',
          decision: { verdict: 'allow', reason: '' },
          durationMs: 1,
          outcome: {
            ok: true,
            text: '',
            view: {
              kind: 'diff',
              path: '/p',
              added: 5,
              removed: 0,
              lines: samplePrivateKey.split('\n').map((content) => ({ kind: 'added', content })),
            },
          },
        },
      ],
    ],
    [
      'a failure',
      [
        {
          type: 'turn-end',
          reason: 'failed',
          answer: both,
          rounds: 1,
          usage: { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0 },
          error: { kind: 'k', message: both },
        },
      ],
    ],
    ['a note', [{ type: 'note', text: both, forModel: both }]],
  ];

  test.each(bodies)('[A49] journal and ledger: %s', async (_, events) => {
    const redactor = make();
    const storage = await openStorage({ ...place(), redactor: async () => redactor });
    await addConversation(storage, '');
    const written = await append(storage, events);
    // A kill from here on finds what is on disk now.
    expectLeaks();
    if (isGuarded) {
      expect(JSON.stringify([written, await storage.events.read('c'), await storage.ledger.list()])).not.toContain(key);
    }
    // What waits comes with what ends it, and not twice.
    const last = await append(storage, [
      { type: 'note', text: '' },
      {
        type: 'tool-end',
        callId: 'k',
        tool: 't',
        decision: { verdict: 'allow', reason: '' },
        durationMs: 1,
        outcome: { ok: true, text: '' },
      },
    ]);
    const told = [...written, ...last].map((event) => ('text' in event ? event.text : '')).join('');
    const said = events.map((event) => ('text' in event ? event.text : '')).join('');
    expect(redactor.restore(told)).toBe(said);
    await storage.close();
    expectLeaks();
    // The context is as it was, live and later.
    const again = await openStorage({ ...place(), redactor: async () => make() });
    const whole = (list: readonly JournalEvent[]) =>
      list.filter((event) => !event.type.endsWith('-delta') && event.type !== 'tool-progress');
    const later = whole(await again.events.readForModel('c'));
    expect(later.slice(0, -2)).toEqual(whole(written.map((event) => storage.events.forModel(event))));
    expect(later.slice(0, -2).map(({ seq: _seq, at: _at, conversationId: _c, turnId: _t, ...body }) => body)).toEqual(
      events.filter((event) => !event.type.endsWith('-delta') && event.type !== 'tool-progress'),
    );
    await again.close();
  });

  test('[A49] titles, also cut ones, and grants', async () => {
    const redactor = make();
    const storage = await openStorage({ ...place(), redactor: async () => redactor });
    await addConversation(storage, `the word is ${known.value}`);
    await storage.conversations.update('c', { title: `and ${key}` });
    const grant = {
      id: 'g',
      tool: 't',
      pattern: `command ${both}`,
      scope: 'conversation',
      conversationId: 'c',
      origin: 'o',
      createdAt: at,
    } as const;
    await storage.grants.add(grant);
    expect((await storage.grants.list('c'))[0]?.pattern).toBe(grant.pattern);
    await storage.close();
    expectLeaks();
    const cut = await openStorage({ ...place(), redactor: async () => redactor });
    await cut.conversations.update('c', { title: `it is ${known.value.slice(0, -3)}…` });
    expect((await cut.conversations.get('c'))?.title).toBe(
      isGuarded ? 'it is …' : `it is ${known.value.slice(0, -3)}…`,
    );
    await cut.close();
  });

  test('[A49] artifacts, texts and bytes', async () => {
    const redactor = make();
    const owner = createArtifacts({ folder: join(folder, 'artifacts'), redactor: async () => redactor });
    const scope = scopeOf({
      conversation: { id: 'c', workspace: folder, isThrowaway: false },
      workspace: folder,
      command: '',
      rung: 'host',
    } as never);
    await owner.forCall(scope).keep(`before ${both} after`);
    await owner
      .forCall(scope)
      .keep(Buffer.concat([Buffer.from([0xff, 0, 0xfe]), Buffer.from(both), Buffer.from([0xff])]));
    expectLeaks();
  });

  test('[A49] the log of faults, with the stack and the cause of a crash', async () => {
    const redactor = make();
    const file = join(folder, 'handrail.log');
    createLog(
      file,
      async () => redactor,
    )(new Error(`call k failed with ${both}`, { cause: new Error(samplePrivateKey) }));
    await expect.poll(() => [...readAll(folder)].find(({ name }) => name === file)?.bytes.at(-1)).toBe(0x0a);
    expectLeaks();
  });

  test('[A49] exported variables of a shell, which come back', () => {
    const redactor = make();
    const texts = [`declare -x A="${both}"`, `declare -x B="${samplePrivateKey}"`];
    const memory = {
      cwd: '/w',
      exports: texts.map((text) => ({ name: text.charAt(11), text })),
      unset: [],
      functions: [],
      aliases: [],
      variables: [],
      tooLarge: [],
      influences: [],
      background: 0,
    };
    createSavedMemory(join(folder, 'shells'), redactor).write('c', 'namespaces', memory);
    expectLeaks();
    expect(createSavedMemory(join(folder, 'shells'), make()).read('c', 'namespaces')).toEqual(memory);
  });

  test('[A49] the log and the record of a background job', async () => {
    const world = openJobsWorld();
    const own = identityOf(process.pid);
    if (own === undefined) throw new Error('no /proc');
    const pool = createPipePool();
    const redactor = make();
    const supervisor = createSupervisor({
      jobsFolder: world.jobsFolder,
      identity: { ...own, id: randomUUID() },
      starterFor: createStarters(pool),
      pool,
      shadowed: [],
      now: () => new Date(),
      redactorFor: () => redactor,
    });
    const { workspace, sources } = world;
    const command = `echo '${both}'; printf '%s' '${key.slice(0, 12)}'; sleep 0.05; echo '${key.slice(12)}'; echo '${samplePrivateKey}'; printf 'Password: '; sleep 100`;
    const request = {
      op: 'start',
      conversation: 'c',
      conversationId: 'c',
      workspace,
      command,
      env: {},
      rung: 'namespaces',
      sources,
    } as const;
    try {
      await supervisor.handle(request, () => true);
      // What asks for something is to be seen while it waits.
      const printed = (): string =>
        [...readAll(world.jobsFolder)]
          .filter(({ name }) => name.includes('log-'))
          .map(({ bytes }) => bytes.toString())
          .join('');
      await expect.poll(printed, { timeout: 15_000 }).toMatch(/-----END RSA PRIVATE KEY-----\nPassword: $/);
      expectLeaks(world.jobsFolder);
    } finally {
      await supervisor.handle({ op: 'stop' }, () => true);
      pool.close();
    }
    expectLeaks(world.jobsFolder);
  });
});

const place = () => ({ sqlitePath: join(folder, 'h.sqlite'), backupFolder: join(folder, 'backups') });

async function addConversation(storage: Storage, title: string): Promise<void> {
  await storage.conversations.create({
    id: 'c',
    title,
    workspace: '/',
    isThrowaway: false,
    createdAt: at,
    updatedAt: at,
  });
}

async function append(storage: Storage, events: readonly EventBody[]): Promise<readonly JournalEvent[]> {
  const written: JournalEvent[] = [];
  for (const event of events) {
    const position = { conversationId: 'c', turnId: 't', afterSeq: await storage.events.lastSeq('c'), durable: false };
    written.push(...(await storage.events.append([{ ...event, at }], position)));
  }
  return written;
}
