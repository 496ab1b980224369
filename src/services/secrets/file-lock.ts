/** A lock between processes that the system takes back from one that dies. */
import { closeSync, constants, openSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { SetupFailure } from '../../contract/failure.ts';

const patienceMs = 10_000;
const retryEveryMs = 10;
/** https://www.sqlite.org/rescode.html */
const busy = 5;
const full = 13;

/**
 * Node has no flock, and a lock file with a process id in it outlives its process. SQLite's lock of an empty database
 * file is a lock of the kernel (fcntl): it ends with the process, however that ends, and nothing is ever written to the file.
 * Rejects with SetupFailure when it is not free after ten seconds.
 */
export async function withFileLock<T>(lockFile: string, work: () => Promise<T>): Promise<T> {
  createIfMissing(lockFile);
  const { DatabaseSync } = await import('node:sqlite');
  const lock = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    await take(lock, lockFile);
    return await work();
  } finally {
    // Ends the transaction, and with it the lock.
    lock.close();
  }
}

/** Opened and closed in one step, before SQLite has it: closing a descriptor later would drop SQLite's lock. */
function createIfMissing(lockFile: string): void {
  try {
    closeSync(
      openSync(lockFile, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // It stays there between uses.
  }
}

async function take(lock: DatabaseSync, lockFile: string): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      lock.exec('begin exclusive');
      return;
    } catch (error) {
      const { errcode } = error as { errcode?: unknown };
      const primary = typeof errcode === 'number' ? errcode & 0xff : undefined;
      if (primary === full) {
        throw new SetupFailure('The disk is full: nothing was kept. Free some space, then try again.', {
          cause: error,
        });
      }
      if (primary !== busy) {
        throw new SetupFailure(`${lockFile} cannot be locked (${String(error)}): remove it, then try again.`, {
          cause: error,
        });
      }
      if (performance.now() > deadline) {
        throw new SetupFailure(`Another Handrail keeps ${lockFile} locked: end it, then try again.`, { cause: error });
      }
    }
    await wait(retryEveryMs);
  }
}
