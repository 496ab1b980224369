/** Lists a folder, or the whole tree below it. */
import { ToolFailure } from '../../contract/failure.ts';
import type { FileInfo } from '../../contract/services.ts';
import { toFileInfo } from './file-info.ts';
import { openVerified, using, type VerifyOpened } from './open-verified.ts';
import type { Located, PathGuard } from './path-guard.ts';
import { hasCode } from './system-failure.ts';
import { walkTree } from './walk-tree.ts';

export type ListOptions = { readonly recursive?: boolean; readonly limit?: number };

/** What may not be read is named, as any listing of its parent would, but not entered. */
export async function listFolder(
  root: Located,
  guard: PathGuard,
  verify: VerifyOpened,
  options: ListOptions,
): Promise<{ entries: FileInfo[]; truncated: boolean }> {
  const limit = options.limit ?? 1000;
  const entries: FileInfo[] = [];
  const isWhole = await using(openFolder(root, verify), (folder) =>
    walkTree(folder, guard.signal, ({ relativePath, stats }) => {
      if (entries.length === limit) return 'stop';
      entries.push(toFileInfo(join(root.shownPath, relativePath), stats));
      return options.recursive === true && guard.mayVisit(join(root.realPath, relativePath), root) ? 'enter' : 'next';
    }),
  );
  return { entries, truncated: !isWhole };
}

function join(folder: string, relativePath: string): string {
  return folder === '/' ? `/${relativePath}` : `${folder}/${relativePath}`;
}

async function openFolder(root: Located, verify: VerifyOpened): ReturnType<typeof openVerified> {
  try {
    return await openVerified(root.realPath, verify, 'folder');
  } catch (error) {
    if (!hasCode(error, 'ENOTDIR')) throw error;
    throw new ToolFailure(
      'invalid_input',
      `${root.shownPath} is a file, not a folder. Read it, or list the folder it is in.`,
      { cause: error },
    );
  }
}
