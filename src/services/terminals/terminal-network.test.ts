/** Terminals and the network: who is asked about a new host, and what is said where nobody is. */
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import type { Access } from '../../contract/access.ts';
import type { Decision } from '../../contract/permission.ts';
import { listen } from '../../../test/kit/network-world.ts';
import { openTerminalWorld, type TerminalWorld } from '../../../test/kit/terminal-world.ts';

const server = createServer((_request, response) => void response.end('a page'));
let port = 0;
// Programs that go out start slowly on a busy machine.
vi.setConfig({ testTimeout: 60_000 });
beforeAll(async () => {
  port = await listen(server);
});
afterAll(() => void server.close());

function openWorld(allow: readonly string[] = []): TerminalWorld {
  const world = openTerminalWorld({ network: { allow }, allowPrivate: [`127.0.0.1:${port}`] });
  onTestFinished(async () => expect(await world.close()).toEqual([]));
  return world;
}

/** What the program would reach; NO_PROXY names what a sandbox has of its own. */
const curl = (): string => `curl -sS -m 30 --noproxy '' http://127.0.0.1:${port}/`;
/** The screen does not come to rest before the program has got its answer, however slow the machine is. */
const busyWith = (command: string): string =>
  `${command} & while kill -0 $! 2>/dev/null; do printf .; sleep 0.05; done; echo`;
/** A line that is told apart from itself as it is typed. */
const typed = (command: string, word: string): string =>
  `${command}; echo ${word.slice(0, -1)}''${word.slice(-1)}<enter>`;
/** Longer than any machine takes. */
const patient = { waitMs: 25_000 };

type Asked = { readonly accesses: Access[]; readonly request: (access: Access) => Promise<Decision> };
function createAsker(answer: () => Promise<Decision['verdict']>): Asked {
  const accesses: Access[] = [];
  return {
    accesses,
    async request(access) {
      accesses.push(access);
      return { verdict: await answer(), reason: 'the person said so' };
    },
  };
}
const url = (): Access => ({ kind: 'url', url: `https://127.0.0.1:${port}/`, method: 'CONNECT' });

it('[L17] what is typed asks for a new host by the call that is running; the wait begins again with the answer', async () => {
  const world = openWorld();
  let answerNow = (_verdict: Decision['verdict']): void => undefined;
  let isAsked = (): void => undefined;
  const asked = new Promise<void>((resolve) => (isAsked = resolve));
  const { accesses, request } = createAsker(() => {
    isAsked();
    return new Promise((resolve) => (answerNow = resolve));
  });
  await world.forConversation().open({ name: 'main' });
  const sent = world
    .forConversation('c1', world.owner, { request })
    .send('main', typed(busyWith(curl()), 'done'), { waitMs: 8_000 });
  await asked;
  // Longer than the wait: the call does not end while somebody reads the question.
  const first = await Promise.race([
    sent.then(() => 'sent'),
    new Promise((resolve) => setTimeout(resolve, 9_000, 'open')),
  ]);
  expect(first).toBe('open');
  answerNow('allow');
  await sent;
  const screen = await world.until('main', /done/);
  expect(screen.lines.join('\n')).toContain('a page');
  expect(accesses).toEqual([url()]);
  // The answer holds for the conversation, also where nobody is asked.
  await world.forConversation().send('main', `clear; ${curl()} && echo ag''ain<enter>`);
  await world.until('main', /again/);
  expect(accesses).toHaveLength(1);
});

it.each([
  { holds: false, asked: 2 },
  { holds: true, asked: 1 },
])(
  '[L17] a yes that holds ($holds) by the time of a later call is asked for $asked times',
  async ({ holds, asked }) => {
    const world = openWorld();
    const { accesses, request } = createAsker(() => Promise.resolve('allow'));
    const asking = world.forConversation('c1', world.owner, { request, holds: () => Promise.resolve(holds) });
    await asking.open({ name: 'main' });
    for (const word of ['first', 'second']) {
      await asking.send('main', `clear; ${typed(busyWith(curl()), `${word}-done`)}`, patient);
      await world.until('main', new RegExp(`${word}-done`));
    }
    expect(accesses).toHaveLength(asked);
  },
);

it('[L17] the program that a terminal is opened with asks by the call that opens it; a no is told to it', async () => {
  const world = openWorld();
  const { accesses, request } = createAsker(() => Promise.resolve('deny'));
  const command = `sh -c '${busyWith(curl().replaceAll("'", '"'))}; cat'`;
  await world.forConversation('c1', world.owner, { request }).open({ name: 'main', command, ...patient });
  const screen = await world.until('main', /was not reached/);
  expect(screen.lines.join(' ')).toContain('not on the allow list');
  expect(accesses).toEqual([url()]);
});

it('[L17] where no call is running nobody is asked: the host is refused, and the next look at the screen names it', async () => {
  const world = openWorld();
  const { accesses, request } = createAsker(() => Promise.resolve('allow'));
  const asking = world.forConversation('c1', world.owner, { request });
  await asking.open({ name: 'main' });
  await asking.send('main', `read wait; ${curl()}; echo; echo do''ne<enter>`);
  const notes: string[] = [];
  // As a person would type it: without a call.
  const view = await world.owner.all.attach('c1', 'main');
  view.write('go\r');
  await world.until('main', (screen) => {
    notes.push(...(screen.notes ?? []));
    return screen.lines.includes('done');
  });
  view.detach();
  notes.push(...((await world.forConversation().read('main')).notes ?? []));
  expect(notes.filter((note) => note.startsWith('network:'))).toEqual([
    expect.stringMatching(`refused 127\\.0\\.0\\.1:${port} .*nobody can be asked`),
  ]);
  expect(accesses).toEqual([]);
});

it('[L17] twin: a host that the settings allow is reached without anybody', async () => {
  const world = openWorld([`127.0.0.1:${port}`]);
  await world.forConversation().open({ name: 'main' });
  await world.forConversation().send('main', `${curl()}; echo; echo do''ne<enter>`);
  const screen = await world.until('main', /done/);
  expect(screen.lines.join('\n')).toContain('a page');
  expect(screen.notes ?? []).toEqual([]);
});

it('[L17] a host that was allowed for the conversation before is allowed to its terminals', async () => {
  const world = openWorld();
  const grantedHosts = () => Promise.resolve([`127.0.0.1:${port}`]);
  await world.forConversation('c1', world.owner, { grantedHosts }).open({ name: 'main' });
  await world.forConversation().send('main', `${curl()}; echo; echo do''ne<enter>`);
  expect((await world.until('main', /done/)).lines.join('\n')).toContain('a page');
});

it('[L17] a call that is stopped while its question is open leaves nobody waiting', async () => {
  const world = openWorld();
  const stop = new AbortController();
  let isAsked = (): void => undefined;
  const asked = new Promise<void>((resolve) => (isAsked = resolve));
  const { request } = createAsker(() => {
    isAsked();
    return new Promise((_resolve, reject) => stop.signal.addEventListener('abort', () => reject(stop.signal.reason)));
  });
  await world.forConversation().open({ name: 'main' });
  const asking = world.forConversation('c1', world.owner, { request, signal: stop.signal });
  const sent = asking.send('main', typed(busyWith(curl()), 'done'), patient);
  await asked;
  stop.abort(new Error('stopped'));
  await expect(sent).rejects.toThrow('stopped');
  expect((await world.until('main', /done/)).lines.join(' ')).toContain('was not reached');
});
