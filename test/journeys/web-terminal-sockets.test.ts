/** The sockets of terminals, through the port: who gets one, what ends it, and how much one may take. */
import { expect, test } from 'vitest';
import { eventually as pollUntil } from '../kit/browser.ts';
import { needSocket, openTerminal, trySocket } from '../kit/terminal-socket.ts';
import { newConversation, startWebServer } from '../kit/web-world.ts';
import { createWebClient, signIn } from '../kit/web-client.ts';

const eventually = (look: () => unknown) => pollUntil(look, 45_000);
const slow = { timeout: 60_000 };

test('[A3] [A2] [A47] a terminal is shown to a page of ours that is signed in, and to nobody else', slow, async () => {
  const { client, server } = await startWebServer();
  const { id } = await newConversation(client);
  const place = await openTerminal(client, id);
  const attempt = (headers: Record<string, string>, path?: string) =>
    trySocket(client, place, { headers, ...(path === undefined ? {} : { path }) });
  for (const origin of [
    'http://evil.test',
    'null',
    'absent',
    `http://localhost:${server.port}`,
    `https://127.0.0.1:${server.port}`,
  ])
    expect([origin, await attempt({ origin })]).toEqual([origin, 403]);
  for (const host of ['evil.test', `evil.test:${server.port}`, '0.0.0.0'])
    expect([host, await attempt({ host, origin: `http://${host}` })]).toEqual([host, 421]);
  expect(await attempt({ 'sec-fetch-site': 'cross-site' })).toBe(403);
  expect(await attempt({ 'sec-fetch-site': 'same-site' })).toBe(403);

  const [cookieName = '', value = ''] = (client.cookie ?? '').split('=');
  const stranger = createWebClient(client.url);
  expect(await trySocket(stranger, place)).toBe(401);
  expect(await trySocket(client.withCookie(`${cookieName}=x${value}`), place)).toBe(401);
  const at = `/api/terminals/${id}/session/socket`;
  for (const path of [`${at}?${cookieName}=${value}`, `${at}?token=${value}`])
    expect(await trySocket(stranger, place, { path })).toBe(401);
  for (const path of [
    `${at}?x`,
    `${at}/`,
    `/api/terminals/${id}/other/socket`,
    '/api/terminals/no-such-chat/session/socket',
    `/api/terminals/${id}/%73ession/socket`,
    '/api/stream',
    '/',
  ])
    expect([path, await attempt({}, path)]).toEqual([path, 404]);

  const page = await needSocket(client, place);
  page.type('echo =$((6*7))=\r');
  await eventually(page.text).toContain('=42=');
});

test(
  '[A3] twin: without the guards a foreign page with the cookie, and one with none, has the terminal',
  slow,
  async () => {
    const { client } = await startWebServer({
      guards: { host: () => undefined, origin: () => undefined, site: () => undefined, isSignedIn: () => true },
    });
    const place = await openTerminal(client);
    const hostile = { origin: 'http://evil.test', host: 'evil.test', 'sec-fetch-site': 'cross-site' };
    const page = await needSocket(createWebClient(client.url), place, { headers: hostile });
    page.type('echo =$((6*7))=\r');
    await eventually(page.text).toContain('=42=');
    expect(page.socket.readyState).toBe(page.socket.OPEN);
  },
);

test(
  'oversized messages, garbage and sizes that are none close the socket, and the terminal goes on',
  slow,
  async () => {
    const { client } = await startWebServer({ socketLimits: { maxMessageBytes: 1_000 } });
    const place = await openTerminal(client);
    const wrong: readonly (readonly [string | Buffer, number])[] = [
      [Buffer.alloc(1_001, 'x'), 1009],
      ['no JSON', 4000],
      ['{"type":"open"}', 4000],
      ['{"type":"size","columns":0,"rows":24}', 4000],
      ['{"type":"size","columns":1e9,"rows":24}', 4000],
      ['{"type":"size","columns":80,"rows":24,"session":"x"}', 4000],
    ];
    for (const [message, code] of wrong) {
      const page = await needSocket(client, place);
      page.socket.send(message);
      expect([String(message).slice(0, 40), await page.closed]).toEqual([String(message).slice(0, 40), code]);
    }
    const page = await needSocket(client, place);
    page.type('\u0000\u00ff\u001b[999;999H\r');
    await eventually(() => {
      page.type('\recho =$((6*7))=\r');
      return page.text();
    }).toContain('=42=');
  },
);

