/** Reads settings.json. Without one there are the defaults, and nothing heavy is loaded. */
import { constants } from 'node:fs';
import type { Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { SetupFailure } from '../../contract/failure.ts';
import type { Settings } from '../../contract/settings.ts';
import { defaultSettings } from './default-settings.ts';

export type LoadedSettings = {
  readonly settings: Settings;
  /** What is not wrong, but should be mended; one line each. */
  readonly problems: readonly string[];
};

const maxBytes = 1024 * 1024;

/** Rejects with SetupFailure when the file is there and cannot be used; it is never changed. */
export async function loadSettings(file: string): Promise<LoadedSettings> {
  const found = await readSettings(file);
  if (found === undefined) return { settings: defaultSettings, problems: [] };
  const [{ parseSettingsText }, { validateSettings }] = await Promise.all([
    import('./parse-settings-text.ts'),
    import('./validate-settings.ts'),
  ]);
  return {
    settings: validateSettings(parseSettingsText(found.bytes, file), file),
    problems: describeAccess(found.info, file),
  };
}

/** As it is; undefined when it is not there. Rejects with SetupFailure when it cannot be read. */
export async function readSettings(
  file: string,
): Promise<{ readonly bytes: Buffer; readonly info: Stats } | undefined> {
  let handle: FileHandle | undefined;
  try {
    // Without NONBLOCK the opening of a named pipe would wait for ever.
    handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const info = await handle.stat();
    if (!info.isFile()) throw new SetupFailure(`${file} is no file: move it away, then start again.`);
    if (info.size > maxBytes)
      throw new SetupFailure(`${file} is larger than 1 MB, which no settings are: move it away.`);
    return { bytes: await handle.readFile(), info };
  } catch (error) {
    return explainReading(error, file);
  } finally {
    await handle?.close();
  }
}

function explainReading(error: unknown, file: string): undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return undefined;
  if (code === 'EACCES' || code === 'EPERM') {
    throw new SetupFailure(`${file} cannot be read: make it yours with "chown" or run "chmod u+r '${file}'".`, {
      cause: error,
    });
  }
  if (code === 'ELOOP') throw new SetupFailure(`${file} is a link that leads to itself: remove it.`, { cause: error });
  if (code === 'ENOTDIR')
    throw new SetupFailure(`${file} cannot be read: a part of its path is a file.`, { cause: error });
  throw error;
}

/** Whoever can write this file decides what the program may do. */
function describeAccess(info: Stats, file: string): readonly string[] {
  const problems: string[] = [];
  if ((info.mode & 0o022) !== 0) {
    problems.push(`${file} can be changed by other users: run "chmod go-w '${file}'".`);
  }
  const user = process.geteuid?.();
  if (info.uid !== user && info.uid !== 0) {
    problems.push(
      `${file} belongs to another user (number ${info.uid}), who can change what Handrail may do: make it yours.`,
    );
  }
  return problems;
}
