/**
 * Reads each hit's line again, from the very file at its checked path. A search program walks by name: a folder swapped
 * for a link while it walks would make it read elsewhere. What is given back never comes from the program's output, and
 * what does not stand in the checked file is dropped.
 */
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync } from 'node:fs';
import { maxLineBytes, type RawHit } from './read-records.ts';

/** The line as it stands in the file at `realPath`, or undefined when it does not stand there. */
export type ConfirmHit = (realPath: string | Buffer, hit: RawHit) => Buffer | undefined;

export type HitConfirmer = { readonly confirm: ConfirmHit; close(): void };

/** Linux's O_PATH, which Node does not name. */
const O_PATH = 0o10000000;
/** How much of a long line is compared: the program may have cut the rest. */
const comparedBytes = 1_900;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Keeps the last file open: hits of one file follow each other. Synchronous: the bytes were read a moment ago. */
export function createHitConfirmer(): HitConfirmer {
  let path: string | Buffer | undefined;
  let file: number | undefined;
  const close = (): void => {
    if (file !== undefined) closeSync(file);
    [path, file] = [undefined, undefined];
  };
  return {
    close,
    confirm(realPath, hit) {
      if (realPath !== path) {
        close();
        [path, file] = [realPath, openChecked(realPath)];
      }
      if (file === undefined) return undefined;
      return (
        lineAt(file, hit.offset, hit.line) ??
        (startsWithMark(file) ? lineAt(file, hit.offset + byteOrderMark.length, hit.line) : undefined)
      );
    },
  };
}

function openChecked(realPath: string | Buffer): number | undefined {
  let object: number | undefined;
  try {
    object = openSync(realPath, O_PATH | constants.O_NOFOLLOW);
    if (
      !readlinkSync(`/proc/self/fd/${object}`, { encoding: 'buffer' }).equals(Buffer.from(realPath)) ||
      !fstatSync(object).isFile()
    )
      return undefined;
    return openSync(`/proc/self/fd/${object}`, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return undefined; // Gone, replaced or closed to us since: no hit.
  } finally {
    if (object !== undefined) closeSync(object);
  }
}

function lineAt(file: number, offset: number, expected: Buffer): Buffer | undefined {
  const buffer = Buffer.allocUnsafe(maxLineBytes + 1);
  const from = Math.max(0, offset - 1);
  const length = readSync(file, buffer, 0, buffer.length, from);
  if (offset > 0 && offset !== byteOrderMark.length && buffer[0] !== 0x0a) return undefined;
  const text = buffer.subarray(offset - from, length);
  const end = text.indexOf(0x0a);
  const line = end < 0 ? text : text.subarray(0, end);
  const compared = Math.min(line.length, comparedBytes);
  const isSame = Buffer.compare(line.subarray(0, compared), expected.subarray(0, compared)) === 0;
  return isSame && (line.length >= comparedBytes || expected.length === line.length) ? line : undefined;
}

function startsWithMark(file: number): boolean {
  const start = Buffer.alloc(byteOrderMark.length);
  readSync(file, start, 0, start.length, 0);
  return start.equals(byteOrderMark);
}
