/** The proxy by its wire: pages, tunnels and SOCKS to real servers, decided on one by one. */
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createNetServer, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  leftOfNetworkWorlds,
  listen,
  openNetworkWorld,
  openTunnel,
  socksConnect,
  talk,
} from '../../../test/kit/network-world.ts';

afterAll(() => expect(leftOfNetworkWorlds()).toEqual([]));

const seen: IncomingMessage[] = [];
const pages = createServer((request, response) => {
  seen.push(request);
  const body: Buffer[] = [];
  request.on('data', (chunk: Buffer) => body.push(chunk));
  request.on('end', () => {
    response.setHeader('X-Two', ['a', 'b']);
    response.setHeader('Connection', 'X-Hop');
    response.setHeader('X-Hop', 'for the proxy');
    response.end(`${request.method} ${request.url} ${createHash('sha256').update(Buffer.concat(body)).digest('hex')}`);
  });
});
const tlsFolder = mkdtempSync(join(tmpdir(), 'handrail-tls-'));
let pagesPort = 0;
let tlsPort = 0;
let tlsServer: ReturnType<typeof createTlsServer>;

beforeAll(async () => {
  pagesPort = await listen(pages);
  const [key, cert] = [join(tlsFolder, 'key.pem'), join(tlsFolder, 'cert.pem')];
  const subject = ['-subj', '/CN=a.example', '-addext', 'subjectAltName=DNS:a.example,DNS:b.example,DNS:c.example'];
  const how = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', ...how, '-keyout', key, '-out', cert, ...subject], { stdio: 'ignore' });
  tlsServer = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (socket) => {
    socket.on('error', () => undefined);
    socket.end('secret page');
  });
  tlsPort = await listen(tlsServer);
});

afterAll(() => {
  pages.close();
  tlsServer.close();
  rmSync(tlsFolder, { recursive: true, force: true });
});

/** Every name leads to this machine, and the test's two servers may be reached by any of them. */
const toHere = { 'a.example': ['127.0.0.1'], 'b.example': ['127.0.0.1'], 'c.example': ['127.0.0.1'] };
const opened = (): string[] => Object.keys(toHere).flatMap((name) => [`${name}:${pagesPort}`, `${name}:${tlsPort}`]);

function worldOf(settings: Parameters<typeof openNetworkWorld>[0] = {}) {
  return openNetworkWorld({ names: toHere, ...settings, settings: { allowPrivate: opened(), ...settings.settings } });
}

const get = (host: string, more = ''): string =>
  `GET http://${host}:${pagesPort}/x?y HTTP/1.1\r\nHost: other\r\n${more}\r\n`;

test('[A37] the address of a request decides, whatever its Host says; nothing meant for the proxy goes on', async () => {
  const world = worldOf();
  const port = await world.openProxy();
  const more =
    'Connection: close, X-Mine\r\nX-Mine: 1\r\nX-Kept: 1\r\nProxy-Authorization: Basic eDp5\r\nUpgrade: websocket\r\nTE: trailers\r\n';
  const answer = await talk(port, get('a.example', more));
  const { rawHeaders } = seen.at(-1) ?? { rawHeaders: [] };
  expect(rawHeaders).toEqual(['X-Kept', '1', 'Host', `a.example:${pagesPort}`, 'Connection', 'close']);
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK/);
  expect(answer).toContain('X-Two: a\r\nX-Two: b\r\n');
  expect(answer).not.toContain('X-Hop');
  await world.close();
});

test('[A35] each request of one connection is decided on by itself', async () => {
  const world = worldOf({ settings: { mode: 'on', deny: ['b.example'] } });
  const port = await world.openProxy();
  const three = get('a.example') + get('b.example') + get('a.example', 'Connection: close\r\n');
  const answer = await talk(port, three);
  expect([...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1]).slice(0, 2)).toEqual(['200', '403']);
  expect(answer).toContain(`Handrail: b.example:${pagesPort} was not reached: sandbox.network.deny names b.example`);
  expect(seen.filter((request) => request.headers.host?.startsWith('b.'))).toEqual([]);
  await world.close();
});

