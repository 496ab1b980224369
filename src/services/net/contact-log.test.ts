/** The record of contacts: small, complete and without anything private in it. */
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { leftOfNetworkWorlds, listen, openNetworkWorld, openTunnel, talk } from '../../../test/kit/network-world.ts';
import type { Contact } from '../../contract/contacts.ts';
import { createContactLog } from './contact-log.ts';

afterAll(() => expect(leftOfNetworkWorlds()).toEqual([]));

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'handrail-contacts-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const contact = (host: string, more: Partial<Contact> = {}): Contact => ({
  ...{ conversationId: 'one', host, port: 443, decision: 'allowed' },
  ...more,
});

test('equal contacts that come together are one entry with their sums', async () => {
  mkdirSync(join(folder, 'a'));
  const log = createContactLog({ file: join(folder, 'a', 'contacts.jsonl') });
  for (let count = 0; count < 1000; count += 1) log.add(contact('a.example', { bytesSent: 2, bytesReceived: 3 }));
  log.add(contact('a.example', { port: 80 }));
  const entries = await log.list();
  expect(entries.map(({ port, count, bytesSent, bytesReceived }) => [port, count, bytesSent, bytesReceived])).toEqual([
    [80, 1, 0, 0],
    [443, 1000, 2000, 3000],
  ]);
  expect(statSync(join(folder, 'a', 'contacts.jsonl')).mode & 0o777).toBe(0o600);
});

test('the file keeps its size, the newest stay, and a torn line harms nobody', async () => {
  const file = join(folder, 'contacts.jsonl');
  const log = createContactLog({ file, maxBytes: 2000 });
  for (let count = 0; count < 100; count += 1) {
    log.add(contact(`h${count}.example`));
    log.flush();
  }
  expect(statSync(file).size).toBeLessThanOrEqual(2000);
  expect(statSync(`${file}.1`).size).toBeLessThanOrEqual(2000);
  appendFileSync(file, '{"torn');
  const entries = await log.list({ limit: 5 });
  expect(entries.map((entry) => entry.host)).toEqual([99, 98, 97, 96, 95].map((count) => `h${count}.example`));
});

test('no path, query, credential or header gets in', async () => {
  const world = openNetworkWorld({ settings: { mode: 'on' } });
  const proxy = await world.openProxy();
  const line =
    'GET http://user:password@a.example/path?key=secret HTTP/1.1\r\nAuthorization: hidden\r\nConnection: close\r\n\r\n';
  expect(await talk(proxy, line)).not.toMatch(/password|path|secret|hidden/);
  expect(await talk(proxy, 'GET http://a.example:x/path?key=secret HTTP/1.1\r\nConnection: close\r\n\r\n')).not.toMatch(
    /path|secret/,
  );
  await world.network.listContacts();
  const text = readFileSync(world.contactFile, 'utf8');
  expect(text).toContain('a.example');
  expect(text).not.toMatch(/user|password|path|secret|hidden/);
  await world.close();
});

test('nothing is recorded after the close, and nothing waits for the end of the process', () => {
  const file = join(folder, 'contacts.jsonl');
  const before = process.listenerCount('exit');
  const log = createContactLog({ file });
  log.add(contact('a.example'));
  log.close();
  expect(readFileSync(file, 'utf8')).toContain('a.example');
  rmSync(file);
  log.add(contact('b.example'));
  log.flush();
  expect([existsSync(file), process.listenerCount('exit')]).toEqual([false, before]);
});

test('a connection that is open at the end is in the record, with its bytes, before the network has closed', async () => {
  const server = createServer((socket) => socket.pipe(socket));
  const target = `127.0.0.1:${await listen(server)}`;
  const file = join(folder, 'kept.jsonl');
  const network = openNetworkWorld({ contactFile: file, settings: { allow: [target], allowPrivate: [target] } });
  const tunnel = await openTunnel(await network.openProxy(), target);
  if (typeof tunnel === 'string') throw new Error(tunnel);
  tunnel.on('error', () => undefined).write('12345');
  await new Promise((resolve) => tunnel.once('data', resolve).resume());
  await network.close();
  server.close();
  const [entry] = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(entry).toMatchObject({ host: '127.0.0.1', decision: 'allowed', bytesSent: 5, bytesReceived: 5 });
});
