/** New hosts are asked about while a call runs: once, whoever waits for the answer. */
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leftOfNetworkWorlds, listen, openNetworkWorld, talk } from '../../../test/kit/network-world.ts';
import type { Access } from '../../contract/access.ts';
import type { Decision } from '../../contract/permission.ts';
import { createHostQuestions } from './host-questions.ts';

afterAll(() => expect(leftOfNetworkWorlds()).toEqual([]));

const server = createServer((_request, response) => void response.end('a page'));
let port = 0;

beforeAll(async () => {
  port = await listen(server);
});
afterAll(() => void server.close());

const names = Object.fromEntries(['a', 'b', 'c'].map((name) => [`${name}.example`, ['127.0.0.1']]));
const openWorld = (mode: 'allow-list' | 'on' = 'allow-list') =>
  openNetworkWorld({ names, settings: { mode, allowPrivate: Object.keys(names).map((name) => `${name}:${port}`) } });
const page = (host: string): string => `GET http://${host}:${port}/ HTTP/1.1\r\nConnection: close\r\n\r\n`;

type Asked = { readonly access: Access; answer(verdict: Decision['verdict']): void };

function attend() {
  const asked: Asked[] = [];
  const states: boolean[] = [];
  let heard = (): void => undefined;
  return {
    asked,
    states,
    asker: {
      request: (access: Access) =>
        new Promise<Decision>((resolve) => {
          asked.push({ access, answer: (verdict) => resolve({ verdict, reason: 'you said so' }) });
          heard();
        }),
      onQuestion: (isOpen: boolean) => void states.push(isOpen),
    },
    async next(count: number): Promise<void> {
      while (asked.length < count) await new Promise<void>((resolve) => (heard = resolve));
    },
  };
}

test('[K41] many connections to a new host wait for one answer, and nobody is asked again', async () => {
  const world = openWorld();
  const proxy = await world.openProxy();
  const person = attend();
  const watch = world.network.watch('conversation', person.asker);
  const pages = Promise.all(Array.from({ length: 20 }, () => talk(proxy, page('a.example'))));
  await person.next(1);
  expect(world.lookedUp).toEqual([]);
  person.asked[0]?.answer('allow');
  for (const each of await pages) expect(each).toContain('a page');
  expect(person.asked.map(({ access }) => access)).toEqual([
    { kind: 'url', url: `https://a.example:${port}/`, method: 'CONNECT' },
  ]);
  expect(person.states).toEqual([true, false]);
  watch.end();
  const later = attend();
  world.network.watch('conversation', later.asker);
  expect(await talk(proxy, page('a.example'))).toContain('a page');
  expect(later.asked).toEqual([]);
  await world.close();
});

test('[K41] a refused host is refused again without a question, with the reason in the result', async () => {
  const world = openWorld();
  const proxy = await world.openProxy();
  const person = attend();
  const watch = world.network.watch('conversation', person.asker);
  const first = talk(proxy, page('a.example'));
  await person.next(1);
  person.asked[0]?.answer('deny');
  for (const each of [await first, await talk(proxy, page('a.example'))]) {
    expect(each).toContain(`403 Forbidden`);
    expect(each).toContain(`Handrail: a.example:${port} was not reached: it is not on the allow list: you said so.`);
  }
  expect(person.asked.length).toBe(1);
  expect(watch.notes()).toEqual([
    `network: refused a.example:${port} (it is not on the allow list: you said so). The user can add "a.example" to sandbox.network.allow in settings.json, or allow it when asked.`,
  ]);
  expect((await world.network.listContacts()).map(({ decision, count }) => ({ decision, count }))).toEqual([
    { decision: 'refused', count: 2 },
  ]);
  await world.close();
});

test('two new hosts are asked about one after the other', async () => {
  const world = openWorld();
  const proxy = await world.openProxy();
  const person = attend();
  world.network.watch('conversation', person.asker);
  const pages = [talk(proxy, page('a.example')), talk(proxy, page('b.example'))];
  await person.next(1);
  person.asked[0]?.answer('allow');
  await person.next(2);
  person.asked[1]?.answer('deny');
  const answers = (await Promise.all(pages)).map((text) => text.slice(9, 12)).sort();
  expect(answers).toEqual(['200', '403']);
  await world.close();
});