test('bodies go both ways unchanged, by length and in chunks', async () => {
  const world = worldOf();
  const port = await world.openProxy();
  const body = randomBytes(300_000);
  const hash = createHash('sha256').update(body).digest('hex');
  const head = `POST http://a.example:${pagesPort}/up HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`;
  const whole = Buffer.concat([Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n`), body]);
  expect(await talk(port, whole)).toContain(`POST /up ${hash}`);
  const chunk = Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]);
  expect(await talk(port, Buffer.concat([Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n`), chunk]))).toContain(
    hash,
  );
  await world.close();
});

test('[A34] a request whose length can be read in two ways is refused', async () => {
  const world = worldOf();
  const port = await world.openProxy();
  const before = seen.length;
  const both = get('a.example', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n');
  expect(await talk(port, `${both}0\r\n\r\n`)).toContain('400 Bad Request');
  expect(await talk(port, get('a.example', 'Content-Length: 5\r\nContent-Length: 6\r\n'))).toContain('400 Bad Request');
  expect(seen.length).toBe(before);
  await world.close();
});

test('a tunnel carries every byte, and one side may end before the other', async () => {
  const world = worldOf();
  const echo = createNetServer({ allowHalfOpen: true }, (socket: Socket) => {
    const got: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => got.push(chunk));
    // Only answers when the other side has ended.
    socket.on('end', () => socket.end(Buffer.concat(got)));
  });
  const echoPort = await listen(echo);
  world.settings.allowPrivate = [`a.example:${echoPort}`];
  const proxy = await world.openProxy();
  const sent = randomBytes(2_000_000);
  for (const open of [
    async () => openTunnel(proxy, `a.example:${echoPort}`),
    async () => (await socksConnect(proxy, 'a.example', echoPort)).socket,
  ]) {
    const socket = await open();
    if (typeof socket === 'string') throw new Error(socket);
    const got: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => got.push(chunk));
    const ended = new Promise((resolve) => void socket.once('end', resolve));
    socket.resume().end(sent);
    await ended;
    expect(Buffer.concat(got).equals(sent)).toBe(true);
  }
  echo.close();
  await vi.waitFor(async () => {
    const contacts = await world.network.listContacts();
    expect(contacts[0]).toMatchObject({ host: 'a.example', port: echoPort, address: '127.0.0.1', decision: 'allowed' });
    expect(contacts.reduce((sum, entry) => sum + entry.bytesSent, 0)).toBe(2 * sent.length);
    expect(contacts.reduce((sum, entry) => sum + entry.bytesReceived, 0)).toBe(2 * sent.length);
  });
  await world.close();
});

test('SOCKS 4a connects by name, and what is no CONNECT is refused', async () => {
  const world = worldOf();
  const proxy = await world.openProxy();
  const port = Buffer.from([pagesPort >> 8, pagesPort & 0xff]);
  const request = Buffer.concat([Buffer.from([4, 1]), port, Buffer.from([0, 0, 0, 1, 0]), Buffer.from('a.example\0')]);
  const page = Buffer.from('GET /four HTTP/1.0\r\n\r\n');
  expect(await talk(proxy, Buffer.concat([request, page]))).toContain('GET /four');
  const bind = Buffer.concat([Buffer.from([5, 1, 0, 5, 2, 0, 3, 9]), Buffer.from('a.example'), port]);
  expect(Buffer.from(await talk(proxy, bind), 'latin1')[3]).toBe(7);
  const noMethod = await talk(proxy, Buffer.from([5, 1, 2]));
  expect(Buffer.from(noMethod, 'latin1')).toEqual(Buffer.from([5, 0xff]));
  await world.close();
});

