/** What is told about a file, made from what the kernel says. */
import type { Stats } from 'node:fs';
import { ToolFailure } from '../../contract/failure.ts';
import type { FileInfo, FileKind } from '../../contract/services.ts';

export function kindOf(stats: Stats): FileKind {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'folder';
  return stats.isSymbolicLink() ? 'link' : 'other';
}

export function toFileInfo(path: string, stats: Stats): FileInfo {
  return {
    path,
    kind: kindOf(stats),
    bytes: stats.size,
    modifiedAt: stats.mtime.toISOString(),
    mode: stats.mode & 0o7777,
  };
}

/** Only a regular file has content of its own: reading a FIFO would wait for a writer, a device may do anything. */
export function checkRegular(stats: Stats, shownPath: string): void {
  if (stats.isFile()) return;
  if (stats.isDirectory())
    throw new ToolFailure('invalid_input', `${shownPath} is a folder, not a file. List it, or name a file in it.`);
  const kind = stats.isFIFO()
    ? 'a pipe (FIFO)'
    : stats.isSocket()
      ? 'a socket'
      : stats.isCharacterDevice() || stats.isBlockDevice()
        ? 'a device'
        : 'no regular file';
  throw new ToolFailure(
    'invalid_input',
    `${shownPath} is ${kind}; only regular files can be read or written. Use a command if it must be used.`,
  );
}
