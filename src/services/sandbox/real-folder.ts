/** Looks whether a path is the very folder it says it is: no link in any part of it, seen through an open handle. */
import { closeSync, constants, fstatSync, openSync, readlinkSync } from 'node:fs';
import { ToolFailure } from '../../contract/failure.ts';

export type RealFolder = {
  readonly path: string;
  /** `device:inode`: what the sandbox compares after its mounts are made. */
  readonly id: string;
  readonly uid: number;
};

/**
 * The kernel itself tells where the opened folder lies (proc(5), /proc/self/fd), so that a link in any component shows,
 * also one planted while we look. Rejects with ToolFailure: not_found, denied.
 */
export function openRealFolder(path: string, what: string): RealFolder {
  let handle: number;
  try {
    handle = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    throw folderFailure(path, what, error);
  }
  try {
    const realPath = readlinkSync(`/proc/self/fd/${handle}`);
    if (realPath !== path) {
      const message = `${what} ${path} is now a link or lies behind one (it leads to ${realPath}), so no command was run. Put the folder back, or start a conversation in the real folder.`;
      throw new ToolFailure('denied', message);
    }
    const info = fstatSync(handle, { bigint: true });
    return { path, id: `${info.dev}:${info.ino}`, uid: Number(info.uid) };
  } finally {
    closeSync(handle);
  }
}

function folderFailure(path: string, what: string, error: unknown): ToolFailure {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT') {
    return new ToolFailure(
      'not_found',
      `${what} ${path} does not exist any more. Make it again, or use another workspace.`,
    );
  }
  if (code === 'ELOOP' || code === 'ENOTDIR') {
    return new ToolFailure('denied', `${what} ${path} is not a real folder (it may be a link), so no command was run.`);
  }
  return new ToolFailure(
    'denied',
    `${what} ${path} cannot be opened (${code ?? 'unknown error'}), so no command was run.`,
    {
      cause: error,
    },
  );
}
