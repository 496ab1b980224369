/** What a trusted file was when it was known to be the user's, and whether it still is. */
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, type Stats } from 'node:fs';
import { openObject, toBuffer } from './byte-paths.ts';

export type FileKind = 'file' | 'link' | 'other';

export type FileContent = {
  readonly kind: FileKind;
  readonly hash: string;
  /** A file's bytes or a link's target. Undefined: too large to keep, unreadable, or nothing that has any. */
  readonly bytes: Buffer | undefined;
};

export type KnownFile = FileContent & {
  readonly ino: number;
  readonly ctimeMs: number;
  readonly size: number;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
};

/** What is kept of one file, here and among the things set aside. */
export const maxKeptBytes = 16 * 1024 * 1024;

export function isUnchanged(known: KnownFile, stats: Stats): boolean {
  return known.ino === stats.ino && known.ctimeMs === stats.ctimeMs && known.size === stats.size;
}

/** What a person writes is smaller; a cache in an editor's folder is not worth its memory. */
const maxRememberedBytes = 1024 * 1024;

export function knownFrom(content: FileContent, stats: Stats): KnownFile {
  const { ino, ctimeMs, size, mode, uid, gid } = stats;
  const bytes = (content.bytes?.length ?? 0) > maxRememberedBytes ? undefined : content.bytes;
  return { ...content, bytes, ino, ctimeMs, size, mode, uid, gid };
}

/**
 * What lies at this path now, never what a link there leads to; with the state it had once it was read whole.
 * Undefined when nothing is there. `path` is reached through a folder that is open already, or is looked at only.
 */
export function readContent(path: string): { content: FileContent; stats: Stats } | undefined {
  let handle: number;
  try {
    handle = openObject(path);
  } catch {
    // Gone: there is nothing to judge.
    return undefined;
  }
  try {
    const before = fstatSync(handle);
    if (before.isSymbolicLink()) {
      const target = readlinkSync(toBuffer(path), 'buffer');
      return { content: { kind: 'link', hash: hashOf(target), bytes: target }, stats: before };
    }
    if (!before.isFile())
      return { content: { kind: 'other', hash: `other ${before.mode}`, bytes: undefined }, stats: before };
    const bytes = readOpened(handle, before.size);
    const stats = fstatSync(handle);
    // Without its bytes a file is told from another by what the kernel says of it.
    const hash = bytes === undefined ? `unread ${stats.ino} ${stats.size} ${stats.ctimeMs}` : hashOf(bytes);
    return { content: { kind: 'file', hash, bytes }, stats };
  } catch {
    // Replaced between two looks: the next pass sees what is there then.
    return undefined;
  } finally {
    closeSync(handle);
  }
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function readOpened(handle: number, size: number): Buffer | undefined {
  if (size > maxKeptBytes) return undefined;
  let file: number;
  try {
    // Never waits, should it have become a FIFO; an O_PATH handle opens again as what it is.
    file = openSync(`/proc/self/fd/${handle}`, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    // Closed to us by its mode.
    return undefined;
  }
  try {
    const buffer = Buffer.allocUnsafeSlow(Math.min(maxKeptBytes, size + 64 * 1024) + 1);
    let length = 0;
    for (;;) {
      const count = readSync(file, buffer, length, buffer.length - length, null);
      length += count;
      if (count === 0) return Buffer.from(buffer.subarray(0, length));
      if (length === buffer.length) return undefined;
    }
  } finally {
    closeSync(file);
  }
}
