/** Copies a SQLite database, with what is still in its write-ahead log, into the backups folder. */
import { closeSync, constants, fsyncSync, openSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makePrivateFolder } from '../../base/make-private-folder.ts';
import { SetupFailure } from '../../contract/failure.ts';

/**
 * Returns the copy's path. Call it while the write lock is held: the copy is what was there before.
 * Throws SetupFailure: without a copy nothing may change.
 */
export function backUp(databasePath: string, backupFolder: string, version: number): string {
  const time = new Date().toISOString().replaceAll(':', '-');
  const copyPath = join(backupFolder, `${basename(databasePath)}.version-${version}.${time}`);
  try {
    makePrivateFolder(backupFolder);
    // VACUUM INTO takes an empty file as its target; made here, it is ours alone from its first byte.
    closeSync(openSync(copyPath, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600));
    copyInto(databasePath, copyPath);
  } catch (error) {
    removeUnfinished(copyPath);
    throw new SetupFailure(
      `The backup ${copyPath} cannot be made (${String(error)}), so nothing was changed: free some space, or make that folder writable.`,
      { cause: error },
    );
  }
  return copyPath;
}

function removeUnfinished(copyPath: string): void {
  try {
    rmSync(copyPath, { force: true });
  } catch {
    // The folder itself is unusable, which the first error says already.
  }
}

function copyInto(databasePath: string, copyPath: string): void {
  const source = new DatabaseSync(databasePath, { readOnly: true, timeout: 5000 });
  try {
    source.prepare('vacuum into ?').run(copyPath);
  } finally {
    source.close();
  }
  const descriptor = openSync(copyPath, constants.O_RDONLY);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
