/** Moves a name from one open folder to another without ever overwriting. */
import { link, lstat, mkdir, rename, rmdir, unlink, type FileHandle } from 'node:fs/promises';
import { pathOf, type Name } from './open-verified.ts';
import { hasCode } from './system-failure.ts';

export type Spot = { readonly folder: FileHandle; readonly name: Name };

/**
 * Node has no renameat2(RENAME_NOREPLACE). A folder is renamed over an empty one of our own making, which rename(2) allows
 * and which fails when something was put into it; all else gets its second name by link(2), which never overwrites.
 * Rejects with the system's error: EEXIST, ENOTEMPTY, EXDEV …
 */
export async function placeWithoutOverwriting(from: Spot, to: Spot): Promise<void> {
  const source = pathOf(from.folder, from.name);
  const target = pathOf(to.folder, to.name);
  if ((await lstat(source)).isDirectory()) {
    await mkdir(target);
    await rename(source, target).catch(async (error: unknown) => {
      await rmdir(target).catch(() => undefined); // Not empty: someone uses it now, and the first error says so.
      throw error;
    });
    return;
  }
  try {
    await link(source, target);
  } catch (error) {
    // File systems without hard links (FAT, some network ones), or files that are not ours to link (fs.protected_hardlinks, proc(5)).
    if (!hasCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK')) throw error;
    await renameWhereNothingIs(source, target);
    return;
  }
  await unlink(source).catch(async (error: unknown) => {
    await unlink(target); // It stays where it was, and not in two places.
    throw error;
  });
}

async function renameWhereNothingIs(source: Name, target: Name): Promise<void> {
  const there = await lstat(target).catch(() => undefined); // Nothing there is what we hope for; any other trouble stops the rename too.
  if (there !== undefined) throw Object.assign(new Error('the destination exists'), { code: 'EEXIST' });
  await rename(source, target);
}
