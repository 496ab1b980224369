/**
 * Paths as bytes. A file name need not be UTF-8 (path_resolution(7)), and a folder with such a name must not be a place where
 * nobody looks: inside this folder paths are latin1 strings, one character per byte, and become buffers for the kernel.
 */
import { closeSync, constants, lstatSync, openSync, readdirSync, readlinkSync, type Stats } from 'node:fs';

/** Linux's O_PATH, which Node does not name (fcntl.h of every architecture that Node supports). */
const O_PATH = 0o10000000;

export function toBytes(path: string): string {
  return Buffer.from(path, 'utf8').toString('latin1');
}

/** For people. */
export function toText(bytePath: string): string {
  return Buffer.from(bytePath, 'latin1').toString('utf8');
}

export function toBuffer(bytePath: string): Buffer {
  return Buffer.from(bytePath, 'latin1');
}

/** A name in a folder; the workspace itself is the empty path. */
export function joinBytes(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** Undefined when it is not there, or cannot be looked at. */
export function look(bytePath: string): Stats | undefined {
  try {
    return lstatSync(toBuffer(bytePath), { throwIfNoEntry: false });
  } catch {
    // A component that is no folder any more, or may not be searched: nothing that could be obeyed from here.
    return undefined;
  }
}

export type Entry = { readonly name: string; readonly isFolder: boolean; readonly isLink: boolean };

/** Undefined when it cannot be read. */
export function listNames(bytePath: string): readonly Entry[] | undefined {
  try {
    return readdirSync(toBuffer(bytePath), { withFileTypes: true, encoding: 'latin1' }).map((entry) => ({
      name: entry.name,
      isFolder: entry.isDirectory(),
      isLink: entry.isSymbolicLink(),
    }));
  } catch {
    // Gone, or closed to us: looked at again with the next pass.
    return undefined;
  }
}

/** Something moved, or was never what it is taken for. */
export class NotThere extends Error {
  constructor(path: string) {
    super(`${toText(path)} changed while it was being set aside`);
    this.name = 'NotThere';
  }
}

/**
 * Opens exactly the folder that lies at this real path, without following a link anywhere on the way: what the kernel says
 * of the open folder is compared (proc(5), /proc/PID/fd). Throws NotThere. `use` gets the path by which names in it are reached.
 */
export function withFolder<Result>(bytePath: string, use: (folder: string) => Result): Result {
  const handle = openFolder(bytePath);
  try {
    const reached = `/proc/self/fd/${handle}`;
    if (readlinkSync(reached, 'latin1') !== bytePath) throw new NotThere(bytePath);
    return use(reached);
  } finally {
    closeSync(handle);
  }
}

function openFolder(bytePath: string): number {
  try {
    return openSync(toBuffer(bytePath), O_PATH | constants.O_NOFOLLOW | constants.O_DIRECTORY);
  } catch (error) {
    throw Object.assign(new NotThere(bytePath), { cause: error });
  }
}

/** The object itself, whatever it is; nothing can be read through it. */
export function openObject(bytePath: string): number {
  return openSync(toBuffer(bytePath), O_PATH | constants.O_NOFOLLOW);
}
