/** Opens the folder in which something happens, making it and its parents where that is wanted. */
import { mkdir, type FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { ToolFailure } from '../../contract/failure.ts';
import { giveToOwnerOf } from './give-to-owner.ts';
import { MovedPath, openVerified, openWithin, pathOf, using, type VerifyOpened } from './open-verified.ts';
import type { Located } from './path-guard.ts';
import { hasCode } from './system-failure.ts';

/** Makes what is missing step by step, each step inside the folder that was verified before it. */
export async function openOrMakeFolder(realPath: string, verify: VerifyOpened): Promise<FileHandle> {
  try {
    return await openVerified(realPath, verify, 'folder');
  } catch (error) {
    if (!hasCode(error, 'ENOENT') || realPath === '/') throw error;
  }
  return using(openOrMakeFolder(dirname(realPath), verify), async (parent) => {
    const name = basename(realPath);
    let isOurs = true;
    await mkdir(pathOf(parent, name)).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error; // Made by someone else meanwhile: as good as ours.
      isOurs = false;
    });
    const folder = await openWithin(parent, name, 'folder');
    if (verify(folder, realPath)) {
      if (isOurs) await giveToOwnerOf(parent, folder);
      return folder;
    }
    await folder.close();
    throw new MovedPath(realPath);
  });
}

/** Runs `use` with the folder that holds the path, and the path's name in it. */
export async function withParent<Result>(
  target: Located,
  verify: VerifyOpened,
  options: { readonly makes: boolean },
  use: (folder: FileHandle, name: string) => Promise<Result>,
): Promise<Result> {
  if (target.realPath === '/')
    throw new ToolFailure(
      'invalid_input',
      'The root of the file system cannot be written, moved or removed. Name a file below it.',
    );
  const parent = dirname(target.realPath);
  return using(options.makes ? openOrMakeFolder(parent, verify) : openVerified(parent, verify, 'folder'), (folder) =>
    use(folder, basename(target.realPath)),
  );
}
