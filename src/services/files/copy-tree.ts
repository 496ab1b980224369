/** Copies and removes files and whole trees by open folders; no link is followed. */
import { constants } from 'node:fs';
import { chmod, copyFile, lstat, lutimes, mkdir, readdir, readlink, rmdir, symlink, unlink } from 'node:fs/promises';
import { ToolFailure } from '../../contract/failure.ts';
import { openWithin, pathOf, using, type Name } from './open-verified.ts';
import type { Spot } from './place.ts';

/** Modes and times are kept, links stay links. What was begun is removed again when it fails. Never overwrites. */
export async function copyTree(from: Spot, to: Spot, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const source = pathOf(from.folder, from.name);
  const target = pathOf(to.folder, to.name);
  const stats = await lstat(source);
  if (stats.isSymbolicLink()) return symlink(await readlink(source, { encoding: 'buffer' }), target);
  if (stats.isFile()) {
    // Through the object itself: had a link taken its place since the look, copyFile would follow it.
    return using(openWithin(from.folder, from.name), async (object) => {
      if (!(await object.stat()).isFile()) throw specialFile(from.name);
      await copyFile(pathOf(object), target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
      await lutimes(target, stats.atime, stats.mtime);
    });
  }
  if (!stats.isDirectory()) throw specialFile(from.name);
  await mkdir(target, 0o700);
  try {
    await using(openWithin(from.folder, from.name, 'folder'), (inner) =>
      using(openWithin(to.folder, to.name, 'folder'), async (copy) => {
        for (const name of await readdir(pathOf(inner), { encoding: 'buffer' }))
          await copyTree({ folder: inner, name }, { folder: copy, name }, signal);
        await chmod(pathOf(copy), stats.mode & 0o7777);
      }),
    );
  } catch (error) {
    await removeTree(to);
    throw error;
  }
}

export async function removeTree(spot: Spot): Promise<void> {
  const path = pathOf(spot.folder, spot.name);
  if (!(await lstat(path)).isDirectory()) return unlink(path);
  await using(openWithin(spot.folder, spot.name, 'folder'), async (inner) => {
    for (const name of await readdir(pathOf(inner), { encoding: 'buffer' })) await removeTree({ folder: inner, name });
  });
  await rmdir(path);
}

function specialFile(name: Name): ToolFailure {
  return new ToolFailure(
    'invalid_input',
    `${name.toString('utf8')} is a pipe, socket or device and cannot be copied or moved to another file system. Leave it out, or use a command.`,
  );
}
