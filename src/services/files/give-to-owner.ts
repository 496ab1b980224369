/** What root makes in somebody's folder is that somebody's: commands run there as that user, and must be able to change it. */
import type { FileHandle } from 'node:fs/promises';
import { chown } from 'node:fs/promises';
import { pathOf } from './open-verified.ts';

/** `made`: just made by us, seen through its handle. Nothing happens for anybody but root. */
export async function giveToOwnerOf(folder: FileHandle, made: FileHandle): Promise<void> {
  if (process.geteuid?.() !== 0) return;
  const [{ uid, gid }, own] = await Promise.all([folder.stat(), made.stat()]);
  // Something else than what we made: it stays whose it is.
  if (own.uid !== 0 || (own.isFile() && own.nlink !== 1)) return;
  if (uid !== 0) await chown(pathOf(made), uid, gid);
}
