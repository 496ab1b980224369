/** Reads one regular file whole, up to a limit. */
import { constants, fstatSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { ToolFailure } from '../../contract/failure.ts';
import type { FileInfo } from '../../contract/services.ts';
import { checkRegular, toFileInfo } from './file-info.ts';
import { MovedPath, openVerified, pathOf, using, type VerifyOpened } from './open-verified.ts';
import type { Located } from './path-guard.ts';

/** Files of 10 MB and more are not read whole (Keen's figure, in binary megabytes as its language counts them). */
export const defaultMaxBytes = 10 * 1024 * 1024 - 1;

export async function readBytes(
  target: Located,
  verify: VerifyOpened,
  maxBytes = defaultMaxBytes,
): Promise<{ bytes: Buffer; info: FileInfo }> {
  return using(openVerified(target.realPath, verify), (object) => readObject(object, target.shownPath, maxBytes));
}

/** The same for an object that is open already, found by whatever way was safe. */
export async function readObject(
  object: FileHandle,
  shownPath: string,
  maxBytes: number,
): Promise<{ bytes: Buffer; info: FileInfo }> {
  // Synchronous, as the look at where it lies: the kernel has just opened it and answers from memory.
  const stats = fstatSync(object.fd);
  if (stats.isSymbolicLink()) throw new MovedPath(shownPath);
  checkRegular(stats, shownPath);
  if (stats.size > maxBytes) throw tooLarge(shownPath, stats.size, maxBytes);
  const bytes = await using(open(pathOf(object), constants.O_RDONLY | constants.O_NONBLOCK), (file) =>
    readToEnd(file, stats.size, maxBytes),
  );
  if (bytes === undefined) throw tooLarge(shownPath, undefined, maxBytes);
  return { bytes, info: toFileInfo(shownPath, stats) };
}

/** The size is a hint: files in /proc say 0, and a log may grow while it is read. Undefined: more than `maxBytes`. */
async function readToEnd(file: FileHandle, sizeHint: number, maxBytes: number): Promise<Buffer | undefined> {
  let buffer = Buffer.allocUnsafeSlow(Math.min(maxBytes, Math.max(sizeHint, 4095)) + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, null);
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
    if (length > maxBytes) return undefined;
    // A regular file of known size that gives less than was asked for is at its end; one more look costs as much as the read.
    if (sizeHint > 0 && length === sizeHint) return buffer.subarray(0, length);
    if (length === buffer.length) buffer = Buffer.concat([buffer], Math.min(maxBytes + 1, buffer.length * 2));
  }
}

function tooLarge(shownPath: string, bytes: number | undefined, maxBytes: number): ToolFailure {
  const size = bytes === undefined ? '' : ` (${bytes.toLocaleString('en-US')} bytes)`;
  return new ToolFailure(
    'too_large',
    `${shownPath} is too large to read whole${size}; the limit is ${(maxBytes + 1).toLocaleString('en-US')} bytes. Find the part you need with grep, or cut it out with a command such as head, tail or sed.`,
  );
}
