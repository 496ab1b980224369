/** Waits for a SQLite file that another program is writing, without holding up our own. */
import { setTimeout as wait } from 'node:timers/promises';

const shortestWaitMs = 2;
const longestWaitMs = 12;
const busy = 5;

/**
 * SQLite's own busy timeout would stop the whole program while it waits, and for ever where the writer is another
 * connection of this very process. `work` must change nothing when it throws "busy".
 */
export async function whenFree<T>(patienceMs: number, work: () => T): Promise<T> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
    }
    // Uneven, so that two who wait do not meet again and again.
    await wait(shortestWaitMs + Math.random() * (longestWaitMs - shortestWaitMs));
  }
}

/** The low byte is the class: https://www.sqlite.org/rescode.html#extrc */
function isBusy(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error)) return false;
  return typeof error.errcode === 'number' && (error.errcode & 0xff) === busy;
}
