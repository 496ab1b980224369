import { expect, test } from 'vitest';
import type { WebSettings, WebSettingsChange } from '../../contract/web-settings.ts';
import { RequestFailure } from '../api/request.ts';
import { createSettingsStore, keyOf } from './create-settings-store.ts';

const rounds = ['limits', 'rounds'];
const words = { offline: 'offline', changed: 'changed' };

/** A server that holds one object, by what is written of it. */
function open() {
  let written: Record<string, unknown> = { model: 'a/b' };
  const sent: WebSettingsChange[] = [];
  const read = async () => ({ written, hash: JSON.stringify(written), wanted: {} }) as WebSettings;
  const store = createSettingsStore(
    {
      read,
      schema: async () => ({}),
      confirm: async () => ({ done: true }),
      async change(change) {
        sent.push(change);
        if (change.hash !== JSON.stringify(written)) throw new RequestFailure('conflict', 'meanwhile');
        const [edit] = change.edits;
        if (edit?.value === -1) throw new RequestFailure('misuse', 'at least 1');
        written = { ...written, [edit?.path.join('.') ?? '']: edit?.value };
        return read();
      },
    },
    words,
  );
  return {
    store,
    sent,
    write: (more: Record<string, unknown>) => (written = { ...written, ...more }),
    now: () => written,
  };
}

test('a change is shown at once and written in its turn', async () => {
  const { store, sent, now } = open();
  await store.read();
  const changes = [store.change([{ path: rounds, value: 3 }]), store.change([{ path: rounds, value: 4 }])];
  expect(store.get().pending.get(keyOf(rounds))).toBe(4);
  expect(await Promise.all(changes)).toEqual([true, true]);
  expect(sent).toHaveLength(2);
  expect(now()).toEqual({ model: 'a/b', 'limits.rounds': 4 });
  expect(store.get().pending.size).toBe(0);
});

test('what the server refuses is taken back, and its reason stands at the key until it is changed again', async () => {
  const { store } = open();
  await store.read();
  expect(await store.change([{ path: rounds, value: -1 }])).toBe(false);
  expect([store.get().pending.size, store.get().problems.get(keyOf(rounds))]).toEqual([0, 'at least 1']);
  expect(await store.change([{ path: rounds, value: 2 }])).toBe(true);
  expect(store.get().problems.size).toBe(0);
});

test('an edit made meanwhile elsewhere is kept; one of the same key is not written over', async () => {
  const { store, write, now } = open();
  await store.read();
  write({ theirs: true });
  expect(await store.change([{ path: rounds, value: 3 }])).toBe(true);
  expect(now()).toMatchObject({ theirs: true, 'limits.rounds': 3 });
  write({ model: 'c/d' });
  expect(await store.change([{ path: ['model'], value: 'e/f' }])).toBe(false);
  expect([now()['model'], store.get().problems.get(keyOf(['model']))]).toEqual(['c/d', 'changed']);
  expect(store.get().file?.written['model']).toBe('c/d');
});
