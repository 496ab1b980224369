/** Whoever is not meant to use the server: every route of the running server is tried. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createWebClient, sendBytes, signIn, type SendOptions, type WebClient } from '../../test/kit/web-client.ts';
import { newConversation, startWebServer } from '../../test/kit/web-world.ts';

type Table = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly security: readonly unknown[] }>>>>;
};
type Row = { readonly method: string; readonly path: string; readonly isPublic: boolean };

/** The table as the server itself tells it, with ids in the place of what varies. */
async function routesOf(client: WebClient, id: string): Promise<readonly Row[]> {
  const { paths } = await client.need<Table>('GET', '/api/openapi.json');
  return Object.entries(paths).flatMap(([template, operations]) =>
    Object.entries(operations).map(([method, { security }]) => ({
      method: method.toUpperCase(),
      path: template.replaceAll(/\{\w+\}/g, id),
      isPublic: security.length === 0,
    })),
  );
}

const isJson = (method: string) => method === 'POST' || method === 'PATCH';

async function tryRow(client: WebClient, { method, path: at }: Row, options: SendOptions) {
  const answered = await client.send(method, at, isJson(method) ? {} : undefined, options);
  const cors = Object.keys(answered.headers).filter((name) => name.startsWith('access-control'));
  expect(cors, `${method} ${at}`).toEqual([]);
  return answered.status;
}

/** The statuses with which all routes, streams and static files answer the same attempt. */
async function tryAll(client: WebClient, options: SendOptions): Promise<readonly number[]> {
  const { id } = await newConversation(client);
  const statuses = new Set<number>();
  const pages = ['/', '/assets/app-12345678.js'].map((at) => ({ method: 'GET', path: at, isPublic: true }));
  for (const row of [...(await routesOf(client, id)), ...pages]) statuses.add(await tryRow(client, row, options));
  return [...statuses];
}

const upgrade = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'a2V5',
};

