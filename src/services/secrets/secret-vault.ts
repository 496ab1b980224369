/**
 * Secrets that were found in passing and stand as placeholders elsewhere, so that they can be put back: one file that only we
 * can read, apart from the journal, to which lines are added. A placeholder's id is a keyed hash: it is the same for the same
 * value, and nobody can make one up for a value that they only guess or know the name of.
 */
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

export type SecretVault = {
  /** 12 hexadecimal digits. */
  idOf(value: string): string;
  /** On disk when it returns. False when the vault is full or cannot be written: such values cannot be put back. */
  keep(values: readonly string[]): boolean;
  find(id: string): string | undefined;
};

/** A program that prints nothing but keys must not fill the disk with them. */
const defaultMaxBytes = 16 * 1024 * 1024;
const keyBytes = 32;

export const vaultFolder = (folders: { readonly data: string }): string => join(folders.data, 'vault');

export function createSecretVault(folder: string, maxBytes = defaultMaxBytes): SecretVault {
  const file = join(folder, 'values.jsonl');
  const values = new Map<string, string>();
  const ids = new Map<string, string>();
  let key: Buffer | undefined;
  let readBytes = 0;

  function idOf(value: string): string {
    const known = ids.get(value);
    if (known !== undefined) return known;
    key ??= openKey(folder);
    const id = createHmac('sha256', key).update(value).digest('hex').slice(0, 12);
    if (ids.size > 5_000) ids.clear();
    ids.set(value, id);
    return id;
  }

  /** Other processes add to it too. */
  function catchUp(): void {
    const { text, end } = readFrom(file, readBytes);
    readBytes = end;
    for (const line of text.split('\n')) {
      const entry = readEntry(line);
      if (entry !== undefined) values.set(entry.id, entry.value);
    }
  }

  return {
    idOf,
    keep(wanted) {
      const fresh = new Set(wanted.filter((value) => values.get(idOf(value)) !== value));
      if (fresh.size === 0) return true;
      catchUp();
      const missing = [...fresh].filter((value) => values.get(idOf(value)) !== value);
      if (missing.length === 0) return true;
      const lines = missing.map((value) => JSON.stringify({ id: idOf(value), value })).join('\n');
      if (!append(folder, file, `\n${lines}\n`, maxBytes)) return false;
      for (const value of missing) values.set(idOf(value), value);
      return true;
    },
    find(id) {
      if (!values.has(id)) catchUp();
      return values.get(id);
    },
  };
}

/**
 * Made once for all processes: the link is there whole or not at all, and only the first one is. Without a key of the folder's
 * own (a full disk, a damaged file) secrets are hidden all the same, and nobody can put them back later.
 */
function openKey(folder: string): Buffer {
  const path = join(folder, 'key');
  const there = readKey(path);
  if (there !== undefined) return there;
  const made = randomBytes(keyBytes);
  const draft = `${path}.${randomUUID()}`;
  try {
    makeFolder(folder);
    writeFileSync(draft, made, { mode: 0o600, flag: 'wx', flush: true });
    linkSync(draft, path);
  } catch {
    // Another process was quicker, and its key counts; or see above.
  }
  rmSync(draft, { force: true });
  return readKey(path) ?? made;
}

/** Only this one: a state folder that was removed is not made again. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function readKey(path: string): Buffer | undefined {
  let handle: number;
  try {
    handle = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    // Not made yet, or not readable.
    return undefined;
  }
  try {
    const key = readFileSync(handle);
    return key.length === keyBytes ? key : undefined;
  } finally {
    closeSync(handle);
  }
}

/** A line that another process is just writing has no end yet and is read the next time. */
function readFrom(file: string, start: number): { readonly text: string; readonly end: number } {
  let handle: number;
  try {
    handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    // Nothing was kept yet, or it cannot be read: what is looked for is then not found, and the caller says so.
    return { text: '', end: start };
  }
  try {
    const { size } = fstatSync(handle);
    const bytes = Buffer.alloc(Math.max(0, size - start));
    const count = readSync(handle, bytes, 0, bytes.length, start);
    const whole = bytes.subarray(0, count).lastIndexOf(0x0a) + 1;
    return { text: bytes.toString('utf8', 0, whole), end: start + whole };
  } finally {
    closeSync(handle);
  }
}

function readEntry(line: string): { readonly id: string; readonly value: string } | undefined {
  if (line === '') return undefined;
  try {
    const { id, value } = JSON.parse(line) as Record<string, unknown>;
    return typeof id === 'string' && typeof value === 'string' ? { id, value } : undefined;
  } catch {
    // Half a line, from a crash; the next one begins on a line of its own.
    return undefined;
  }
}

/** One write for all (open(2), O_APPEND), and on disk before the placeholder is. */
function append(folder: string, file: string, text: string, maxBytes: number): boolean {
  let handle: number | undefined;
  try {
    makeFolder(folder);
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;
    handle = openSync(file, flags, 0o600);
    const bytes = Buffer.from(text);
    if (fstatSync(handle).size + bytes.length > maxBytes) return false;
    if (writeSync(handle, bytes) !== bytes.length) return false;
    fsyncSync(handle);
    return true;
  } catch {
    // A full disk, or a folder that was removed: the secret is hidden all the same, for good.
    return false;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
