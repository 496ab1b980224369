import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { WebNotice } from '../../contract/web-api.ts';
import { createTabDesk, type TabPort } from './serve-tabs.ts';
import type { ToTab } from './stream-messages.ts';

const snapshotOf = (running: readonly string[]): WebNotice => ({
  type: 'snapshot',
  ...{ questions: [], running, sandbox: { output: '' }, queues: [], serverId: 's' },
});

/** A server of streams: `/numbers` knows its items by number, `/api/stream` begins with a snapshot. */
async function startServer() {
  const items: string[] = [];
  const open = new Set<{ response: ServerResponse; isNumbered: boolean }>();
  const froms: string[] = [];
  let isSignedIn = true;
  const server = createServer((request, response) => {
    if (!isSignedIn) {
      response.writeHead(401, { 'content-type': 'application/json' });
      return void response.end(JSON.stringify({ error: { code: 'no_session', message: 'Open a new link.' } }));
    }
    const isNumbered = request.url === '/numbers';
    const from = String(request.headers['last-event-id'] ?? '');
    froms.push(`${request.url} ${from}`.trim());
    const reader = { response, isNumbered };
    open.add(reader);
    response.on('close', () => open.delete(reader));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': hello\n\n');
    if (isNumbered) for (let at = Number(from); at < items.length; at += 1) send(response, items[at] ?? '', at + 1);
    else send(response, JSON.stringify(snapshotOf(['a'])));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    fetch: ((path: string, options: RequestInit) => fetch(url + path, options)) as typeof globalThis.fetch,
    froms,
    connections: () => open.size,
    signOut: (isOut: boolean) => (isSignedIn = !isOut),
    breakAll: () => server.closeAllConnections(),
    add(text: string) {
      items.push(JSON.stringify(text));
      for (const { response, isNumbered } of open) if (isNumbered) send(response, items.at(-1) ?? '', items.length);
    },
    tell(notice: WebNotice) {
      for (const { response, isNumbered } of open) if (!isNumbered) send(response, JSON.stringify(notice));
    },
  };
}

const send = (response: ServerResponse, data: string, id?: number) =>
  response.write(`${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`);

function openTab() {
  const said: ToTab[] = [];
  const port: TabPort = { post: (message) => said.push(message) };
  const items = () => said.flatMap((each) => (each.type === 'items' ? each.items.map((item) => JSON.parse(item)) : []));
  return { port, said, items };
}

function openDesk(...given: Parameters<typeof createTabDesk>) {
  const desk = createTabDesk(...given);
  onTestFinished(() => desk.close());
  return desk;
}

const join = (seat: number, path: string, after?: number) => ({ type: 'join', seat, path, after }) as const;
// oxlint-disable-next-line vitest/require-awaited-expect-poll -- whoever calls this awaits what it asserts
const eventually = (look: () => unknown) => expect.poll(look, { timeout: 10_000, interval: 10 });

test('ten tabs share one connection, and each gets what is behind its own place, once and in order', async () => {
  const server = await startServer();
  for (let number = 1; number <= 500; number += 1) server.add(`n${number}`);
  const desk = openDesk(server.fetch);
  const tabs = Array.from({ length: 10 }, openTab);
  const from = (at: number) => (at * 137) % 490;
  for (const [at, tab] of tabs.entries()) {
    desk.hear(tab.port, join(1, '/numbers', from(at)));
    server.add(`late${at}`);
    await eventually(() => tab.items().at(-1)).toBe(`late${at}`);
  }
  const all = [...Array.from({ length: 500 }, (_, at) => `n${at + 1}`), ...tabs.map((_, at) => `late${at}`)];
  for (const [at, tab] of tabs.entries()) {
    await eventually(() => tab.items().at(-1)).toBe('late9');
    expect(tab.items()).toEqual(all.slice(from(at)));
  }
  expect(server.connections()).toBe(1);
  // A connection that breaks is begun anew where the newest item was: nobody loses or repeats anything.
  server.breakAll();
  server.add('after the break');
  for (const [at, tab] of tabs.entries()) {
    await eventually(() => tab.items().at(-1)).toBe('after the break');
    expect(tab.items()).toEqual([...all.slice(from(at)), 'after the break']);
  }
});

test('a tab that joins later is told the state of things as it is by then', async () => {
  const server = await startServer();
  const desk = openDesk(server.fetch);
  const [one, two] = [openTab(), openTab()];
  desk.hear(one.port, join(1, '/api/stream'));
  await eventually(() => one.items().length).toBe(1);
  server.tell({ type: 'running', conversationId: 'b', isRunning: true });
  server.tell({ type: 'running', conversationId: 'a', isRunning: false });
  await eventually(() => one.items().length).toBe(3);
  desk.hear(two.port, join(1, '/api/stream'));
  await eventually(() => two.items()).toEqual([snapshotOf(['b'])]);
  expect(server.froms).toEqual(['/api/stream']);
});

test('a connection ends with its last reader: by leaving, by closing the tab, by silence', async () => {
  const server = await startServer();
  let nowMs = 0;
  const desk = openDesk(server.fetch, { now: () => nowMs, sweepMs: 5 });
  const tabs = [openTab(), openTab(), openTab(), openTab()] as const;
  for (const tab of tabs) desk.hear(tab.port, join(7, '/numbers', 0));
  await eventually(() => server.connections()).toBe(1);
  desk.hear(tabs[0].port, { type: 'leave', seat: 7 });
  desk.hear(tabs[1].port, { type: 'bye' });
  nowMs = 4 * 60_000;
  desk.hear(tabs[2].port, { type: 'alive' });
  server.add('x');
  await eventually(() => tabs[2].items()).toEqual(['x']);
  expect([tabs[0].items(), tabs[1].items(), tabs[3].items()]).toEqual([[], [], ['x']]);
  nowMs = 6 * 60_000;
  // Whoever was silent for too long is told so at its next sign, and joins again.
  await eventually(() => {
    server.add('more');
    return tabs[2].items().length - tabs[3].items().length;
  }).toBeGreaterThan(2);
  desk.hear(tabs[3].port, { type: 'alive' });
  expect(tabs[3].said.at(-1)).toEqual({ type: 'forgotten' });
  expect(server.connections()).toBe(1);
  desk.forget(tabs[2].port);
  await eventually(() => server.connections()).toBe(0);
});

test('a refusal reaches every tab in words, and whoever comes after a new sign-in is let in', async () => {
  const server = await startServer();
  server.signOut(true);
  const desk = openDesk(server.fetch);
  const [one, two] = [openTab(), openTab()];
  desk.hear(one.port, join(1, '/numbers', 0));
  await eventually(() => one.said.at(-1)).toEqual({
    type: 'state',
    seat: 1,
    state: { kind: 'refused', code: 'no_session', message: 'Open a new link.' },
  });
  server.signOut(false);
  server.add('x');
  desk.hear(two.port, join(1, '/numbers', 0));
  for (const tab of [one, two]) await eventually(() => tab.items()).toEqual(['x']);
  expect(server.connections()).toBe(1);
});
