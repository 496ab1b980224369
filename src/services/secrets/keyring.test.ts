import type { AsyncEntry } from '@napi-rs/keyring';
import { expect, test } from 'vitest';
import { SetupFailure } from '../../contract/failure.ts';
import { createSystemKeyring } from './keyring.ts';
import type { KeyringLibrary } from './keyring.ts';

/** The library over a map, as far as it is used: the real keyring belongs to whoever runs the tests. */
function createLibrary(
  kept: Map<string, string>,
  fail: { reason?: string } = {},
): KeyringLibrary & { readonly stores: unknown[] } {
  const stores: unknown[] = [];
  const answer = async <T>(work: () => T): Promise<T> => {
    if (fail.reason !== undefined) throw new Error(fail.reason);
    return work();
  };
  class Entry {
    readonly #name: string;
    constructor(_: string, name: string, options: unknown) {
      this.#name = name;
      stores.push(options);
    }
    getPassword = async () => answer(() => kept.get(this.#name) ?? null);
    setPassword = async (value: string) => answer(() => void kept.set(this.#name, value));
    deletePassword = async () => answer(() => kept.delete(this.#name));
  }
  return {
    stores,
    AsyncEntry: Entry as unknown as typeof AsyncEntry,
    findCredentialsAsync: async () => answer(() => [...kept].map(([account, password]) => ({ account, password }))),
  };
}

test('is loaded on first use, once, and asks for the Secret Service only', async () => {
  let loads = 0;
  const kept = new Map<string, string>();
  const library = createLibrary(kept);
  const keyring = createSystemKeyring(async () => {
    loads += 1;
    return library;
  });
  expect(loads).toBe(0);
  expect(await keyring.isUsable()).toBe(true);
  expect(await keyring.set('A', '1')).toBe(true);
  expect(await keyring.get('A')).toBe('1');
  expect(await keyring.names()).toEqual(['A']);
  expect([await keyring.remove('A'), await keyring.remove('A')]).toEqual([true, false]);
  expect(await keyring.get('A')).toBeUndefined();
  expect(loads).toBe(1);
  // Without that choice the library would use the kernel's keyring, which forgets at a restart.
  expect(new Set(library.stores.map((store) => JSON.stringify(store)))).toEqual(
    new Set(['{"linux":{"store":"secret-service"}}']),
  );
  expect(kept.size).toBe(0);
});

test('is not usable where the package is missing or no service answers', async () => {
  const missing = createSystemKeyring(async () => Promise.reject(new Error('Cannot find package')));
  const headless = createSystemKeyring(async () => createLibrary(new Map(), { reason: 'no session bus' }));
  for (const keyring of [missing, headless]) {
    expect(await keyring.isUsable()).toBe(false);
    expect(await keyring.set('A', '1')).toBe(false);
    expect(await keyring.get('A')).toBeUndefined();
    expect(await keyring.names()).toEqual([]);
  }
});

test('that is locked later keeps nothing, and says so to who asks', async () => {
  const fail: { reason?: string } = {};
  const keyring = createSystemKeyring(async () => createLibrary(new Map(), fail));
  expect(await keyring.isUsable()).toBe(true);
  fail.reason = 'locked';
  expect(await keyring.set('A', '1')).toBe(false);
  await expect(keyring.get('A')).rejects.toThrow(SetupFailure);
  await expect(keyring.names()).rejects.toThrow(/keyring cannot be used .*unlock it/);
});