test('an answer belongs to its conversation', async () => {
  const world = openWorld();
  const first = await world.openProxy('first');
  const second = await world.openProxy('second');
  const person = attend();
  world.network.watch('first', person.asker);
  const allowed = talk(first, page('a.example'));
  await person.next(1);
  person.asked[0]?.answer('allow');
  expect(await allowed).toContain('a page');
  expect(await talk(second, page('a.example'))).toContain('nobody can be asked');
  expect((await world.network.listContacts({ conversationId: 'second' })).map((entry) => entry.decision)).toEqual([
    'refused',
  ]);
  await world.close();
});

test('nobody is asked where the call has ended, and the twin with somebody there goes through', async () => {
  const world = openWorld();
  const proxy = await world.openProxy();
  const person = attend();
  world.network.watch('conversation', person.asker).end();
  expect(await talk(proxy, page('a.example'))).toContain('nobody can be asked');
  expect(person.asked).toEqual([]);
  world.network.watch('conversation', person.asker);
  const page2 = talk(proxy, page('a.example'));
  await person.next(1);
  person.asked[0]?.answer('allow');
  expect(await page2).toContain('a page');
  await world.close();
});

test('[K41] mode on asks nobody, and mode off opens nothing', async () => {
  const world = openWorld('on');
  const person = attend();
  world.network.watch('conversation', person.asker);
  expect(await talk(await world.openProxy(), page('a.example'))).toContain('a page');
  expect(person.asked).toEqual([]);
  world.settings.mode = 'off';
  expect(world.network.enter('conversation').wayOut).toBeUndefined();
  await world.close();
});

test('what is turned off while it is open is refused from then on', async () => {
  const world = openWorld('on');
  const proxy = await world.openProxy();
  world.settings.mode = 'off';
  expect(await talk(proxy, page('a.example'))).toContain('the network is off');
  await world.close();
});

test('a no holds for ten minutes, a yes for as long as the program runs', async () => {
  let nowMs = 0;
  const questions = createHostQuestions(() => nowMs);
  let verdict: Decision['verdict'] = 'deny';
  let count = 0;
  const asker = {
    request: () => {
      count += 1;
      return Promise.resolve<Decision>({ verdict, reason: '' });
    },
  };
  const target = { host: 'a.example', port: 443, isAddress: false };
  expect((await questions.ask(target, asker))?.isAllowed).toBe(false);
  nowMs = 9 * 60_000;
  expect((await questions.ask(target, asker))?.isAllowed).toBe(false);
  expect(count).toBe(1);
  nowMs = 11 * 60_000;
  verdict = 'allow';
  expect((await questions.ask(target, asker))?.isAllowed).toBe(true);
  nowMs = 24 * 3_600_000;
  expect(await questions.ask(target, undefined)).toMatchObject({ isAllowed: true });
  expect(count).toBe(2);
});

test('a question that fails refuses, and the next connection asks again', async () => {
  const world = openWorld();
  const proxy = await world.openProxy();
  let count = 0;
  const request = (): Promise<Decision> => {
    count += 1;
    return count === 1 ? Promise.reject(new Error('stopped')) : Promise.resolve({ verdict: 'allow', reason: '' });
  };
  world.network.watch('conversation', { request });
  expect(await talk(proxy, page('a.example'))).not.toContain('a page');
  expect(await talk(proxy, page('a.example'))).toContain('a page');
  await world.close();
});

test('[K41] a yes that was taken back is asked for again; where nobody is there the host is refused', async () => {
  const world = openWorld();
  const proxy = await world.openProxy();
  let isHeld = true;
  let count = 0;
  const asker = {
    request: () => Promise.resolve<Decision>({ verdict: (count += 1) > 0 ? 'allow' : 'deny', reason: '' }),
    holds: () => Promise.resolve(isHeld),
  };
  const watch = world.network.watch('conversation', asker);
  for (let each = 0; each < 2; each += 1) expect(await talk(proxy, page('a.example'))).toContain('a page');
  expect(count).toBe(1);
  expect(watch.reached()).toEqual(['a.example']);
  isHeld = false;
  expect(await talk(proxy, page('a.example'))).toContain('a page');
  expect(count).toBe(2);
  // What a call started may go on behind it, as long as the yes holds.
  isHeld = true;
  watch.end();
  expect(await talk(proxy, page('a.example'))).toContain('a page');
  isHeld = false;
  expect(await talk(proxy, page('a.example'))).toContain('nobody can be asked');
  expect(count).toBe(2);
  await world.close();
});