describe('a foreign name', () => {
  const names = (port: number) => [
    'evil.test',
    `evil.test:${port}`,
    `localhost.evil.test:${port}`,
    `0.0.0.0:${port}`,
    '127.0.0.1',
    'localhost',
    `127.0.0.1:${port + 1}`,
    `127.0.0.1:${port}.evil.test`,
    `127.1:${port}`,
    `localhost.:${port}`,
    '',
  ];

  it('[A2] is refused on every route, stream, upgrade and static file', { timeout: 60_000 }, async () => {
    const { client } = await startWebServer();
    for (const host of names(client.port)) {
      const options = { headers: { host, origin: `http://${host}` } };
      expect([host, await tryAll(client, options)]).toEqual([host, [421]]);
    }
    const hostile = { headers: { ...upgrade, host: 'evil.test', origin: 'http://evil.test' } };
    expect((await client.send('GET', '/api/stream', undefined, hostile)).status).toBe(421);
  });

  it('[A2] that comes twice, not at all, or inside the address is refused too', async () => {
    const { client } = await startWebServer();
    const host = `127.0.0.1:${client.port}`;
    const lines = [
      `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nHost: evil.test\r\n\r\n`,
      `GET /healthz HTTP/1.1\r\nHost: evil.test\r\nHost: ${host}\r\n\r\n`,
      'GET /healthz HTTP/1.1\r\n\r\n',
      'GET /healthz HTTP/1.0\r\n\r\n',
      `GET http://evil.test/healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
      `OPTIONS * HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    ];
    for (const bytes of lines)
      expect([bytes, await sendBytes(client.port, bytes)]).toEqual([bytes, expect.stringMatching(/ 4(?:00|21) /)]);
    const honest = `GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    expect(await sendBytes(client.port, honest)).toContain('200');
  });

  it('[A2] twin: without that guard the same request is answered', async () => {
    const { client } = await startWebServer({ guards: { host: () => undefined } });
    expect((await client.send('GET', '/api/state', undefined, { headers: { host: 'evil.test' } })).status).toBe(200);
  });
});

describe('a foreign page', () => {
  it('[A1] reaches no route, however it sends', { timeout: 60_000 }, async () => {
    const { client } = await startWebServer();
    const origins = [
      'http://evil.test',
      'null',
      '',
      `https://127.0.0.1:${client.port}`,
      `http://127.0.0.1:${client.port + 1}`,
      `http://localhost:${client.port}`,
    ];
    for (const origin of origins)
      expect([origin, await tryAll(client, { headers: { origin } })]).toEqual([origin, [403]]);
    for (const site of ['cross-site', 'same-site', 'unheard-of'])
      expect([site, await tryAll(client, { headers: { 'sec-fetch-site': site } })]).toEqual([site, [403]]);
  });

  it('[A1] cannot ask beforehand, and is told nothing about what it may', async () => {
    const { client } = await startWebServer();
    const asking = {
      origin: 'http://evil.test',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    };
    const { status, headers } = await client.send('OPTIONS', '/api/conversations', undefined, { headers: asking });
    expect(status).toBe(403);
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('[A1] that changes something must say where it comes from', async () => {
    const { client } = await startWebServer();
    const silent = { headers: { origin: undefined } };
    expect((await client.send('POST', '/api/conversations', {}, silent)).status).toBe(403);
    expect((await client.send('GET', '/api/state')).status).toBe(200);
  });

  it('[A3] opens no channel, even with a cookie that is valid, and a cookie in the address is none', async () => {
    const { client } = await startWebServer();
    const origins = ['http://evil.test', 'null', undefined];
    for (const origin of origins) {
      const { status } = await client.send('GET', '/api/stream', undefined, { headers: { ...upgrade, origin } });
      expect([origin, status]).toEqual([origin, 403]);
    }
    const own = { headers: { ...upgrade, origin: `http://127.0.0.1:${client.port}` } };
    expect((await client.send('GET', '/api/stream', undefined, own)).status).toBe(404);
    const value = client.cookie?.split('=')[1] ?? '';
    const bare = client.withCookie(undefined);
    for (const name of ['token', 'session', client.cookie?.split('=')[0] ?? ''])
      expect((await bare.send('GET', `/api/state?${name}=${value}`)).status).toBe(401);
  });

  it('[A1] twin: without these guards the same requests are answered', async () => {
    const open = await startWebServer({ guards: { origin: () => undefined, site: () => undefined } });
    const headers = { origin: 'http://evil.test', 'sec-fetch-site': 'cross-site' };
    expect((await open.client.send('POST', '/api/conversations', {}, { headers })).status).toBe(201);
  });
});

describe('a body', () => {
  const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } };

  it('[A1] that a form could send is refused', async () => {
    const { client } = await startWebServer();
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonp',
      '',
    ])
      expect([
        type,
        (await client.send('POST', '/api/conversations', {}, { headers: { 'content-type': type } })).status,
      ]).toEqual([type, 415]);
    const cut = await client.send('POST', '/api/conversations', undefined, { raw: '{"title":' });
    expect(cut.status).toBe(400);
  });

  it('[A1] twin: without that guard it is read', async () => {
    const { client } = await startWebServer({ guards: { isJson: () => true } });
    expect((await client.send('POST', '/api/conversations', {}, form)).status).toBe(201);
  });

  it('[A11] that is too large is refused, whatever it says of its size', async () => {
    const { client } = await startWebServer();
    const raw = JSON.stringify({ title: 'x'.repeat(70_000) });
    expect((await client.send('POST', '/api/conversations', undefined, { raw })).status).toBe(413);
    const chunked = { raw, headers: { 'content-length': undefined, 'transfer-encoding': 'chunked' } };
    expect((await client.send('POST', '/api/conversations', undefined, chunked)).status).toBe(413);
  });

  it('[A11] twin: without that guard it is read as far as its shape', async () => {
    const { client } = await startWebServer({ guards: { fits: () => true } });
    const raw = JSON.stringify({ title: 'x'.repeat(70_000) });
    expect((await client.send('POST', '/api/conversations', undefined, { raw })).status).toBe(400);
  });
});

describe('without a session', () => {
  it('[A11] [A47] every route but those that sign in answers 401, with ids of conversations and questions that exist, streams included', async () => {
    const { client } = await startWebServer();
    const { id } = await newConversation(client);
    const routes = await routesOf(client, id);
    expect(routes.filter((row) => row.isPublic).map((row) => `${row.method} ${row.path}`)).toEqual([
      'GET /healthz',
      `GET /link/${id}`,
      'POST /api/session',
    ]);
    expect(routes.length).toBeGreaterThan(25);
    const [name = ''] = client.cookie?.split('=') ?? [];
    const elsewhere = await startWebServer();
    const [, stolen = ''] = elsewhere.client.cookie?.split('=') ?? [];
    const cookies = [
      undefined,
      `${name}=`,
      `${name}=garbage`,
      `${name}=${stolen}`,
      `${name}=${stolen}; ${client.cookie}`,
      elsewhere.client.cookie,
      `x${client.cookie}`,
    ];
    for (const cookie of cookies) {
      for (const row of routes.filter((each) => !each.isPublic))
        expect([cookie, row, await tryRow(client.withCookie(cookie), row, {})]).toEqual([cookie, row, 401]);
      expect((await client.withCookie(cookie).send('GET', '/api/nothing-here')).status).toBe(401);
    }
    expect((await client.send('GET', '/api/nothing-here')).status).toBe(404);
  });

  it('[A5] no other header signs in, whatever a proxy or a client says', async () => {
    const { client } = await startWebServer();
    const value = client.cookie?.split('=')[1] ?? '';
    const given = [
      { authorization: `Bearer ${value}` },
      { 'x-api-key': value },
      { 'tailscale-user-login': 'me@example.org' },
      { 'x-forwarded-user': 'root', 'x-forwarded-for': '127.0.0.1', forwarded: 'for=127.0.0.1' },
      { 'remote-user': 'root' },
    ];
    for (const headers of given)
      expect((await client.withCookie(undefined).send('GET', '/api/state', undefined, { headers })).status).toBe(401);
  });

  it('[A11] twin: without that guard the same request is answered', async () => {
    const { client } = await startWebServer({ guards: { isSignedIn: () => true } });
    expect((await client.withCookie(undefined).send('GET', '/api/state')).status).toBe(200);
  });
});

