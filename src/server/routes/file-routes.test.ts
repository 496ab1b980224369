/** The routes of files, through the port: what can be done, and what cannot be reached. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { FilePage } from '../../contract/person-files.ts';
import type { WebConversation } from '../../contract/web-api.ts';
import type { WebFileText, WebSavedText } from '../../contract/web-files.ts';
import type { SendOptions, WebAnswered, WebClient } from '../../../test/kit/web-client.ts';
import { newConversation, startWebServer } from '../../../test/kit/web-world.ts';

const at = (route: string, query: Readonly<Record<string, string>>): string =>
  `/api/files${route}?${new URLSearchParams(query).toString()}`;

const upload = { 'content-type': 'application/octet-stream', 'x-handrail-upload': '1' };

async function start(options: Parameters<typeof startWebServer>[0] = {}) {
  const world = await startWebServer(options);
  const { id: conversation, workspace }: WebConversation = await newConversation(world.client);
  const home = path.join(world.stateFolder, 'home');
  mkdirSync(home, { recursive: true });
  return { ...world, conversation, workspace, home };
}

const send = (client: WebClient, query: Readonly<Record<string, string>>, bytes: Buffer, options: SendOptions = {}) =>
  client.send('POST', at('/upload', query), undefined, {
    raw: bytes,
    ...options,
    headers: { ...upload, ...options.headers },
  });

test('[K53] [K54] files of home and workspace are listed, read, saved, renamed, removed and brought back, and the ledger tells it', async () => {
  const { client, conversation, workspace, home } = await start();
  writeFileSync(path.join(workspace, 'b2.txt'), 'two\r\n');
  writeFileSync(path.join(workspace, 'b10.txt'), 'ten');
  mkdirSync(path.join(workspace, 'zoo'));
  expect(await client.need('GET', at('/places', { conversation }))).toEqual({ home: '/home/handrail', workspace });
  const page: FilePage = await client.need('GET', at('', { conversation, path: '.' }));
  expect(page.entries.map(({ name }) => name)).toEqual(['zoo', 'b2.txt', 'b10.txt']);
  const read: WebFileText = await client.need('GET', at('/text', { conversation, path: 'b2.txt' }));
  if (read.kind !== 'text') throw new Error('no text');
  expect(read.text).toBe('two\r\n');
  const saved: WebSavedText = await client.need('POST', '/api/files/text', {
    ...{ conversation, path: 'b2.txt', text: 'zwei\r\n', expected: read.hash },
  });
  expect(readFileSync(path.join(workspace, 'b2.txt'), 'utf8')).toBe('zwei\r\n');
  // Somebody else's change is not lost.
  writeFileSync(path.join(workspace, 'b2.txt'), 'theirs');
  const late = await client.send('POST', '/api/files/text', {
    ...{ conversation, path: 'b2.txt', text: 'mine', expected: saved.hash },
  });
  expect(late).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
  expect(readFileSync(path.join(workspace, 'b2.txt'), 'utf8')).toBe('theirs');
  await client.need('POST', '/api/files/text', { conversation, path: 'b2.txt', text: 'mine' });
  const taken = { conversation, path: 'b10.txt', text: 'x', expected: null };
  expect((await client.send('POST', '/api/files/text', taken)).status).toBe(409);

  await client.need('POST', '/api/files/folder', { path: '~/new' });
  expect((await client.send('POST', '/api/files/folder', { path: '~/new' })).status).toBe(409);
  await client.need('POST', '/api/files/move', { conversation, path: 'b2.txt', destination: '~/new/c.txt' });
  expect(readFileSync(path.join(home, 'new/c.txt'), 'utf8')).toBe('mine');
  const onto = { conversation, path: 'b10.txt', destination: '~/new/c.txt' };
  expect((await client.send('POST', '/api/files/move', onto)).status).toBe(409);
  await client.need('POST', '/api/files/trash', { path: '~/new' });
  expect(existsSync(path.join(home, 'new'))).toBe(false);
  await client.need('POST', '/api/files/restore', { path: '~/new' });
  expect(readFileSync(path.join(home, 'new/c.txt'), 'utf8')).toBe('mine');
  const ledger: readonly { origin: string; summary: string }[] = await client.need('GET', '/api/ledger?limit=50');
  expect(ledger.every(({ origin }) => origin === 'user')).toBe(true);
  expect(ledger.map(({ summary }) => summary).slice(0, 2)).toEqual(['restore ~/new', 'move to the trash ~/new']);
});

test('[A20] nothing but workspace and home can be reached through the routes, however the path is written', async () => {
  const { client, conversation, workspace, home, stateFolder } = await start();
  const secret = path.join(workspace, '../secret.txt');
  writeFileSync(secret, 'secret');
  symlinkSync(secret, path.join(workspace, 'link'));
  symlinkSync('/etc', path.join(home, 'etc'));
  const key = path.join(workspace, '../home/.ssh/id_ed25519');
  mkdirSync(path.dirname(key), { recursive: true });
  writeFileSync(key, 'secret');
  const paths = [
    ...['../secret.txt', secret, 'link', 'zoo/../../secret.txt', './/..//secret.txt', '/proc/self/root/etc/passwd'],
    ...['~/etc/passwd', '/etc/passwd', '~/../settings.json', `${stateFolder}/settings.json`, key, '/dev/zero', '/'],
    ...[
      '%2e%2e/secret.txt',
      'a\0b',
      '~/.ssh/../../../secret.txt',
      '/proc/self/environ',
      `${stateFolder}/web-sessions.json`,
    ],
  ];
  for (const each of paths) {
    for (const route of ['/text', '/raw', '/info', '']) {
      const { status, text } = await client.send('GET', at(route, { conversation, path: each }));
      expect([each, route, status]).not.toEqual([each, route, 200]);
      expect(text).not.toContain('root:');
    }
    for (const [route, more] of [
      ['text', { text: 'x' }],
      ['folder', {}],
      ['trash', {}],
      ['restore', {}],
      ['move', { destination: 'stolen' }],
    ] as const) {
      const answer: WebAnswered = await client.send('POST', `/api/files/${route}`, {
        conversation,
        path: each,
        ...more,
      });
      // A name with percent signs is a name.
      const isName = each.startsWith('%2e');
      // A link itself may be moved or removed: where it leads stays as it is.
      const isLink = each === 'link' && ['trash', 'move', 'restore'].includes(route);
      if (!isName && !isLink) expect([each, route, answer.status]).not.toEqual([each, route, 200]);
    }
    expect(readFileSync(secret, 'utf8')).toBe('secret');
  }
  expect((await client.send('GET', at('', { path: workspace }))).status).toBe(422);
});

test('[A20] what lies in the workspace is given out by the same routes (twin)', async () => {
  const { client, conversation, workspace } = await start();
  writeFileSync(path.join(workspace, 'secret.txt'), 'secret');
  symlinkSync('secret.txt', path.join(workspace, 'link'));
  for (const each of ['secret.txt', 'link', path.join(workspace, 'secret.txt'), 'zoo/../secret.txt'])
    expect((await client.send('GET', at('/raw', { conversation, path: each }))).text).toBe('secret');
});

test('a result that was kept whole is given out as a download, and cannot be changed', async () => {
  const { client, stateFolder } = await start();
  const kept = path.join(stateFolder, 'artifacts/abcdefghijklmnop');
  mkdirSync(path.dirname(kept), { recursive: true });
  writeFileSync(kept, 'whole');
  const { text, headers } = await client.send('GET', at('/raw', { path: kept, download: '1' }));
  expect(text).toBe('whole');
  expect(headers['content-disposition']).toContain('attachment');
  for (const route of ['text', 'trash']) {
    const more = route === 'text' ? { text: 'x' } : {};
    expect((await client.send('POST', `/api/files/${route}`, { path: kept, ...more })).status).toBe(422);
  }
});

test('[A31] a FIFO, a file of 2 GB and a folder of 10,000 are handled at once', async () => {
  const { client, conversation, workspace } = await start();
  execFileSync('mkfifo', [path.join(workspace, 'pipe')]);
  for (const route of ['/text', '/raw'])
    expect((await client.send('GET', at(route, { conversation, path: 'pipe' }))).status).toBe(400);
  writeFileSync(path.join(workspace, 'huge'), '');
  truncateSync(path.join(workspace, 'huge'), 2 ** 31);
  expect(await client.need('GET', at('/text', { conversation, path: 'huge' }))).toMatchObject({ kind: 'too-large' });
  const raw = at('/raw', { conversation, path: 'huge' });
  const part = await client.send('GET', raw, undefined, { headers: { range: 'bytes=2147483640-' } });
  expect(part).toMatchObject({ status: 206, headers: { 'content-range': 'bytes 2147483640-2147483647/2147483648' } });
  expect((await client.send('GET', raw, undefined, { headers: { range: 'bytes=2147483648-' } })).status).toBe(416);
  mkdirSync(path.join(workspace, 'many'));
  for (let count = 0; count < 10_001; count += 1) writeFileSync(path.join(workspace, `many/${count}`), '');
  const last: FilePage = await client.need(
    'GET',
    at('', { conversation, path: 'many', offset: '9990', limit: '1000' }),
  );
  expect(last).toMatchObject({ total: 10_000, isCut: true });
  expect(last.entries).toHaveLength(10);
});

test('[A1] a file is taken from pages of ours alone, whole or not at all', async () => {
  const { client, conversation, workspace } = await start();
  const bytes = Buffer.from([0, 1, 2, 255]);
  expect((await send(client, { conversation, path: 'a.bin' }, bytes)).status).toBe(200);
  expect(readFileSync(path.join(workspace, 'a.bin'))).toEqual(bytes);
  expect((await send(client, { conversation, path: 'a.bin' }, Buffer.from('new'))).status).toBe(409);
  expect((await send(client, { conversation, path: 'a.bin', replaces: '1' }, Buffer.from('new'))).status).toBe(200);
  expect((await send(client, { conversation, path: '.git/hooks/pre-commit' }, bytes)).status).toBe(422);
  const refused: readonly (readonly [SendOptions['headers'], number])[] = [
    [{ origin: 'http://evil.test' }, 403],
    [{ origin: undefined }, 403],
    [{ origin: 'null' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'x-handrail-upload': undefined }, 415],
    [{ 'content-type': 'text/plain' }, 415],
    [{ 'content-type': 'multipart/form-data; boundary=x' }, 415],
    [{ 'content-type': 'application/x-www-form-urlencoded' }, 415],
    [{ cookie: undefined }, 401],
    [{ 'content-length': '2000000000' }, 413],
  ];
  for (const [headers, status] of refused) {
    const answer = await send(client, { conversation, path: 'b.bin' }, bytes, headers === undefined ? {} : { headers });
    expect([headers, answer.status]).toEqual([headers, status]);
    expect(existsSync(path.join(workspace, 'b.bin'))).toBe(false);
  }
  expect(execFileSync('ls', ['-A', workspace], { encoding: 'utf8' })).not.toContain('.handrail-');
});

test.each(['isSentFile', 'origin'] as const)(
  '[A1] without the guard %s a form of another page could send one (twin)',
  async (guard) => {
    const guards = { isSentFile: () => true, ...(guard === 'origin' ? { origin: () => undefined } : {}) };
    const { client, conversation, workspace } = await start({ guards });
    const headers = {
      'x-handrail-upload': undefined,
      'content-type': 'text/plain',
      ...(guard === 'origin' ? { origin: 'http://evil.test' } : {}),
    };
    expect((await send(client, { conversation, path: 'b.bin' }, Buffer.from('x'), { headers })).status).toBe(200);
    expect(existsSync(path.join(workspace, 'b.bin'))).toBe(true);
  },
);

test('[A38] what is given out to be seen is sandboxed, scripts of a page run in a frame only, and all else is a download', async () => {
  const { client, conversation, workspace } = await start();
  for (const name of ['a.svg', 'a.html', 'a.js', 'a.xhtml', "it's ü.bin"])
    writeFileSync(path.join(workspace, name), '<x/>');
  const raw = async (name: string, headers: SendOptions['headers'] = {}) =>
    (await client.send('GET', at('/raw', { conversation, path: name }), undefined, { headers })).headers;
  const policyOf = async (name: string, headers?: SendOptions['headers']) =>
    String((await raw(name, headers))['content-security-policy']);
  expect(await policyOf('a.svg')).toMatch(/^sandbox; default-src 'none'/);
  expect(await policyOf('a.html')).toMatch(/^sandbox; default-src 'none'; script-src 'none'/);
  const framed = await policyOf('a.html', { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'same-origin' });
  expect(framed).toMatch(/^sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'/);
  expect(framed).not.toMatch(/allow-same-origin|'self'(?!$)/);
  writeFileSync(path.join(workspace, 'b.html'), '\xff\xfe<LINK\nrel=preconnect href=//x><p>ü<link/>', 'latin1');
  const page = await client.send('GET', at('/raw', { conversation, path: 'b.html' }));
  expect(page.text).toMatch(/^<x-link\nrel=preconnect href=\/\/x><p>.<x-link\/>$/);
  for (const name of ['a.js', 'a.xhtml']) {
    const headers = await raw(name);
    expect(headers).toMatchObject({ 'content-type': 'application/octet-stream', 'x-content-type-options': 'nosniff' });
    expect(headers['content-disposition']).toContain('attachment');
  }
  expect((await raw("it's ü.bin"))['content-disposition']).toBe(
    `attachment; filename="it_s__.bin"; filename*=UTF-8''it%27s%20%C3%BC.bin`,
  );
});
