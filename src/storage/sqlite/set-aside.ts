/** A database file that cannot be read is moved out of the way, whole, and a new one begins in its place. */
import { existsSync, readdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SetupFailure } from '../../contract/failure.ts';
import { DamagedDatabase } from '../storage-failure.ts';
import { forgetDamage } from './check-after-damage.ts';
import { whenFree } from './when-free.ts';

const sidecars = ['-wal', '-shm', '-journal'];
const patienceMs = 10_000;

/**
 * `tell` gets one line for the person, when it has come to that. Only damage counts: a locked file or a full disk is for the
 * person to mend, and the file stays where it is.
 */
export async function openOrSetAside<Opened>(
  path: string,
  open: () => Promise<Opened>,
  tell: (line: string) => void,
): Promise<Opened> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof DamagedDatabase)) throw error;
  }
  // Several programs may find it damaged at once: only the first moves it, and the others find the new one.
  const lock = new DatabaseSync(`${path}.aside-lock`, { timeout: 0 });
  try {
    await whenFree(patienceMs, () => lock.exec('begin exclusive'));
    return await openAgain(path, open, tell);
  } finally {
    lock.close();
  }
}

async function openAgain<Opened>(
  path: string,
  open: () => Promise<Opened>,
  tell: (line: string) => void,
): Promise<Opened> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof DamagedDatabase)) throw error;
    const aside = setAside(path, error);
    const opened = await open();
    tell(
      `The database ${path} could not be read (${error.why}). It lies in ${aside} now, as it was, and a new one was begun: earlier conversations are not in it. \`handrail doctor\` says how to get them back.`,
    );
    return opened;
  }
}

/** Returns the name it has now. Everything of it goes along: the log beside it holds what was written last. */
function setAside(path: string, damage: DamagedDatabase): string {
  const aside = `${path}.damaged-${new Date().toISOString().replaceAll(':', '-')}`;
  try {
    // The log first: without its database it is no danger to the new one, and with a new one it would be.
    for (const suffix of sidecars) if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
    renameSync(path, aside);
    forgetDamage(path);
  } catch (error) {
    throw new SetupFailure(
      `${damage.message} It could not be moved out of the way (${String(error)}): do that yourself.`,
      {
        cause: error,
      },
    );
  }
  return aside;
}

/** Those that lie there, oldest first. */
export function listSetAside(path: string): readonly string[] {
  const start = `${basename(path)}.damaged-`;
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(start) && !sidecars.some((suffix) => name.endsWith(suffix)))
    .sort()
    .map((name) => join(dirname(path), name));
}
