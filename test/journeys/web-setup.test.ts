/** Keys, models, folders and backups through the server, without a browser. */
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { FolderListing } from '../../src/contract/folders.ts';
import type { ModelSetup, ModelTrialResult } from '../../src/contract/model-setup.ts';
import type { Backup } from '../../src/contract/upkeep.ts';
import type { WebConversationPage, WebEventPage, WebState } from '../../src/contract/web-api.ts';
import type { WebSecrets, WebUpkeep, WebWelcome } from '../../src/contract/web-setup.ts';
import { startModelServer } from '../kit/model-server.ts';
import { createProgramWorld } from '../kit/program.ts';
import { createWebClient } from '../kit/web-client.ts';
import { createWebJourney, newConversation, serveProgram, startWebServer } from '../kit/web-world.ts';

const key = 'key-that-nobody-sees-0815';

test('a key goes in and never comes out; a model is tried before anything is kept', async () => {
  const turns = () => ({ text: 'Hello.' });
  const server = await startModelServer({ dialect: 'openai-chat', turns });
  onTestFinished(() => server.close());
  const { client, program } = await serveProgram(createProgramWorld());
  const service = { service: 'box', dialect: 'openai-chat', baseUrl: server.url, keyName: 'BOX_API_KEY' };
  const trial = { model: 'box/small', service };
  const tried = await client.need<ModelTrialResult>('POST', '/api/models/test', { ...trial, key });
  expect(tried).toMatchObject({ isGood: true, answer: 'Hello.' });
  expect(server.requests.at(-1)?.headers['authorization']).toBe(`Bearer ${key}`);
  expect((await client.need<WebSecrets>('GET', '/api/secrets')).names).toEqual([]);

  // Kept, it still goes to no address that is not in the settings.
  await client.need('POST', '/api/secrets', { name: 'BOX_API_KEY', value: key });
  const asked = server.requests.length;
  const refused = await client.need<ModelTrialResult>('POST', '/api/models/test', trial);
  expect(refused).toMatchObject({ isGood: false, kind: 'auth' });
  expect(server.requests.length).toBe(asked);
  const { hash } = await client.need<{ hash: string }>('GET', '/api/settings');
  const edits = [{ path: ['models'], value: [{ ...service, models: ['small'] }] }];
  await client.need('PATCH', '/api/settings', { edits, hash });
  expect(await client.need('POST', '/api/models/test', { model: 'box/small' })).toMatchObject({ isGood: true });
  const { services } = await client.need<ModelSetup>('GET', '/api/models');
  expect(services).toContainEqual(expect.objectContaining({ name: 'box', hasKey: true, source: 'settings' }));

  for (const [trial, kind] of [
    [{ model: 'nowhere/a' }, 'misuse'],
    [{ model: 'x/a', service: { service: 'x', dialect: 'openai-chat', baseUrl: 'http://127.0.0.1:9/v1' } }, 'network'],
  ] as const)
    expect(await client.need('POST', '/api/models/test', trial)).toMatchObject({ isGood: false, kind });
  const addresses = ['secrets', 'models', 'settings', 'state', 'doctor', 'upkeep', 'openapi.json'];
  const answers = await Promise.all(addresses.map((name) => client.send('GET', `/api/${name}`)));
  expect(answers.map(({ status }) => status)).toEqual(addresses.map(() => 200));
  expect(answers.map(({ text }) => text).join('') + program.stdout() + program.stderr()).not.toContain(key);

  await client.need('DELETE', '/api/secrets/BOX_API_KEY');
  expect((await client.send('DELETE', '/api/secrets/BOX_API_KEY')).status).toBe(404);
  expect((await client.send('POST', '/api/secrets', { name: 'a b', value: 'x' })).status).toBe(400);
  expect((await client.withCookie(undefined).send('GET', '/api/secrets')).status).toBe(401);
});

test('folders are listed by name; what cannot be a workspace says why and is not taken', async () => {
  const { client, stateFolder } = await startWebServer();
  const root = path.join(path.dirname(stateFolder), 'home');
  for (const name of ['b', 'a10', 'a9', '.hidden', 'git/.git']) mkdirSync(path.join(root, name), { recursive: true });
  writeFileSync(path.join(root, 'file'), '');
  symlinkSync(path.join(root, 'git'), path.join(root, 'to-git'));
  symlinkSync('/nowhere', path.join(root, 'to-nothing'));
  const list = (folder?: string) =>
    client.need<FolderListing>(
      'GET',
      `/api/folders${folder === undefined ? '' : `?path=${encodeURIComponent(folder)}`}`,
    );
  const home = await list();
  expect(home).toMatchObject({ path: root, folders: ['a9', 'a10', 'b', 'git', 'to-git'], isGit: false, hidden: 0 });
  expect(home.refusal).toMatch(/it is your home folder/);
  expect(await list('~/to-git')).toMatchObject({ path: path.join(root, 'git'), isGit: true, parent: root });
  for (const folder of ['/', stateFolder, path.dirname(root)]) {
    expect((await list(folder)).refusal).toMatch(/cannot be the workspace/);
    expect((await client.send('PATCH', '/api/welcome', { workspace: folder })).status).toBe(422);
  }
  for (const [folder, status] of [
    ['/no/where', 404],
    ['relative', 400],
    [path.join(root, 'file'), 400],
  ] as const)
    expect((await client.send('GET', `/api/folders?path=${encodeURIComponent(folder)}`)).status).toBe(status);

  // The chosen one is where new chats work, until another is chosen; one chat may have a fresh one all the same.
  await client.need('PATCH', '/api/welcome', { workspace: path.join(root, 'b') });
  expect((await client.need<WebState>('GET', '/api/state')).workspace).toBe(path.join(root, 'b'));
  expect((await newConversation(client)).workspace).toBe(path.join(root, 'b'));
  const fresh = await client.need<{ workspace: string }>('POST', '/api/conversations', { workspace: null });
  expect(fresh.workspace).toContain(stateFolder);
  await client.need('PATCH', '/api/welcome', { workspace: null });
  expect(await client.need<WebWelcome>('GET', '/api/welcome')).toEqual({ isDone: true });
});

