/** One set-up at a time per clone: a lock that the next one breaks when its owner is dead. */
import { createHash, randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Runs `work` while holding the lock; waits for another owner as long as that one lives. */
export async function withLock(file, work) {
  const release = await acquire(file, { waits: true });
  try {
    return await work();
  } finally {
    release();
  }
}

/** A function that releases; undefined when it is held by the living and `waits` is false. */
async function acquire(file, { waits }) {
  const token = `${process.pid} ${startOf(process.pid)} ${randomUUID()}`;
  for (;;) {
    if (tryLink(file, token)) return () => releaseOwn(file, token);
    const owner = readOrUndefined(file);
    if (owner === undefined) continue;
    if (isAlive(owner)) {
      if (!waits) return undefined;
      await pause(100);
    } else {
      await breakLock(file, owner);
    }
  }
}

/** Makes the file with its content in one step, so that nobody ever reads half a token. */
function tryLink(file, token) {
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, token);
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    unlinkSync(draft);
  }
}

/**
 * Removes the lock of a dead owner. Two that see the same dead owner must not both remove the file, for the second would
 * remove the lock that the first has taken since: so there is one lock per dead owner for the right to remove it.
 */
async function breakLock(file, deadOwner) {
  const breaking = `${file}.${createHash('sha256').update(deadOwner).digest('hex').slice(0, 16)}`;
  const release = await acquire(breaking, { waits: true });
  try {
    if (readOrUndefined(file) === deadOwner) rmSync(file, { force: true });
  } finally {
    release();
  }
}

function releaseOwn(file, token) {
  if (readOrUndefined(file) === token) rmSync(file, { force: true });
}

function isAlive(owner) {
  const [pid, start] = owner.split(' ');
  if (!/^[1-9]\d*$/.test(pid)) return false;
  const now = startOf(Number(pid));
  return now !== undefined && now === start;
}

/** When a process started, in clock ticks since boot (proc(5), field 22): tells it from a later one with the same number. */
function startOf(pid) {
  const stat = readOrUndefined(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}

function readOrUndefined(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return undefined;
    throw error;
  }
}
