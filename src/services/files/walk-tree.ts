/** Walks a folder tree by open folders, one component at a time, never through a link. */
import type { Stats } from 'node:fs';
import { lstat, readdir, type FileHandle } from 'node:fs/promises';
import { openWithin, pathOf, using, type Name } from './open-verified.ts';
import { hasCode } from './system-failure.ts';

export type TreeEntry = {
  /** Below the folder where the walk began: `a/b.txt`. What is not UTF-8 in it shows as U+FFFD. */
  readonly relativePath: string;
  readonly stats: Stats;
};

/** Answers whether to go into the folder it was shown (`enter`), to pass on (`next`) or to end the walk (`stop`). */
export type Visitor = (entry: TreeEntry) => Promise<'enter' | 'next' | 'stop'> | 'enter' | 'next' | 'stop';

/** Names sorted by their bytes, a folder before what is in it. Resolves false when the visitor stopped it. */
export async function walkTree(folder: FileHandle, signal: AbortSignal, visit: Visitor, prefix = ''): Promise<boolean> {
  signal.throwIfAborted();
  const names = (await readdir(pathOf(folder), { encoding: 'buffer' })).toSorted(Buffer.compare);
  for (const name of names) {
    const stats = await lstat(pathOf(folder, name)).catch((error: unknown) => {
      if (hasCode(error, 'ENOENT')) return undefined; // Removed since it was listed.
      throw error;
    });
    if (stats === undefined) continue;
    const relativePath = `${prefix}${name.toString('utf8')}`;
    const answer = await visit({ relativePath, stats });
    if (answer === 'stop') return false;
    if (answer !== 'enter' || !stats.isDirectory()) continue;
    const wentOn = await enter(folder, name, (inner) => walkTree(inner, signal, visit, `${relativePath}/`));
    if (!wentOn) return false;
  }
  return true;
}

/** A folder that vanished, became a link or may not be read ends nothing but itself. */
async function enter(folder: FileHandle, name: Name, walk: (inner: FileHandle) => Promise<boolean>): Promise<boolean> {
  try {
    return await using(openWithin(folder, name, 'folder'), walk);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES')) return true;
    throw error;
  }
}
