/** The trash: where removed files wait until they are brought back. */
import { createHash, randomBytes } from 'node:crypto';
import { lstat, mkdir, open, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolFailure } from '../../contract/failure.ts';
import { withParent } from './open-folder.ts';
import { pathOf, using, type VerifyOpened } from './open-verified.ts';
import type { Located, PathGuard } from './path-guard.ts';
import { hasCode } from './system-failure.ts';
import { relocate } from './transfer.ts';

/** The removed thing's name inside its trash entry; beside it lies `removed.json`. */
const itemName = 'item';

/** Entries of one path share a prefix and sort by time, so that the newest is found without opening any. */
function prefixOf(realPath: string): string {
  return createHash('sha256').update(realPath).digest('hex').slice(0, 24);
}

export async function moveToTrash(
  target: Located,
  isTree: boolean,
  trashFolder: string,
  guard: PathGuard,
  verify: VerifyOpened,
): Promise<{ trashId: string }> {
  guard.checkWhole(target);
  return withParent(target, verify, { makes: false }, async (folder, name) => {
    const stats = await lstat(pathOf(folder, name));
    if (stats.isDirectory() && !isTree && (await readdir(pathOf(folder, name))).length > 0) {
      throw new ToolFailure(
        'invalid_input',
        `${target.shownPath} is a folder that is not empty. Set recursive to remove it with everything in it.`,
      );
    }
    const removedAt = new Date();
    const trashId = `${prefixOf(target.realPath)}-${removedAt.getTime().toString(36).padStart(10, '0')}-${randomBytes(4).toString('hex')}`;
    const entry = join(trashFolder, trashId);
    await mkdir(entry, { recursive: true, mode: 0o700 });
    try {
      await writeFile(
        join(entry, 'removed.json'),
        JSON.stringify({ path: target.shownPath, realPath: target.realPath, removedAt: removedAt.toISOString() }),
        { mode: 0o600 },
      );
      await using(open(entry), (trashed) =>
        relocate({ folder, name }, { folder: trashed, name: itemName }, guard.signal),
      );
    } catch (error) {
      await discard(entry);
      throw error;
    }
    return { trashId };
  });
}

/** Brings back the newest removal of the path. */
export async function restoreFromTrash(
  target: Located,
  trashFolder: string,
  guard: PathGuard,
  verify: VerifyOpened,
): Promise<void> {
  const entry = await newestEntry(target, trashFolder);
  if (entry === undefined)
    throw new ToolFailure(
      'not_found',
      `Nothing that was removed from ${target.shownPath} is in the trash. Give the path exactly as it was when it was removed.`,
    );
  try {
    await withParent(target, verify, { makes: true }, (folder, name) =>
      using(open(entry), (trashed) => relocate({ folder: trashed, name: itemName }, { folder, name }, guard.signal)),
    );
  } catch (error) {
    if (!hasCode(error, 'EEXIST', 'ENOTEMPTY')) throw error;
    throw new ToolFailure(
      'conflict',
      `${target.shownPath} exists again and was left as it is. Move it away first, then restore.`,
      { cause: error },
    );
  }
  await discard(entry);
}

async function newestEntry(target: Located, trashFolder: string): Promise<string | undefined> {
  const names = await readdir(trashFolder).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return []; // Nothing was ever removed.
    throw error;
  });
  for (const name of names
    .filter((each) => each.startsWith(`${prefixOf(target.realPath)}-`))
    .toSorted()
    .toReversed()) {
    const entry = join(trashFolder, name);
    const record: unknown = await readFile(join(entry, 'removed.json'), 'utf8')
      .then(JSON.parse)
      .catch(() => undefined); // Cut short by a crash: not a whole removal.
    const isOfPath =
      typeof record === 'object' && record !== null && 'realPath' in record && record.realPath === target.realPath;
    if (isOfPath && (await lstat(join(entry, itemName)).catch(() => undefined)) !== undefined) return entry;
  }
  return undefined;
}

/** The entry's own two files at most; a thing still in it keeps it. */
async function discard(entry: string): Promise<void> {
  if ((await lstat(join(entry, itemName)).catch(() => undefined)) !== undefined) return;
  await rm(join(entry, 'removed.json'), { force: true });
  await rmdir(entry);
}