describe('the link', () => {
  it('[A5] signs in once, and never a reader that only looks ahead', async () => {
    const { server, client } = await startWebServer();
    const link = server.newLink();
    const { pathname } = new URL(link);
    const bare = createWebClient(server.url);
    expect((await bare.send('HEAD', pathname)).status).not.toBe(303);
    expect((await bare.send('GET', pathname, undefined, { headers: { 'sec-purpose': 'prefetch' } })).status).toBe(401);
    expect((await bare.send('GET', pathname, undefined, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(
      403,
    );
    const second = await signIn(link);
    expect((await second.send('GET', '/api/state')).status).toBe(200);
    expect((await bare.send('GET', pathname)).status).toBe(401);
    expect((await second.send('GET', pathname)).status).toBe(303);
    for (const token of ['', 'x', `${pathname.slice(6)}x`, pathname.slice(6, -1)])
      expect((await bare.send('GET', `/link/${token}`)).headers['set-cookie']).toBeUndefined();
    await second.need('DELETE', '/api/session');
    expect((await second.send('GET', '/api/state')).status).toBe(401);
    expect((await client.send('GET', '/api/state')).status).toBe(200);
  });
});

describe('every answer', () => {
  it('says what to do where the web app is not built', async () => {
    const { client } = await startWebServer();
    const { status, text } = await client.withCookie(undefined).send('GET', '/c/some-conversation');
    expect([status, text]).toEqual([503, expect.stringContaining('npm run build')]);
    expect((await client.send('GET', '/assets/none.js')).status).toBe(404);
  });

  it('[A38] forbids inline script, foreign content and frames, and no static path leads out of its folder', async () => {
    const { client, webFolder, stateFolder } = await startWebServer();
    mkdirSync(path.join(webFolder, 'assets'), { recursive: true });
    writeFileSync(path.join(webFolder, 'index.html'), '<!doctype html><title>app</title>');
    writeFileSync(path.join(webFolder, 'assets/app-12345678.js'), 'plain');
    writeFileSync(path.join(webFolder, 'assets/app-12345678.js.br'), 'packed');
    writeFileSync(path.join(stateFolder, 'secret.txt'), 'secret');
    const bare = client.withCookie(undefined);
    for (const at of ['/', '/healthz', '/api/state', '/assets/app-12345678.js', '/link/x', '/none.png']) {
      const { headers } = await bare.send('GET', at);
      const policy = headers['content-security-policy'] ?? '';
      expect(policy).toContain("default-src 'self'; script-src 'self'; style-src 'self'");
      expect(policy).toMatch(/frame-ancestors 'none'; base-uri 'none'; form-action 'self'/);
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
      expect([headers['x-content-type-options'], headers['referrer-policy']]).toEqual(['nosniff', 'no-referrer']);
    }
    for (const at of [
      '/../state/secret.txt',
      '/%2e%2e/state/secret.txt',
      '/..%2fstate%2fsecret.txt',
      '/assets/%00',
      '/%ff',
      '//etc/passwd',
    ])
      expect([at, (await bare.send('GET', at)).text.includes('secret')]).toEqual([at, false]);
    const packed = await bare.send('GET', '/assets/app-12345678.js', undefined, {
      headers: { 'accept-encoding': 'gzip, br' },
    });
    expect([packed.text, packed.headers['content-encoding'], packed.headers['cache-control']]).toEqual([
      'packed',
      'br',
      'public, max-age=31536000, immutable',
    ]);
    expect((await bare.send('GET', '/assets/app-12345678.js')).text).toBe('plain');
    const page = await bare.send('GET', '/c/some-conversation');
    expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-cache']);
    const known = { headers: { 'if-none-match': page.headers.etag } };
    expect((await bare.send('GET', '/', undefined, known)).status).toBe(304);
  });
});
