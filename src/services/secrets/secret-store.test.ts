import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MisuseFailure, SetupFailure } from '../../contract/failure.ts';
import { changeSecretFile } from './change-secret-file.ts';
import type { Keyring } from './keyring.ts';
import { createSecretStore } from './secret-store.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'handrail-secrets-'));
  file = join(folder, 'state', 'secrets.json');
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const createStore = (environment: Record<string, string> = {}, keyring?: Keyring) =>
  createSecretStore({ file, environment, keyring });

function writeFile(text: string, mode = 0o600) {
  mkdirSync(join(folder, 'state'), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
}

/** A keyring in memory: the real one belongs to whoever runs the tests. */
function createKeyring(change: Partial<Keyring> = {}): Keyring & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    isUsable: async () => true,
    get: async (name) => kept.get(name),
    set: async (name, value) => kept.set(name, value) !== undefined,
    remove: async (name) => kept.delete(name),
    names: async () => [...kept.keys()],
    all: async () => [...kept].map(([name, value]) => ({ name, value })),
    ...change,
  };
}

describe('the file', () => {
  test('keeps secrets for us alone, whatever the umask, and gives them back to the next program', async () => {
    const before = process.umask(0);
    try {
      expect(await createStore().set('OPENAI_API_KEY', 'sk-1')).toEqual({ kind: 'file' });
      await createStore().set('B2', 'two words "and" \\ ü😀');
    } finally {
      process.umask(before);
    }
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    expect((statSync(join(folder, 'state')).mode & 0o777).toString(8)).toBe('700');
    const store = createStore();
    expect(await store.get('OPENAI_API_KEY')).toBe('sk-1');
    expect(await store.get('B2')).toBe('two words "and" \\ ü😀');
    expect(await store.get('TOSTRING')).toBeUndefined();
    expect(await store.names()).toEqual(['B2', 'OPENAI_API_KEY']);
    expect(await store.kind()).toBe('file');
    expect(await store.describe()).toBe(`the file ${file}, in plain text, readable for you alone`);
    expect(readdirSync(join(folder, 'state')).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test('forgets what is removed, and says whether it was there', async () => {
    const store = createStore();
    await store.set('A', '1');
    await store.set('B', '2');
    expect([await store.remove('A'), await store.remove('A')]).toEqual([true, false]);
    expect(await store.names()).toEqual(['B']);
  });

  test.each([0o644, 0o640, 0o604, 0o660])(
    'is refused with the command that mends it when its mode is %o',
    async (mode) => {
      writeFile('{"A":"hidden"}', mode);
      const store = createStore();
      const attempts = [
        async () => store.get('A'),
        async () => store.set('A', '2'),
        async () => store.remove('A'),
        async () => store.names(),
      ];
      for (const attempt of attempts) {
        const failure = await attempt().catch((error: unknown) => error);
        expect(failure).toBeInstanceOf(SetupFailure);
        expect(failure).toMatchObject({ message: expect.stringContaining(`chmod 600 '${file}'`) });
      }
      expect(readFileSync(file, 'utf8')).toBe('{"A":"hidden"}');
      spawnSync('chmod', ['600', file]);
      expect(await store.get('A')).toBe('hidden');
    },
  );

  test('is refused when it is a link, a folder, or belongs to another user', async () => {
    writeFile('{"A":"1"}');
    const store = createSecretStore({ file: join(folder, 'link'), environment: {} });
    symlinkSync(file, join(folder, 'link'));
    await expect(store.get('A')).rejects.toThrow(/is a link/);
    await expect(createSecretStore({ file: folder, environment: {} }).get('A')).rejects.toThrow(/is no file/);
    const foreign = process.getuid?.() === 0 ? file : '/etc/passwd';
    if (foreign === file) chownSync(file, 4242, 4242);
    await expect(createSecretStore({ file: foreign, environment: {} }).get('A')).rejects.toThrow(
      /belongs to another user/,
    );
  });

  test.each(['not json sk-canary', '["sk-canary"]', '{"A":{"x":"sk-canary"}}', '{"A":"sk-canary"', ''])(
    'when damaged (%j) fails a get without showing it, and is set aside by a set',
    async (text) => {
      writeFile(text);
      const store = createStore();
      const failure = await store.get('A').catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(SetupFailure);
      expect(inspect(failure, { depth: 9 })).not.toContain('canary');
      expect(readdirSync(join(folder, 'state'))).toEqual(['secrets.json']);
      const { setAside } = await store.set('B', '2');
      expect(setAside).toMatch(/secrets\.json\.damaged-2/);
      expect(readFileSync(setAside ?? '', 'utf8')).toBe(text);
      expect(await store.names()).toEqual(['B']);
    },
  );

  test('keeps the values of twelve programs that set at once', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `KEY_${index}`);
    const children = names.map((name) => spawnSet(name));
    const ends = children.map(async (child) => once(child, 'close'));
    expect((await Promise.all(ends)).map(([code]) => code)).toEqual(names.map(() => 0));
    expect(await createStore().names()).toEqual([...names].sort());
  });

  test('keeps the values of one program that sets several at once', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `KEY_${index}`);
    await Promise.all(names.map(async (name) => createStore().set(name, name)));
    expect(await createStore().names()).toEqual([...names].sort());
  });

  test('twin: without the lock, values are lost', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `KEY_${index}`);
    const withoutLock = async <T>(_: string, work: () => Promise<T>) => work();
    const change = async (name: string) =>
      changeSecretFile(file, (secrets) => void secrets.set(name, 'v'), withoutLock);
    await Promise.all(names.map(change));
    expect((await createStore().names()).length).toBeLessThan(names.length);
  });

  test('can be changed after a program was killed while it held the lock', async () => {
    const child = spawnSet(
      'A',
      `await new Promise((resolve) => { console.log('held'); setInterval(() => {}, 1000); });`,
    );
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'close');
    await createStore().set('B', '2');
    expect(await createStore().names()).toEqual(['B']);
  });

  test('says so when it cannot be written, for root too', () => {
    writeFile('{"A":"1"}');
    expect(setInside(['--ro-bind', folder, folder])).toMatch(/^SetupFailure .*cannot be written/);
    expect(setInside(['--size', '4096', '--tmpfs', folder])).toMatch(/^SetupFailure The disk is full/);
    expect(readFileSync(file, 'utf8')).toBe('{"A":"1"}');
    expect(setInside(['--bind', folder, folder])).toBe('set');
  });
});

