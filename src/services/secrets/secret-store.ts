/** Keys and passwords by name: from the environment, the desktop's keyring, or a file that only we can read. */
import { MisuseFailure, SetupFailure } from '../../contract/failure.ts';
import type { KnownSecret } from '../../contract/redaction.ts';
import type { Keyring } from './keyring.ts';
import { readSecretFile } from './secret-file.ts';
import { changeSecretFile } from './change-secret-file.ts';

export type SecretStore = {
  /** Undefined when it is nowhere. Rejects with SetupFailure when the file cannot be trusted or read. */
  get(name: string): Promise<string | undefined>;
  /** Keeps it and says where. `setAside`: a damaged file was moved there first; what it held is not lost, but not read. */
  set(name: string, value: string): Promise<{ readonly kind: SecretPlace; readonly setAside?: string }>;
  /** False when it was not there. What the environment holds stays. */
  remove(name: string): Promise<boolean>;
  /** Names kept here, sorted; those of the environment are not ours to list. */
  names(): Promise<readonly string[]>;
  /** All that is kept here, for hiding it. What cannot be read is left out. */
  values(): Promise<readonly KnownSecret[]>;
  /** Where `set` would put the next one. */
  kind(): Promise<SecretPlace>;
  /** One line for people. */
  describe(): Promise<string>;
};

export type SecretPlace = 'keyring' | 'file';

export type SecretStoreOptions = {
  readonly file: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Omitted: the file alone. */
  readonly keyring?: Keyring | undefined;
};

export function createSecretStore(options: SecretStoreOptions): SecretStore {
  const { file, environment, keyring } = options;
  return {
    get: async (name) => {
      checkName(name);
      const fromEnvironment = environment[name];
      if (fromEnvironment !== undefined && fromEnvironment !== '') return fromEnvironment;
      const { secret, failure } = await askKeyring(keyring, name);
      const found = secret ?? (await readSecretFile(file)).get(name);
      // Only now does it matter that the keyring did not answer.
      if (found === undefined && failure !== undefined) throw failure;
      return found;
    },
    set: async (name, value) => {
      checkName(name);
      return keep(options, name, checkValue(value));
    },
    remove: async (name) => {
      checkName(name);
      const wasInKeyring = (await keyring?.isUsable()) === true && (await keyring?.remove(name)) === true;
      const wasInFile = (await readSecretFile(file)).has(name);
      if (wasInFile) await changeSecretFile(file, (secrets) => void secrets.delete(name));
      return wasInKeyring || wasInFile;
    },
    names: async () => {
      const kept = (await keyring?.isUsable()) === true ? await keyring?.names() : [];
      return [...new Set([...(kept ?? []), ...(await readSecretFile(file)).keys()])].sort();
    },
    values: async () => {
      const [kept, inFile] = await Promise.all([keyring?.all().catch(() => []) ?? [], readableSecrets(file)]);
      return [...kept, ...[...inFile].map(([name, value]) => ({ name, value }))];
    },
    kind: async () => ((await keyring?.isUsable()) === true ? 'keyring' : 'file'),
    describe: async () =>
      (await keyring?.isUsable()) === true
        ? "the desktop's keyring"
        : `the file ${file}, in plain text, readable for you alone`,
  };
}

/** Whoever wants one of them is told what is wrong with the file; hiding the others must go on. */
async function readableSecrets(file: string): Promise<ReadonlyMap<string, string>> {
  try {
    return await readSecretFile(file);
  } catch {
    return new Map();
  }
}

type KeyringAnswer = { readonly secret?: string | undefined; readonly failure?: SetupFailure };

async function askKeyring(keyring: Keyring | undefined, name: string): Promise<KeyringAnswer> {
  if (keyring === undefined || !(await keyring.isUsable())) return {};
  try {
    return { secret: await keyring.get(name) };
  } catch (error) {
    if (error instanceof SetupFailure) return { failure: error };
    throw error;
  }
}

async function keep(options: SecretStoreOptions, name: string, value: string) {
  const { file, keyring } = options;
  if (keyring !== undefined && (await keyring.isUsable()) && (await keyring.set(name, value))) {
    // An older one in the file would be read again on a day without a keyring.
    const isInFile = (await readSecretFile(file)).has(name);
    if (isInFile) await changeSecretFile(file, (secrets) => void secrets.delete(name));
    return { kind: 'keyring' as const };
  }
  const { setAside } = await changeSecretFile(file, (secrets) => void secrets.set(name, value));
  return setAside === undefined ? { kind: 'file' as const } : { kind: 'file' as const, setAside };
}

function checkName(name: string): void {
  if (/^[A-Z][A-Z0-9_]{0,199}$/.test(name)) return;
  throw new MisuseFailure(
    'The name of a secret is written in capital letters, digits and "_", for example OPENAI_API_KEY.',
  );
}

/** Shells and editors add a newline that is no part of it. */
function checkValue(value: string): string {
  const bare = value.replace(/\r?\n$/, '');
  if (bare === '') throw new MisuseFailure('The secret is empty. Give its value, for example on standard input.');
  if (/\p{Cc}/u.test(bare)) {
    throw new MisuseFailure(
      'The secret holds control characters (a line break, perhaps): a key is one line. Copy it again.',
    );
  }
  if (!bare.isWellFormed()) throw new MisuseFailure('The secret is no valid text. Copy it again.');
  return bare;
}
