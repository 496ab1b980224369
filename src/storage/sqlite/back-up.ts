/** Copies a SQLite database, with what is still in its write-ahead log, into the backups folder. */
import { chmodSync, closeSync, constants, fsyncSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Returns the copy's path. Call it while the write lock is held: the copy is what was there before. */
export function backUp(databasePath: string, backupFolder: string, version: number): string {
  mkdirSync(backupFolder, { recursive: true, mode: 0o700 });
  const time = new Date().toISOString().replaceAll(':', '-');
  const copyPath = join(backupFolder, `${basename(databasePath)}.version-${version}.${time}`);
  // VACUUM INTO takes an empty file as its target; made here, it is ours alone from its first byte.
  closeSync(openSync(copyPath, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600));
  try {
    copyInto(databasePath, copyPath);
  } catch (error) {
    rmSync(copyPath, { force: true });
    throw error;
  }
  return copyPath;
}

function copyInto(databasePath: string, copyPath: string): void {
  const source = new DatabaseSync(databasePath, { readOnly: true, timeout: 5000 });
  try {
    source.prepare('vacuum into ?').run(copyPath);
  } finally {
    source.close();
  }
  chmodSync(copyPath, 0o600);
  const descriptor = openSync(copyPath, constants.O_RDONLY);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
