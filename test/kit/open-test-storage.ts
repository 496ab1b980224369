/** A real SQLite storage in a test's own folder. */
import path from 'node:path';
import type { Storage } from '../../src/contract/storage.ts';
import { openStorage as open } from '../../src/storage/open-storage.ts';

export function openStorage(folder: string): Promise<Storage> {
  return open({ sqlitePath: path.join(folder, 'handrail.sqlite'), backupFolder: path.join(folder, 'backups') });
}
