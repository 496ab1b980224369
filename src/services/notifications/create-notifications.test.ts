import { expect, test } from 'vitest';
import type { PersonNotice } from '../../contract/notifications.ts';
import type { CallScope } from '../../contract/services.ts';
import { createNotifications, type NotificationOptions } from './create-notifications.ts';

const scope: CallScope = {
  callId: 'c1',
  conversation: { id: 'talk', workspace: '/', isThrowaway: false },
  granted: [],
  signal: new AbortController().signal,
};

function start(options: Partial<NotificationOptions> = {}) {
  const seen: PersonNotice[] = [];
  const owner = createNotifications({ listeners: [(notice) => seen.push(notice)], ...options });
  return { seen, hand: owner.forCall(scope) };
}

test('[K29] a notification reaches whoever follows, and says where it came up', async () => {
  const { seen, hand } = start();
  const { id, ways } = await hand.send({ title: 'Backup', message: 'It is done.' });
  expect(ways).toEqual(['browser']);
  expect(seen).toEqual([{ id, title: 'Backup', message: 'It is done.', conversationId: 'talk' }]);
});

test('[K29] a desktop that takes it counts as well, and nobody at all is a failure that says so', async () => {
  const { hand } = start({ listeners: [], showOnDesktop: () => Promise.resolve(true) });
  expect((await hand.send({ title: 'a', message: 'b' })).ways).toEqual(['desktop']);
  await expect(start({ listeners: [] }).hand.send({ title: 'a', message: 'b' })).rejects.toMatchObject({
    code: 'unavailable',
  });
  await expect(start({ listeners: [() => 0] }).hand.send({ title: 'a', message: 'b' })).rejects.toMatchObject({
    code: 'unavailable',
  });
});

test('[K29] text of others is one plain line, cut, without hidden characters', async () => {
  const { seen, hand } = start();
  await hand.send({ title: 'a\u202eb\u0000', message: `one\ntwo\u001b[31m ${'x'.repeat(2_000)}` });
  expect(seen[0]?.title).toBe('ab');
  expect(seen[0]?.message.startsWith('one two[31m xxx')).toBe(true);
  expect(seen[0]?.message).toHaveLength(1_000);
  await expect(hand.send({ title: 'a', message: ' \u200b\n' })).rejects.toMatchObject({ code: 'invalid_input' });
});

test('[K29] no more than ten a minute, however often it is asked for', async () => {
  let nowMs = 0;
  const { seen, hand } = start({ now: () => nowMs });
  for (let count = 0; count < 10; count += 1) await hand.send({ title: 'a', message: 'b' });
  await expect(hand.send({ title: 'a', message: 'b' })).rejects.toMatchObject({ code: 'busy' });
  nowMs = 60_000;
  await hand.send({ title: 'a', message: 'b' });
  expect(seen).toHaveLength(11);
});

test('[K29] without that limit eleven go through (twin)', async () => {
  const { seen, hand } = start({ now: () => 0, mostPerMinute: Number.POSITIVE_INFINITY });
  for (let count = 0; count < 11; count += 1) await hand.send({ title: 'a', message: 'b' });
  expect(seen).toHaveLength(11);
});
