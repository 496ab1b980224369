/** The desktop's keyring (Secret Service), where there is one: loaded on first use, given up quietly on a machine without. */
import type { AsyncEntry, findCredentialsAsync } from '@napi-rs/keyring';
import type { KnownSecret } from '../../contract/redaction.ts';
import { SetupFailure } from '../../contract/failure.ts';

/** Its methods reject with SetupFailure when a keyring that answered before no longer does. */
export type Keyring = {
  /** False on a machine without a desktop, or where the keyring is locked and stays so. */
  isUsable(): Promise<boolean>;
  get(name: string): Promise<string | undefined>;
  /** False when it could not be kept; the caller keeps it elsewhere. */
  set(name: string, value: string): Promise<boolean>;
  remove(name: string): Promise<boolean>;
  names(): Promise<readonly string[]>;
  all(): Promise<readonly KnownSecret[]>;
};

/** The part of @napi-rs/keyring that is used. */
export type KeyringLibrary = {
  readonly AsyncEntry: typeof AsyncEntry;
  readonly findCredentialsAsync: typeof findCredentialsAsync;
};

const service = 'handrail';
/** A locked keyring asks the person at the screen, who may be away. */
const patienceMs = 10_000;

/**
 * The library falls back to the kernel's keyring on its own, whose keys are gone after a restart of the machine; so the
 * Secret Service is named, and a machine without it has no keyring.
 */
const onlySecretService = { linux: { store: 'secret-service' } } as const;

export function createSystemKeyring(
  load: () => Promise<KeyringLibrary> = async () => import('@napi-rs/keyring'),
): Keyring {
  let opening: Promise<KeyringLibrary | undefined> | undefined;
  const open = async () => (opening ??= openLibrary(load));
  const entry = async (name: string) => {
    const library = await open();
    return library === undefined ? undefined : new library.AsyncEntry(service, name, onlySecretService);
  };
  const all = async (): Promise<readonly KnownSecret[]> => {
    const found = await answered(async () => (await open())?.findCredentialsAsync(service));
    return (found ?? []).map(({ account, password }) => ({ name: account, value: password }));
  };
  return {
    isUsable: async () => (await open()) !== undefined,
    get: async (name) => (await answered(async () => (await entry(name))?.getPassword())) ?? undefined,
    set: async (name, value) => {
      try {
        const found = await entry(name);
        await answered(async () => found?.setPassword(value));
        return found !== undefined;
      } catch {
        // Locked, or its owner said no: the file takes it, and the caller says so.
        return false;
      }
    },
    remove: async (name) => (await answered(async () => (await entry(name))?.deletePassword())) ?? false,
    names: async () => (await all()).map(({ name }) => name),
    all,
  };
}

/** Tries one harmless question: whether there is a service is seen only by asking it. */
async function openLibrary(load: () => Promise<KeyringLibrary>): Promise<KeyringLibrary | undefined> {
  try {
    const library = await load();
    const probe = new library.AsyncEntry(service, 'HANDRAIL_PROBE', onlySecretService);
    await answered(async () => probe.getPassword());
    return library;
  } catch {
    // Not installed (it is optional), no session bus, no service, or locked: the file is used.
    return undefined;
  }
}

/** The library's calls cannot be interrupted once they wait for a person, so the waiting ends here. */
async function answered<T>(ask: () => Promise<T>): Promise<T> {
  const { promise: tooLong, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('it did not answer')), patienceMs);
  try {
    return await Promise.race([ask(), tooLong]);
  } catch (error) {
    throw new SetupFailure(
      `The desktop's keyring cannot be used (${String(error)}): unlock it, or put the key into the environment.`,
      { cause: error },
    );
  } finally {
    clearTimeout(timer);
  }
}
