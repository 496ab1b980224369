/** Copies a SQLite database, with what is still in its write-ahead log, into the backups folder. */
import { closeSync, constants, existsSync, fsyncSync, openSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makePrivateFolder } from '../../base/make-private-folder.ts';
import { SetupFailure } from '../../contract/failure.ts';

/** One for each of the last few changes of the tables: more than that nobody goes back. */
const copiesKept = 5;

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
  removeOldest(databasePath, backupFolder);
  return copyPath;
}

/** Their names, oldest first. */
export function listBackups(databasePath: string, backupFolder: string): readonly string[] {
  const start = `${basename(databasePath)}.version-`;
  if (!existsSync(backupFolder)) return [];
  const timeOf = (name: string): string => name.slice(start.length).replace(/^\d+\./, '');
  return readdirSync(backupFolder)
    .filter((name) => name.startsWith(start))
    .toSorted((one, other) => (timeOf(one) < timeOf(other) ? -1 : 1));
}

function removeOldest(databasePath: string, backupFolder: string): void {
  for (const name of listBackups(databasePath, backupFolder).slice(0, -copiesKept)) {
    removeUnfinished(join(backupFolder, name));
  }
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
