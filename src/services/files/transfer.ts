/** Moves and copies, from one checked path to another. */
import { randomBytes } from 'node:crypto';
import { lstat, type FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { isInside } from '../../base/is-inside.ts';
import { ToolFailure } from '../../contract/failure.ts';
import { copyTree, removeTree } from './copy-tree.ts';
import { withParent } from './open-folder.ts';
import { openVerified, openWithin, pathOf, using, type VerifyOpened } from './open-verified.ts';
import type { Located, PathGuard } from './path-guard.ts';
import { placeWithoutOverwriting, type Spot } from './place.ts';
import { hasCode } from './system-failure.ts';
import { walkTree } from './walk-tree.ts';

export async function movePath(from: Located, to: Located, guard: PathGuard, verify: VerifyOpened): Promise<void> {
  guard.checkWhole(from);
  checkApart(from, to);
  await withParent(from, verify, { makes: false }, async (fromFolder, fromName) => {
    const source: Spot = { folder: fromFolder, name: fromName };
    if ((await lstat(pathOf(fromFolder, fromName))).isDirectory()) await scanTree(source, from, to, guard, 'move');
    await withParent(to, verify, { makes: true }, (toFolder, toName) =>
      relocate(source, { folder: toFolder, name: toName }, guard.signal),
    );
  }).catch((error: unknown) => explainTaken(error, to));
}

/** `isTree`: the caller allowed folders. */
export async function copyPath(
  from: Located,
  to: Located,
  isTree: boolean,
  guard: PathGuard,
  verify: VerifyOpened,
): Promise<void> {
  checkApart(from, to);
  if (from.realPath === '/')
    throw new ToolFailure(
      'invalid_input',
      'The root of the file system cannot be copied. Name a file or folder below it.',
    );
  await using(openVerified(dirname(from.realPath), verify, 'folder'), async (folder) => {
    const source: Spot = { folder, name: basename(from.realPath) };
    if ((await lstat(pathOf(folder, source.name))).isDirectory()) {
      if (!isTree)
        throw new ToolFailure(
          'invalid_input',
          `${from.shownPath} is a folder. Set recursive to copy it with everything in it.`,
        );
      await scanTree(source, from, to, guard, 'copy');
    }
    await withParent(to, verify, { makes: true }, (toFolder, toName) =>
      copyInto(source, { folder: toFolder, name: toName }, guard.signal),
    );
  }).catch((error: unknown) => explainTaken(error, to));
}

/** Renames where it can; between file systems it copies, and removes the source when the copy is whole and in its place. */
export async function relocate(from: Spot, to: Spot, signal: AbortSignal): Promise<void> {
  try {
    await placeWithoutOverwriting(from, to);
  } catch (error) {
    if (!hasCode(error, 'EXDEV')) throw error;
    await copyInto(from, to, signal);
    await removeTree(from);
  }
}

/** Whoever looks at the destination, also after a crash, sees nothing or the whole. */
async function copyInto(from: Spot, to: Spot, signal: AbortSignal): Promise<void> {
  const temporary: Spot = { folder: to.folder, name: `.handrail-${randomBytes(9).toString('hex')}.tmp` };
  await copyTree(from, temporary, signal);
  try {
    await placeWithoutOverwriting(temporary, to);
  } catch (error) {
    await removeTree(temporary);
    throw error;
  }
}

/** Looks through a tree before it is taken along: nothing in it may be forbidden here, or become trusted there. */
async function scanTree(
  source: Spot,
  from: Located,
  to: Located,
  guard: PathGuard,
  verb: 'move' | 'copy',
): Promise<void> {
  await using(openWithin(source.folder, source.name, 'folder'), (folder: FileHandle) =>
    walkTree(folder, guard.signal, ({ relativePath }) => {
      const realPath = `${from.realPath}/${relativePath}`;
      if (!guard.mayVisit(realPath, from))
        throw new ToolFailure(
          'denied',
          `${from.shownPath} contains ${guard.show(realPath)}, which no tool may touch; nothing was done. ${verb === 'copy' ? 'Copy' : 'Move'} the other parts by themselves.`,
        );
      guard.checkPlanted(realPath, `${to.realPath}/${relativePath}`);
      return 'enter';
    }),
  );
}

function checkApart(from: Located, to: Located): void {
  if (isInside(to.realPath, from.realPath))
    throw new ToolFailure(
      'invalid_input',
      `${to.shownPath} is ${from.shownPath} itself or lies inside it. Choose a destination elsewhere.`,
    );
}

function explainTaken(error: unknown, to: Located): never {
  if (!hasCode(error, 'EEXIST', 'ENOTEMPTY')) throw error;
  throw new ToolFailure(
    'conflict',
    `${to.shownPath} exists already and was left as it is. Give the full new name of a place where nothing is, or remove what is there first.`,
    { cause: error },
  );
}
