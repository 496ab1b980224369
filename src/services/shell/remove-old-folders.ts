/** Takes away temporary folders of ours that a killed program could not take away itself. */
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Folders in `parent` with that prefix that belong to us and were not changed for `oldMs` milliseconds. Never rejects. */
export async function removeOldFolders(parent: string, prefix: string, oldMs: number): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  const ours = names.filter((name) => name.startsWith(prefix)).map((name) => join(parent, name));
  // What is gone meanwhile, or cannot be removed, is tried again by the next program.
  await Promise.allSettled(ours.map((folder) => removeWhenOld(folder, oldMs)));
}

async function removeWhenOld(folder: string, oldMs: number): Promise<void> {
  // A link that somebody planted under such a name is no folder.
  const info = await lstat(folder);
  const isOurs = info.isDirectory() && info.uid === process.geteuid?.();
  if (isOurs && Date.now() - info.mtimeMs > oldMs) await rm(folder, { recursive: true });
}
