/** Makes the database file ours alone before SQLite opens it, and refuses what is no file. */
import { accessSync, chmodSync, closeSync, constants, openSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { dirname } from 'node:path';
import { makePrivateFolder } from '../../base/make-private-folder.ts';
import { DamagedDatabase } from '../storage-failure.ts';
import { damagedLine } from './sqlite-problem.ts';

const sidecars = ['-wal', '-shm', '-journal'];

/**
 * Synchronous throughout: closing any descriptor of a file that SQLite has open in this process would drop SQLite's own
 * locks (https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_),
 * so a file is opened here only in the step that creates it.
 */
export function prepareFile(path: string): void {
  makePrivateFolder(dirname(path));
  createIfMissing(path);
  const info = statSync(path);
  if (!info.isFile())
    throw new DamagedDatabase(
      `The database ${path} is no file: move it away, or set HANDRAIL_HOME to another folder.`,
      info.isDirectory() ? 'it is a folder' : 'it is no file',
    );
  checkLog(path, info);
  restrict(path, info);
  for (const suffix of sidecars) {
    const sidecar = statSync(path + suffix, { throwIfNoEntry: false });
    if (sidecar?.isFile() === true) restrict(path + suffix, sidecar);
  }
  // SQLite would open it read-only and complain at the first write, in the middle of somebody's work.
  accessSync(path, constants.R_OK | constants.W_OK);
  accessSync(dirname(path), constants.W_OK | constants.X_OK);
}

/** SQLite would throw such a log away (pagerOpenWalIfPresent in its source), and with it what was written last. */
function checkLog(path: string, info: Stats): void {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if (info.size > 0 || log === undefined || log.size === 0) return;
  throw new DamagedDatabase(damagedLine(path), 'it is empty, and its log is not');
}

/** SQLite gives the -wal and -shm files the mode of the database. */
function createIfMissing(path: string): void {
  try {
    closeSync(openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // It is there already, which is the usual start.
  }
}

function restrict(path: string, info: Stats): void {
  const isOurs = process.geteuid?.() === info.uid;
  if (isOurs && (info.mode & 0o077) !== 0) chmodSync(path, 0o600);
}
