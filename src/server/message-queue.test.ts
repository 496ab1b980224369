import { expect, test } from 'vitest';
import type { WebNewQueuedMessage, WebQueue } from '../contract/web-api.ts';
import { createMessageQueue } from './message-queue.ts';

/** A server whose turns end when the test says so. */
function createWorld() {
  const sent: string[] = [];
  const changes: WebQueue[] = [];
  let isTurn = false;
  let problem: Error | undefined;
  const queue = createMessageQueue({
    hasTurn: () => isTurn,
    async send(_id, message: WebNewQueuedMessage) {
      if (problem !== undefined) throw problem;
      isTurn = true;
      sent.push(message.text);
    },
    changed: (changed) => changes.push(changed),
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    ...{ queue, sent, changes, settle },
    begin: () => (isTurn = true),
    fail: (error: Error | undefined) => (problem = error),
    async end(reason: Parameters<typeof queue.turnEnded>[1]) {
      isTurn = false;
      queue.turnEnded('c', reason);
      await settle();
    },
    add: (text: string, more: { isHeld?: true } = {}) => queue.add('c', { id: text, text, ...more }),
    waiting: () => queue.all().flatMap((each) => each.messages.map(({ text }) => text)),
  };
}

test('messages go out in order, each when the turn before it has ended, and at once where none runs', async () => {
  const { queue, sent, add, end, settle, waiting, changes } = createWorld();
  add('one');
  await settle();
  add('two');
  add('three');
  add('three');
  queue.change('c', 'two', 'two and a half');
  expect([sent, waiting()]).toEqual([['one'], ['two and a half', 'three']]);
  await end('answer');
  await end('rounds');
  await end('answer');
  expect(sent).toEqual(['one', 'two and a half', 'three']);
  expect(changes.at(-1)).toEqual({ conversationId: 'c', messages: [], isHeld: false });
  expect(queue.all()).toEqual([]);
});

test('after a turn that was stopped or failed they wait until a person says so', async () => {
  for (const reason of ['stopped', 'failed', 'budget', undefined] as const) {
    const { queue, sent, begin, add, end, settle } = createWorld();
    begin();
    add('one');
    await end(reason);
    await settle();
    expect([sent, queue.all()[0]?.isHeld]).toEqual([[], true]);
    queue.release('c');
    await settle();
    expect(sent).toEqual(['one']);
  }
});

test('one that cannot be sent stays, with the reason, and holds those behind it', async () => {
  const { queue, sent, fail, add, settle } = createWorld();
  fail(new Error('No model is connected.'));
  add('one');
  await settle();
  add('two');
  await settle();
  expect(queue.all()).toMatchObject([{ isHeld: true, problem: 'No model is connected.', messages: [{}, {}] }]);
  fail(undefined);
  queue.release('c');
  await settle();
  expect(sent).toEqual(['one']);
});

test('what was brought back after a restart is held; what was removed or sent can be changed no more', async () => {
  const { queue, sent, begin, add, end, settle, waiting } = createWorld();
  begin();
  add('one', { isHeld: true });
  add('two');
  queue.remove('c', 'one');
  await end('answer');
  expect([sent, waiting()]).toEqual([[], ['two']]);
  queue.release('c');
  await settle();
  expect(sent).toEqual(['two']);
  expect(() => queue.remove('c', 'two')).toThrow('does not wait any more');
  expect(() => queue.change('c', 'one', 'x')).toThrow('does not wait any more');
  queue.drop('c');
  expect(queue.all()).toEqual([]);
});

test('twenty wait at most', () => {
  const { add, begin } = createWorld();
  begin();
  for (let count = 0; count < 20; count += 1) add(`n${count}`);
  expect(() => add('one more')).toThrow('20 messages wait already');
});