describe('names and values', () => {
  test.each(['', 'lower', '1A', 'A-B', 'A B', 'Ä', 'A\n', '__proto__', 'A'.repeat(201)])(
    '%j is no name',
    async (name) => {
      const store = createStore();
      for (const attempt of [store.get(name), store.set(name, 'v'), store.remove(name)]) {
        await expect(attempt).rejects.toThrow(MisuseFailure);
      }
    },
  );

  test.each(['', '\n', '\r\n', 'a\nb', 'a\tb', 'a\0b', '\x1b[31m', 'a\n\n', '\ud800'])(
    '%j is no value, and is not repeated',
    async (value) => {
      const failure = await createStore()
        .set('A', value)
        .catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(MisuseFailure);
      expect(await createStore().get('A')).toBeUndefined();
    },
  );

  test.each(['sk-1\n', 'sk-1\r\n', 'sk-1'])('%j is kept without the newline at its end', async (value) => {
    await createStore().set('A', value);
    expect(await createStore().get('A')).toBe('sk-1');
  });
});

describe('the order of places', () => {
  test('is environment, keyring, file; an empty variable counts as none', async () => {
    writeFile('{"A":"file","B":"file","C":"file","D":"file"}');
    const keyring = createKeyring();
    keyring.kept.set('A', 'keyring').set('B', 'keyring');
    const store = createStore({ A: 'environment', C: '' }, keyring);
    expect([await store.get('A'), await store.get('B'), await store.get('C'), await store.get('E')]).toEqual([
      'environment',
      'keyring',
      'file',
      undefined,
    ]);
  });

  test('asks nothing else when the environment has it', async () => {
    writeFile('damaged');
    const keyring = createKeyring({ isUsable: async () => expect.fail('asked') });
    expect(await createStore({ A: 'environment' }, keyring).get('A')).toBe('environment');
  });

  test('puts a new one into the keyring, and takes an old one out of the file', async () => {
    writeFile('{"A":"old","B":"kept"}');
    const keyring = createKeyring();
    const store = createStore({}, keyring);
    expect(await store.set('A', 'new')).toEqual({ kind: 'keyring' });
    expect(keyring.kept.get('A')).toBe('new');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ B: 'kept' });
    expect(await store.names()).toEqual(['A', 'B']);
    expect(await store.describe()).toBe("the desktop's keyring");
    expect([await store.remove('A'), await store.remove('B'), await store.remove('C')]).toEqual([true, true, false]);
  });

  test('falls back to the file where there is no keyring, or it keeps nothing', async () => {
    for (const keyring of [createKeyring({ isUsable: async () => false }), createKeyring({ set: async () => false })]) {
      const store = createStore({}, keyring);
      expect(await store.set('A', 'value')).toEqual({ kind: 'file' });
      expect(await store.get('A')).toBe('value');
      await store.remove('A');
    }
  });

  test('a keyring that stops answering matters only when the file has nothing', async () => {
    writeFile('{"A":"file"}');
    const store = createStore({}, createKeyring({ get: async () => Promise.reject(new SetupFailure('locked')) }));
    expect(await store.get('A')).toBe('file');
    await expect(store.get('B')).rejects.toThrow('locked');
  });
});

const address = (name: string) => JSON.stringify(pathToFileURL(join(import.meta.dirname, name)).href);

/** Sets a secret in a process of its own; `meanwhile` runs while it holds the lock. */
function spawnSet(name: string, meanwhile = '') {
  const script = `import { changeSecretFile } from ${address('change-secret-file.ts')};
    import { withFileLock } from ${address('file-lock.ts')};
    const file = ${JSON.stringify(file)};
    if (${meanwhile !== ''}) await withFileLock(file + '.lock', async () => { ${meanwhile} });
    await changeSecretFile(file, (secrets) => secrets.set(${JSON.stringify(name)}, 'v'));`;
  mkdirSync(join(folder, 'state'), { recursive: true });
  return spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
}

function setInside(mounts: readonly string[]): string {
  const script = `import { createSecretStore } from ${address('secret-store.ts')};
    try {
      await createSecretStore({ file: ${JSON.stringify(file)}, environment: {} }).set('B', 'x'.repeat(9000));
      console.log('set');
    } catch (error) {
      console.log(error.name, error.message);
    }`;
  const node = [process.execPath, '--input-type=module', '-e', script];
  const result = spawnSync('bwrap', ['--dev-bind', '/', '/', ...mounts, ...node], { encoding: 'utf8' });
  if (result.error !== undefined) throw new Error('bubblewrap is missing. Install it: apt-get install bubblewrap');
  return (result.stdout + result.stderr).trim();
}
