/** settings.json read and changed key by key, for pages and commands. Loads the validator: import it on first use. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { MisuseFailure, SetupFailure, ToolFailure } from '../../contract/failure.ts';
import type { Settings } from '../../contract/settings.ts';
import type { SettingsEdit, SettingsFile, SettingsFileAccess } from '../../contract/settings-file.ts';
import { withFileLock } from '../secrets/file-lock.ts';
import { editJsonText } from './edit-json-text.ts';
import { readSettings } from './load-settings.ts';
import { parseSettingsText } from './parse-settings-text.ts';
import { settingsJsonSchema } from './settings-json-schema.ts';
import { validateSettings } from './validate-settings.ts';

export type SettingsFileOptions = {
  readonly settingsFile: string;
  /** For the lock between processes. */
  readonly data: string;
  readonly inForce: () => Settings;
  /** Throws SetupFailure for what only the whole program knows to be wrong: a rule that almost names a tool. */
  readonly check?: (wanted: Settings) => unknown;
};

export type OpenSettingsFile = Omit<SettingsFileAccess, 'look'> & {
  /** Whatever else was changed meanwhile. */
  edit(edits: readonly SettingsEdit[]): Promise<void>;
};

export function openSettingsFile(options: SettingsFileOptions): OpenSettingsFile {
  const { settingsFile: file, inForce } = options;

  async function read(): Promise<SettingsFile> {
    const bytes = (await readSettings(file))?.bytes;
    const found = { place: file, hash: hashOf(bytes), inForce: inForce() };
    try {
      const written = bytes === undefined ? {} : parseSettingsText(bytes, file);
      const wanted = validateSettings(written, file);
      options.check?.(wanted);
      return { ...found, written, wanted };
    } catch (error) {
      if (!(error instanceof SetupFailure)) throw error;
      return { ...found, written: {}, wanted: found.inForce, problem: error.message };
    }
  }

  async function editNow(edits: readonly SettingsEdit[], expected: string | undefined): Promise<void> {
    const found = await readSettings(file);
    if (expected !== undefined && hashOf(found?.bytes) !== expected)
      throw new ToolFailure('conflict', `${file} was changed meanwhile. Look at it again, then change it.`);
    if (found !== undefined) parseSettingsText(found.bytes, file);
    const whole = found === undefined ? '{}\n' : plainText(found.bytes);
    const changed = edits.reduce((text, { path, value }) => editJsonText(text, path, value ?? undefined), whole);
    check(changed);
    if (changed === whole) return;
    // A link to the file (of people who keep their settings elsewhere) stays a link.
    const target = await realpath(file).catch(() => file);
    await replace(target, changed, found === undefined ? 0o600 : found.info.mode & 0o777);
  }

  function check(text: string): void {
    try {
      const wanted = validateSettings(parseSettingsText(Buffer.from(text), file), file);
      options.check?.(wanted);
    } catch (error) {
      if (!(error instanceof SetupFailure)) throw error;
      throw new MisuseFailure(error.message.replace(`${file}: `, ''), { cause: error });
    }
  }

  const edit = (edits: readonly SettingsEdit[], expected?: string): Promise<void> =>
    withFileLock(join(options.data, 'settings.lock'), () => editNow(edits, expected)).catch((error: unknown) =>
      explain(error, file),
    );

  return {
    read,
    edit: (edits) => edit(edits),
    async change(edits, hash) {
      await edit(edits, hash);
      return read();
    },
    schema: () => Promise.resolve(settingsJsonSchema()),
  };
}

function explain(error: unknown, file: string): never {
  if (error instanceof SetupFailure || error instanceof MisuseFailure || error instanceof ToolFailure) throw error;
  const code = (error as NodeJS.ErrnoException).code ?? String(error);
  throw new SetupFailure(`${file} cannot be written (${code}). Nothing was changed.`, { cause: error });
}

/** A byte order mark is no part of JSON (RFC 8259, 8.1), and lines end here as everywhere on Linux. */
const plainText = (bytes: Buffer): string =>
  bytes
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .replaceAll('\r\n', '\n');

const hashOf = (bytes: Buffer | undefined): string =>
  createHash('sha256')
    .update(bytes ?? '')
    .digest('hex');

/** A reader sees the old file or the new one, also after a power cut: the data is on disk before its name is. */
async function replace(file: string, text: string, mode: number): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = join(dirname(file), `.${basename(file)}.${randomUUID()}`);
  try {
    const handle = await open(temporary, 'wx', mode);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
