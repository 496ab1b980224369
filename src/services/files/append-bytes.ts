/** Adds to the end of a file, or makes it. */
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { checkRegular } from './file-info.ts';
import { withParent } from './open-folder.ts';
import { MovedPath, openWithin, pathOf, using, type VerifyOpened } from './open-verified.ts';
import type { Located } from './path-guard.ts';
import { readObject } from './read-bytes.ts';
import { hasCode } from './system-failure.ts';
import { writeWhole } from './write-whole.ts';

const { O_WRONLY, O_APPEND, O_NONBLOCK } = constants;

/** Beyond this a file with a second name is not rewritten in memory. */
const maxRewrittenBytes = 256 * 1024 * 1024;

/** A file with a second name (hard link) is written anew, because the other name may lie where this call may not write. */
export async function appendBytes(
  target: Located,
  bytes: Uint8Array,
  verify: VerifyOpened,
): Promise<{ created: boolean }> {
  const before = await withParent(target, verify, { makes: true }, (folder, name) =>
    appendInPlace(folder, name, target.shownPath, bytes),
  );
  if (before === 'appended') return { created: false };
  if (before === 'missing') return writeWhole(target, bytes, verify, null);
  return writeWhole(target, Buffer.concat([before, bytes]), verify, before);
}

async function appendInPlace(
  folder: FileHandle,
  name: string,
  shownPath: string,
  bytes: Uint8Array,
): Promise<'appended' | 'missing' | Buffer> {
  try {
    return await using(openWithin(folder, name), async (object) => {
      const stats = await object.stat();
      if (stats.isSymbolicLink()) throw new MovedPath(shownPath);
      checkRegular(stats, shownPath);
      if (stats.nlink > 1) return (await readObject(object, shownPath, maxRewrittenBytes)).bytes;
      await using(open(pathOf(object), O_WRONLY | O_APPEND | O_NONBLOCK), (file) =>
        appendOrUndo(file, stats.size, bytes),
      );
      return 'appended';
    });
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return 'missing';
    throw error;
  }
}

/** Half an addition is worse than none: a full disk leaves the file as it was. */
async function appendOrUndo(file: FileHandle, sizeBefore: number, bytes: Uint8Array): Promise<void> {
  try {
    await file.writeFile(bytes);
    await file.sync();
  } catch (error) {
    await file.truncate(sizeBefore);
    throw error;
  }
}
