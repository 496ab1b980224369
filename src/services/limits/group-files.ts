/** The file operations that control groups are made of; tests give a tree of their own. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';

/** Every method but `exists` throws as node:fs does. */
export type GroupFiles = {
  read(path: string): string;
  write(path: string, text: string): void;
  makeFolder(path: string): void;
  removeFolder(path: string): void;
  folders(path: string): readonly string[];
  exists(path: string): boolean;
};

export const machineFiles: GroupFiles = {
  read: (path) => readFileSync(path, 'utf8'),
  write: (path, text) => writeFileSync(path, text),
  makeFolder: (path) => void mkdirSync(path),
  removeFolder: (path) => rmdirSync(path),
  folders: (path) =>
    readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name),
  exists: existsSync,
};

/** Undefined when it is not there or cannot be read. */
export function readOr(files: GroupFiles, path: string): string | undefined {
  try {
    return files.read(path);
  } catch {
    // ENOENT: this kernel does not have it. ENODEV: the group is gone.
    return undefined;
  }
}

/** False when the kernel or the owner does not allow it. */
export function tryWrite(files: GroupFiles, path: string, text: string): boolean {
  try {
    files.write(path, text);
    return true;
  } catch {
    // ENOENT, EACCES, EBUSY, EOPNOTSUPP: each means that this limit is not to be had here.
    return false;
  }
}

/** The value of a line `name value`, as in memory.events and pids.events. 0 when there is none. */
export function readCount(files: GroupFiles, path: string, name: string): number {
  const line = new RegExp(`^${name} (\\d+)$`, 'm').exec(readOr(files, path) ?? '');
  return Number(line?.[1] ?? 0);
}