test('a backup made while the server works opens with the same conversations, and holds no key', async () => {
  const journey = await createWebJourney(() => ({ text: 'Kept for good.' }));
  const { client, program } = await journey.serve();
  await client.need('POST', '/api/secrets', { name: 'BOX_API_KEY', value: key });
  const { id } = await newConversation(client);
  const stream = await client.follow(`/api/conversations/${id}/stream`);
  await client.need('POST', `/api/conversations/${id}/turns`, { text: 'Remember this.\nOn two lines.' });
  await stream.waitFor(({ type }: { type: string }) => type === 'turn-end');
  const events = await client.need<WebEventPage>('GET', `/api/conversations/${id}/events`);
  const backup = await client.need<Backup>('POST', '/api/backups', {});
  const { backups, places } = await client.need<WebUpkeep>('GET', '/api/upkeep');
  expect(backups).toEqual([backup]);
  expect(statSync(backup.path).mode & 0o777).toBe(0o700);
  expect(existsSync(path.join(backup.path, 'secrets.json'))).toBe(false);
  expect(places.map(({ kind }) => kind)).toEqual(['database', 'artifacts', 'settings', 'secrets', 'backups']);
  expect(places.find(({ kind }) => kind === 'database')?.bytes).toBeGreaterThan(1_000);

  // One object per line, each with its events.
  const { text } = await client.send('GET', '/api/conversations.jsonl');
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { conversation: { id: string } });
  expect(lines).toEqual([{ conversation: expect.objectContaining({ id }), events: events.events }]);
  expect(text).not.toContain(key);

  program.kill('SIGTERM');
  await program.ended;
  const other = createProgramWorld();
  await cp(backup.path, other.stateFolder, { recursive: true });
  const again = await serveProgram(other);
  const { conversations } = await again.client.need<WebConversationPage>('GET', '/api/conversations');
  expect(conversations.map((each) => each.id)).toEqual([id]);
  expect(await again.client.need('GET', `/api/conversations/${id}/events`)).toEqual(events);
  expect(readFileSync(path.join(backup.path, 'handrail.sqlite')).includes(key)).toBe(false);
});

test('a second start of the same folder and port gives a link to the first, and ends well', async () => {
  const world = createProgramWorld();
  const { program, client } = await serveProgram(world);
  const port = String(client.port);
  const second = await world.run(['serve', '--port', port]);
  expect(second.code).toBe(0);
  expect(second.stdout).toContain(`is running already and serves at http://127.0.0.1:${port}/\n`);
  const link = /http:\S+\/link\/\S+/.exec(second.stdout)?.[0] ?? '';
  expect((await createWebClient(client.url).send('GET', new URL(link).pathname)).status).toBe(303);
  // A link opened from a file or a mail: a page goes on, since a redirect would leave the cookie behind.
  const third = await world.run(['serve', '--port', port]);
  const fromFile = new URL(/http:\S+\/link\/\S+/.exec(third.stdout)?.[0] ?? '').pathname;
  const opened = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  const guest = createWebClient(client.url);
  const framed = { ...opened, 'sec-fetch-dest': 'iframe' };
  expect((await guest.send('GET', fromFile, undefined, { headers: framed })).status).toBe(403);
  expect((await guest.send('GET', '/api/state', undefined, { headers: opened })).status).toBe(403);
  const page = await guest.send('GET', fromFile, undefined, { headers: opened });
  expect([page.status, page.headers['set-cookie']?.length]).toEqual([200, 1]);
  expect(page.text).toContain('url=/"');
  // Another program's folder has nothing to do with it.
  const stranger = await createProgramWorld().run(['serve', '--port', port]);
  expect([stranger.code, stranger.stderr]).toEqual([1, expect.stringContaining('is in use')]);
  program.kill('SIGKILL');
  await program.ended;
  const next = await serveProgram(world, ['--port', port]);
  expect(next.client.url).toBe(client.url);
});