async function page(proxy: number, target: string, servername: string): Promise<string> {
  const socket = await openTunnel(proxy, `${target}:${tlsPort}`);
  if (typeof socket === 'string') return socket;
  return new Promise((resolve) => {
    const secure = connectTls({ socket, servername, rejectUnauthorized: false });
    let got = '';
    secure.on('data', (chunk: Buffer) => (got += chunk.toString()));
    secure.on('error', (error) => resolve(error.message));
    secure.on('close', () => resolve(got));
  });
}

test('[A37] a tunnel to an allowed host cannot ask for a forbidden one inside', async () => {
  const world = worldOf({ settings: { mode: 'allow-list', allow: ['a.example', 'c.example'] } });
  const proxy = await world.openProxy();
  const watch = world.network.watch('conversation');
  expect(await page(proxy, 'a.example', 'a.example')).toBe('secret page');
  expect(await page(proxy, 'a.example', 'A.Example')).toBe('secret page');
  expect(await page(proxy, 'a.example', 'c.example')).toBe('secret page');
  expect(await page(proxy, 'a.example', 'b.example')).toMatch(/unrecognized name/i);
  expect(watch.notes()).toEqual([
    `network: refused a.example:${tlsPort} (the encrypted connection to a.example:${tlsPort} asked for b.example inside). Connect to b.example under its own name.`,
  ]);
  expect((await world.network.listContacts())[0]).toMatchObject({ decision: 'refused', host: 'a.example' });
  // The twin: the same talk passes where the host is allowed.
  world.settings.allow = ['a.example', 'b.example'];
  expect(await page(proxy, 'a.example', 'b.example')).toBe('secret page');
  await world.close();
});

test('[A37] the name is found in a first message that comes byte by byte', async () => {
  const world = worldOf({ settings: { mode: 'allow-list', allow: ['a.example'] } });
  const proxy = await world.openProxy();
  const socket = await openTunnel(proxy, `a.example:${tlsPort}`);
  if (typeof socket === 'string') throw new Error(socket);
  const between = createNetServer((client) => {
    client.on('error', () => undefined);
    client.on('data', (chunk: Buffer) => {
      for (const byte of chunk) socket.write(Buffer.from([byte]));
    });
    socket.pipe(client);
  });
  const port = await listen(between);
  const message = await new Promise<string>((resolve) => {
    const secure = connectTls({ port, host: '127.0.0.1', servername: 'b.example', rejectUnauthorized: false });
    secure.on('error', (error) => resolve(error.message));
    secure.on('secureConnect', () => resolve('connected'));
  });
  expect(message).toMatch(/unrecognized name/i);
  between.close();
  await world.close();
});

test('[A37] an address is asked about as an address, and stays refused when nobody answers', async () => {
  const world = worldOf({ settings: { mode: 'allow-list', allow: ['a.example'] } });
  const proxy = await world.openProxy();
  const answer = await talk(proxy, 'CONNECT 93.184.216.34:443 HTTP/1.1\r\n\r\n');
  expect(answer).toContain(
    'Handrail: 93.184.216.34:443 was not reached: it is not on the allow list and nobody can be asked.',
  );
  await world.close();
});

test('[A37] a name that is not allowed is never looked up, so that it cannot carry anything out', async () => {
  const world = worldOf({ settings: { mode: 'allow-list', allow: ['*.a.example'] } });
  const proxy = await world.openProxy();
  for (const host of ['c2VjcmV0.b.example', 'a.example', 'xa.example', 'a.example.b.example']) {
    expect(await talk(proxy, `CONNECT ${host}:443 HTTP/1.1\r\n\r\n`), host).toContain('403');
  }
  expect(world.lookedUp).toEqual([]);
  world.settings.mode = 'on';
  await talk(proxy, 'CONNECT c2VjcmV0.b.example:443 HTTP/1.1\r\n\r\n');
  expect(world.lookedUp).toEqual(['c2vjcmv0.b.example']);
  await world.close();
});

