/** The place where one search begins: checked, opened, and with the names by which its hits are reported. */
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { isInside } from '../../base/is-inside.ts';
import { ToolFailure } from '../../contract/failure.ts';
import { liesAt, MovedPath, openVerified, using } from '../files/open-verified.ts';
import type { Located, PathGuard } from '../files/path-guard.ts';
import { hasCode, systemFailure } from '../files/system-failure.ts';

export type SearchRoot = {
  readonly guard: PathGuard;
  /** What was located: the folder searched, or the one file. */
  readonly located: Located;
  /** Open while the search runs: the folder, or the folder of the file. */
  readonly folder: FileHandle;
  readonly folderRealPath: string;
  /** The name in the folder when only one file is searched. */
  readonly fileName: string | undefined;
  /** The real path of a hit, from the name a program printed (`./a/b`). */
  realPathOf(name: string): string;
  /** The same in bytes, for a name that is not UTF-8. */
  rawPathOf(name: Buffer): Buffer;
  /** How people and models know that real path. */
  shown(realPath: string): string;
};

/** File systems that are windows into the kernel: reading them can block or act, and nothing in them is a document. */
export const kernelFolders: readonly string[] = ['/proc', '/sys', '/dev'];

export async function withSearchRoot<Result>(
  guard: PathGuard,
  path: string,
  search: (root: SearchRoot) => Promise<Result>,
): Promise<Result> {
  const located = await guard.locate(path, 'read');
  if (kernelFolders.some((folder) => isInside(located.realPath, folder)) && !isInside(located.realPath, '/dev/shm')) {
    throw new ToolFailure(
      'invalid_input',
      `${located.shownPath} shows the kernel's own state, not files; it cannot be searched. Search a folder of documents.`,
    );
  }
  try {
    return await using(openVerified(located.realPath, liesAt), async (object) => {
      const stats = await object.stat();
      if (stats.isDirectory()) return search(makeRoot(guard, located, object, located.realPath, undefined));
      if (!stats.isFile())
        throw new ToolFailure(
          'invalid_input',
          `${located.shownPath} is neither a file nor a folder. Give a folder to search in.`,
        );
      const folderPath = dirname(located.realPath);
      return using(openVerified(folderPath, liesAt, 'folder'), (folder) =>
        search(makeRoot(guard, located, folder, folderPath, basename(located.realPath))),
      );
    });
  } catch (error) {
    if (error instanceof MovedPath)
      throw new ToolFailure(
        'conflict',
        `${located.shownPath} was replaced while it was being opened. Repeat the call.`,
        { cause: error },
      );
    throw hasCode(error, 'ENOENT')
      ? new ToolFailure(
          'not_found',
          `There is no folder or file ${located.shownPath}. Check the spelling, or leave path out to search the workspace.`,
          { cause: error },
        )
      : systemFailure(error, 'search in', located.shownPath);
  }
}

function makeRoot(
  guard: PathGuard,
  located: Located,
  folder: FileHandle,
  folderRealPath: string,
  fileName: string | undefined,
): SearchRoot {
  const prefix = folderRealPath === '/' ? '/' : `${folderRealPath}/`;
  return {
    guard,
    located,
    folder,
    folderRealPath,
    fileName,
    realPathOf: (name) => prefix + (name.startsWith('./') ? name.slice(2) : name),
    rawPathOf: (name) =>
      Buffer.concat([Buffer.from(prefix), name.subarray(0, 2).equals(Buffer.from('./')) ? name.subarray(2) : name]),
    shown: (realPath) => {
      if (realPath === located.realPath) return located.shownPath;
      const below = isInside(realPath, located.realPath)
        ? realPath.slice(located.realPath === '/' ? 0 : located.realPath.length)
        : undefined;
      return below === undefined ? guard.show(realPath) : (located.shownPath === '/' ? '' : located.shownPath) + below;
    },
  };
}

/** Byte order, folder by folder, as `rg --sort path` has it. */
export function comparePaths(left: string, right: string): number {
  const [a, b] = [left.replaceAll('/', '\0'), right.replaceAll('/', '\0')];
  return a < b ? -1 : a > b ? 1 : 0;
}
