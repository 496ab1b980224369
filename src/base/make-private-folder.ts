/** Makes a folder and the missing ones above it, for us alone. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * What is there already stays as it is. Throws the file system's own error; `mkdir` with `recursive` would say ENOENT where
 * the file system is read-only (seen with Node 24).
 */
export function makePrivateFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && dirname(path) !== path) {
      makePrivateFolder(dirname(path));
      mkdirSync(path, { mode: 0o700 });
    } else if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
      throw error;
    }
  }
}