test('[A35] a name is looked up once per connection, and what was judged is what is dialled', async () => {
  const answers = [['93.184.216.34'], ['127.0.0.1'], ['127.0.0.1', '93.184.216.34'], ['10.0.0.1', '::1']];
  const dialled: (readonly string[])[] = [];
  let lookUps = 0;
  const world = worldOf({
    lookUp: () => Promise.resolve(answers[lookUps++] ?? []),
    dial(addresses) {
      dialled.push(addresses);
      return new Promise((resolve) => {
        const socket = connect({ port: pagesPort, host: '127.0.0.1' }, () => resolve(socket));
      });
    },
  });
  const proxy = await world.openProxy();
  const statuses: string[] = [];
  for (const _ of answers)
    statuses.push((await talk(proxy, get('swing.example', 'Connection: close\r\n'))).slice(9, 12));
  expect(statuses).toEqual(['200', '403', '200', '403']);
  expect(dialled).toEqual([['93.184.216.34'], ['93.184.216.34']]);
  expect(lookUps).toBe(4);
  await world.close();
});

test('a host that is not there, and one that breaks off, are said by name', async () => {
  const world = worldOf();
  const proxy = await world.openProxy();
  expect(await talk(proxy, get('nowhere.example'))).toContain(
    'Handrail: the name nowhere.example could not be looked up',
  );
  const breaking = createNetServer((socket) => socket.destroy());
  const port = await listen(breaking);
  world.settings.allowPrivate = [`a.example:${port}`];
  const answer = await talk(proxy, `GET http://a.example:${port}/ HTTP/1.1\r\nConnection: close\r\n\r\n`);
  expect(answer).toContain(`Handrail: a.example:${port} broke off`);
  breaking.close();
  await new Promise((resolve) => void breaking.once('close', resolve));
  const gone = await talk(proxy, `CONNECT a.example:${port} HTTP/1.1\r\n\r\n`);
  expect(gone).toContain(`Handrail: a.example:${port} could not be connected to (ECONNREFUSED).`);
  await world.close();
});

test('what is no proxy request is answered with what to do, and no address in full', async () => {
  const world = worldOf();
  const proxy = await world.openProxy();
  expect(await talk(proxy, 'GET / HTTP/1.1\r\nHost: a.example\r\n\r\n', (got) => got.includes('address'))).toContain(
    'requests name their whole address',
  );
  const secure = await talk(
    proxy,
    'GET https://u:pw@a.example/?key=1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  );
  expect(secure).toContain('https goes by CONNECT');
  expect(secure).not.toMatch(/pw|key=/);
  await world.close();
});

test('connections beyond the cap are refused, and ended ones make room', async () => {
  const world = worldOf();
  const proxy = await world.openProxy();
  const sockets = await Promise.all(Array.from({ length: 200 }, () => openTunnel(proxy, `a.example:${pagesPort}`)));
  expect(await talk(proxy, get('a.example'))).toContain('503');
  for (const socket of sockets) if (typeof socket !== 'string') socket.destroy();
  await vi.waitFor(async () => {
    expect(await talk(proxy, get('a.example', 'Connection: close\r\n'))).toContain('200 OK');
  }, 10_000);
  await world.close();
});

test('a package host may have a reserved address, as mirrors have; a private one it may not', async () => {
  const packages = {
    hosts: () => Promise.resolve(['mirror.example', 'inner.example']),
    setup: () => ({ variables: {}, npmrc: '' }),
  };
  const names = { 'mirror.example': ['203.0.113.80'], 'inner.example': ['10.1.2.3'], 'b.example': ['203.0.113.80'] };
  const dialled: string[] = [];
  const dial = (addresses: readonly string[]): Promise<Socket> => {
    dialled.push(...addresses);
    return Promise.reject(new Error('not dialled in tests'));
  };
  const world = openNetworkWorld({ packages, names, dial, settings: { mode: 'allow-list' } });
  const proxy = await world.openProxy();
  for (const name of Object.keys(names)) await talk(proxy, `CONNECT ${name}:443 HTTP/1.1\r\n\r\n`);
  expect(dialled).toEqual(['203.0.113.80']);
  await world.close();
});
