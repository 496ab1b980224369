/** A copy of a database that is in use: SQLite's own backup, off the main thread, so that everything goes on meanwhile. */
import { closeSync, constants, openSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';

/** More than any database has: the whole of it in one step, which is one moment of it (https://sqlite.org/backup.html). */
const allPages = 2 ** 30;

/** `target` must not exist: it is ours alone from its first byte. */
export async function copyDatabase(databasePath: string, target: string): Promise<void> {
  closeSync(openSync(target, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600));
  const source = new DatabaseSync(databasePath, { readOnly: true, timeout: 5_000 });
  try {
    await backup(source, target, { rate: allPages });
  } finally {
    source.close();
  }
}