test('twin: with the usual limit the same message is taken', slow, async () => {
  const { client } = await startWebServer();
  const page = await needSocket(client, await openTerminal(client));
  page.type(`#${'x'.repeat(1_001)}\r`);
  page.type('echo =$((6*7))=\r');
  await eventually(page.text).toContain('=42=');
  expect(page.socket.readyState).toBe(page.socket.OPEN);
});

test('so many pages and no more look at terminals; one that leaves makes room', slow, async () => {
  const { client } = await startWebServer({ socketLimits: { maxSockets: 2 } });
  const place = await openTerminal(client);
  const first = await needSocket(client, place);
  await needSocket(client, place);
  expect(await trySocket(client, place)).toBe(429);
  first.socket.close();
  await first.closed;
  await eventually(async () => typeof (await trySocket(client, place))).toBe('object');
});

test('a page that does not answer a ping is let go', slow, async () => {
  const { client } = await startWebServer({ socketLimits: { pingMs: 100 } });
  const place = await openTerminal(client);
  const deaf = await needSocket(client, place);
  const alive = await needSocket(client, place);
  deaf.socket.pong = () => undefined;
  expect(await deaf.closed).toBe(1006);
  expect(alive.socket.readyState).toBe(alive.socket.OPEN);
});

test('signing out, removing the conversation and the end of the server each close it', slow, async () => {
  const { client, server } = await startWebServer();
  const { id } = await newConversation(client);
  const place = await openTerminal(client, id);
  const removed = await needSocket(client, place);
  const temporary = await openTerminal(client);
  const stopped = await needSocket(client, temporary);
  await client.need('DELETE', `/api/conversations/${id}`);
  expect(await removed.closed).toBe(4001);
  expect(await trySocket(client, place)).toBe(404);

  const other = await signIn(server.newLink());
  const signedOut = await needSocket(other, temporary);
  await other.need('DELETE', '/api/session');
  expect(await signedOut.closed).toBe(4003);
  expect(await trySocket(other, temporary)).toBe(401);
  expect(stopped.socket.readyState).toBe(stopped.socket.OPEN);

  await server.close();
  expect([1001, 1006]).toContain(await stopped.closed);
});

test('two pages see one terminal; the size is that of the page that did something last', slow, async () => {
  const { client } = await startWebServer();
  const place = await openTerminal(client);
  const [desk, phone] = [await needSocket(client, place), await needSocket(client, place)];
  desk.say({ type: 'size', columns: 120, rows: 40 });
  await eventually(phone.messages).toContainEqual({ type: 'size', columns: 120, rows: 40 });
  phone.say({ type: 'size', columns: 40, rows: 20 });
  await eventually(desk.messages).toContainEqual({ type: 'size', columns: 40, rows: 20 });
  phone.type('stty size\r');
  await eventually(desk.text).toContain('20 40');
  await eventually(phone.text).toContain('20 40');
  desk.type('stty size\r');
  await eventually(phone.text).toContain('40 120');
  const later = await needSocket(client, place);
  await eventually(later.text).toContain('40 120');
  expect(later.socket.readyState).toBe(later.socket.OPEN);
});

test('a page that draws nothing gets little of 20 MB, and the newest state when it draws again', slow, async () => {
  const { client } = await startWebServer();
  const place = await openTerminal(client);
  const [page, blind] = [await needSocket(client, place), await needSocket(client, place, { isBlind: true })];
  page.type('head -c 20000000 /dev/zero | tr "\\0" x; echo; echo done-$((6*7))\r');
  // Meanwhile the server answers.
  await eventually(blind.bytes).toBeGreaterThan(400_000);
  expect((await client.send('GET', '/api/state')).status).toBe(200);
  await eventually(() => page.text().includes('done-42')).toBe(true);
  expect(blind.bytes()).toBeLessThan(2_000_000);
  blind.say({ type: 'seen', bytes: blind.bytes() });
  await eventually(() => blind.text().includes('done-42')).toBe(true);
  expect(blind.messages().filter(({ type }) => type === 'begin').length).toBe(2);
});

test('[S11] [S12] the temporary terminal ends with the server; that of a chat goes on', slow, async () => {
  const { client, server, handrail } = await startWebServer();
  const { id } = await newConversation(client);
  await openTerminal(client, id);
  const temporary = await openTerminal(client);
  // Asked for again, it is the same.
  expect(await openTerminal(client)).toEqual(temporary);
  const all = await handrail.terminals();
  const names = async () => (await all.list()).map(({ conversation, name }) => [conversation, name]).sort();
  expect(await names()).toEqual(
    [
      [id, 'session'],
      [temporary.conversation, temporary.name],
    ].sort(),
  );
  await server.close();
  expect(await names()).toEqual([[id, 'session']]);
  await all.close(id, 'session');
});
