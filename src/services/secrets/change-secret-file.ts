/** Changes the file of secrets: one process at a time, the whole file or nothing. */
import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makePrivateFolder } from '../../base/make-private-folder.ts';
import { SetupFailure } from '../../contract/failure.ts';
import { withFileLock } from './file-lock.ts';
import { DamagedSecretFile, readSecretFile } from './secret-file.ts';

/** `setAside`: where a damaged file was moved. Rejects with SetupFailure; the file is then as it was. */
export async function changeSecretFile(
  file: string,
  change: (secrets: Map<string, string>) => void,
  withLock: typeof withFileLock = withFileLock,
): Promise<{ readonly setAside?: string }> {
  try {
    makePrivateFolder(dirname(file));
    return await withLock(`${file}.lock`, async () => {
      const { secrets, setAside } = await readOrSetAside(file);
      change(secrets);
      await replace(file, `${JSON.stringify(Object.fromEntries(secrets), undefined, 2)}\n`);
      return setAside === undefined ? {} : { setAside };
    });
  } catch (error) {
    throw explain(error, file);
  }
}

async function readOrSetAside(file: string) {
  try {
    return { secrets: await readSecretFile(file) };
  } catch (error) {
    if (!(error instanceof DamagedSecretFile)) throw error;
    const setAside = `${file}.damaged-${new Date().toISOString().replaceAll(':', '-')}`;
    await rename(file, setAside);
    return { secrets: new Map<string, string>(), setAside };
  }
}

/** A reader sees the old file or the new one, also after a power cut: the data is on disk before its name is. */
async function replace(file: string, text: string): Promise<void> {
  const temporary = join(dirname(file), `.${basename(file)}.${randomUUID()}`);
  try {
    const handle = await open(temporary, 'wx', 0o600);
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
  const folder = await open(dirname(file), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function explain(error: unknown, file: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new SetupFailure(`${file} cannot be written: make its folder writable for you.`, { cause: error });
    case 'ENOSPC':
    case 'EDQUOT':
      return new SetupFailure(`The disk is full: ${file} was left as it was. Free some space, then try again.`, {
        cause: error,
      });
    case 'ENOTDIR':
    case 'EEXIST':
      return new SetupFailure(`${file} cannot be written: a part of its path is a file, not a folder.`, {
        cause: error,
      });
    default:
      return error;
  }
}
