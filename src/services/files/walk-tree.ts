/** Walks a folder tree by open folders, one component at a time, never through a link. */
import type { Stats } from 'node:fs';
import { lstat, readdir, type FileHandle } from 'node:fs/promises';
import { openWithin, pathOf, using } from './open-verified.ts';
import { hasCode } from './system-failure.ts';

export type TreeEntry = {
  readonly name: string;
  /** Below the folder where the walk began: `a/b.txt`. */
  readonly relativePath: string;
  readonly stats: Stats;
  /** The open folder it is in; valid while the visitor runs. */
  readonly folder: FileHandle;
};

/** Answers whether to go into the folder it was shown (`enter`), to pass on (`next`) or to end the walk (`stop`). */
export type Visitor = (entry: TreeEntry) => Promise<'enter' | 'next' | 'stop'> | 'enter' | 'next' | 'stop';

/** Names sorted by code unit, a folder before what is in it. Resolves false when the visitor stopped it. */
export async function walkTree(folder: FileHandle, signal: AbortSignal, visit: Visitor, prefix = ''): Promise<boolean> {
  signal.throwIfAborted();
  const names = (await readdir(pathOf(folder))).toSorted();
  for (const name of names) {
    const stats = await lstat(pathOf(folder, name)).catch((error: unknown) => {
      if (hasCode(error, 'ENOENT')) return undefined; // Removed since it was listed.
      throw error;
    });
    if (stats === undefined) continue;
    const relativePath = `${prefix}${name}`;
    const answer = await visit({ name, relativePath, stats, folder });
    if (answer === 'stop') return false;
    if (answer !== 'enter' || !stats.isDirectory()) continue;
    const wentOn = await enter(folder, name, (inner) => walkTree(inner, signal, visit, `${relativePath}/`));
    if (!wentOn) return false;
  }
  return true;
}

/** A folder that vanished, became a link or may not be read ends nothing but itself. */
async function enter(
  folder: FileHandle,
  name: string,
  walk: (inner: FileHandle) => Promise<boolean>,
): Promise<boolean> {
  try {
    return await using(openWithin(folder, name, 'folder'), walk);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES')) return true;
    throw error;
  }
}
