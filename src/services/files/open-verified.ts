/**
 * Opens exactly the object that was checked, so that a link planted between check and use wins nothing.
 *
 * Node has no openat2(RESOLVE_BENEATH). Instead: open with O_PATH (which touches nothing, not even a FIFO or a device),
 * ask the kernel where the opened object lies (/proc/self/fd/N, proc(5)), and go on only when that is the checked real
 * path. From then on the descriptor is the object: `/proc/self/fd/N/name` is openat(N, name).
 */
import { constants, readlinkSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

/** Linux's O_PATH, which Node does not name (fcntl.h of every architecture that Node supports). */
const O_PATH = 0o10000000;
const { O_NOFOLLOW, O_DIRECTORY } = constants;

/** The object opened is not the one checked: something moved. The operation resolves again and retries. */
export class MovedPath extends Error {
  constructor(realPath: string) {
    super(`${realPath} changed while it was being opened`);
    this.name = 'MovedPath';
  }
}

/** Whether the opened object lies at the path that was checked. The one guard of this file, swapped out by its twin. */
export type VerifyOpened = (handle: FileHandle, realPath: string) => boolean;

/** Synchronous: the kernel answers from memory, and a trip through the thread pool would cost ten times as much. */
export const liesAt: VerifyOpened = (handle, realPath) => readlinkSync(`/proc/self/fd/${handle.fd}`) === realPath;

/** A name in a folder: bytes where they came from the folder itself, for names need not be UTF-8 (path_resolution(7)). */
export type Name = string | Buffer;

/** The path by which the kernel reaches an open object, or a name in an open folder. */
export function pathOf(handle: FileHandle): string;
export function pathOf(handle: FileHandle, name: Name): Name;
export function pathOf(handle: FileHandle, name?: Name): Name {
  const path = `/proc/self/fd/${handle.fd}`;
  if (name === undefined) return path;
  return typeof name === 'string' ? `${path}/${name}` : Buffer.concat([Buffer.from(`${path}/`), name]);
}

/** A handle for the object itself; nothing can be read through it. A link at the end is opened as a link. */
export async function openVerified(
  realPath: string,
  verify: VerifyOpened,
  kind: 'any' | 'folder' = 'any',
): Promise<FileHandle> {
  const handle = await open(realPath, O_PATH | O_NOFOLLOW | (kind === 'folder' ? O_DIRECTORY : 0));
  try {
    if (!verify(handle, realPath)) throw new MovedPath(realPath);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** A handle for a name in an open folder. Only one component, never followed: nothing can come in between. */
export async function openWithin(folder: FileHandle, name: Name, kind: 'any' | 'folder' = 'any'): Promise<FileHandle> {
  return open(pathOf(folder, name), O_PATH | O_NOFOLLOW | (kind === 'folder' ? O_DIRECTORY : 0));
}

/** Runs `use` and closes the handle, whatever happens. */
export async function using<Result>(
  opening: Promise<FileHandle>,
  use: (handle: FileHandle) => Promise<Result>,
): Promise<Result> {
  const handle = await opening;
  try {
    return await use(handle);
  } finally {
    await handle.close();
  }
}
