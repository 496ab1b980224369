/** Tells what is at a path, following a link only where the call may go. */
import type { FileInfo } from '../../contract/services.ts';
import { toFileInfo } from './file-info.ts';
import { openVerified, using, type VerifyOpened } from './open-verified.ts';
import type { Located, PathGuard } from './path-guard.ts';
import { hasCode } from './system-failure.ts';

/** Undefined when nothing is there. A link to something is that thing; a link to nothing is a link. */
export async function lookAt(path: string, guard: PathGuard, verify: VerifyOpened): Promise<FileInfo | undefined> {
  // Where it leads is checked before whether anything is there: else a link would tell what exists outside.
  const target = await guard.locate(path, 'read');
  const info = await infoOf(target, verify);
  if (info !== undefined) return info;
  const link = await guard.locate(path, 'read', { keepsLastLink: true });
  return link.realPath === target.realPath ? undefined : infoOf(link, verify);
}

async function infoOf(target: Located, verify: VerifyOpened): Promise<FileInfo | undefined> {
  try {
    return await using(openVerified(target.realPath, verify), async (object) =>
      toFileInfo(target.shownPath, await object.stat()),
    );
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}
