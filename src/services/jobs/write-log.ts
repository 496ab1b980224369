/** Writes what a job prints: its first and last megabytes, at once, and never so that the job would have to wait for the disk. */
import { closeSync, constants, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { partName } from './log-parts.ts';

export type LogLimits = {
  /** Kept of the beginning. */
  readonly headBytes: number;
  /** Kept of the end, in parts; up to one part more. */
  readonly tailBytes: number;
  readonly partBytes: number;
};

export const logLimits: LogLimits = {
  headBytes: 5 * 1024 * 1024,
  tailBytes: 5 * 1024 * 1024,
  partBytes: 1024 * 1024,
};

export type LogWriter = {
  write(bytes: Buffer): void;
  /** All that was printed, kept or not. */
  totals(): { readonly bytes: number; readonly lines: number; readonly lostBytes: number };
  /** The first few thousand characters. */
  beginning(): string;
  close(): void;
};

const beginningBytes = 4096;
/** On a full disk: how often it is tried whether there is room again. */
const retryEveryMs = 500;
const newline = 0x0a;

type OpenPart = { readonly handle: number; readonly maxBytes: number; bytes: number };

export function createLogWriter(folder: string, limits: LogLimits = logLimits): LogWriter {
  const tail: string[] = [];
  let part: OpenPart | undefined;
  let beginning = Buffer.alloc(0);
  let bytes = 0;
  let lines = 0;
  let endsLine = true;
  let lostBytes = 0;
  let fullUntilMs = 0;

  /** A part is named by where it begins: what lies between two that do not meet was not kept. */
  function openPart(): OpenPart {
    const path = join(folder, partName({ startByte: bytes, startLine: lines }));
    const isHead = bytes === 0;
    const handle = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    if (!isHead) tail.push(path);
    for (const old of tail.splice(0, tail.length - 1 - Math.ceil(limits.tailBytes / limits.partBytes))) {
      rmSync(old, { force: true });
    }
    return { handle, maxBytes: isHead ? limits.headBytes : limits.partBytes, bytes: 0 };
  }

  function closePart(): void {
    if (part !== undefined) closeSync(part.handle);
    part = undefined;
  }

  /** How many of the bytes were written; throws when the disk takes none. */
  function writeSome(wanted: Buffer): number {
    if (part !== undefined && part.bytes >= part.maxBytes) closePart();
    part ??= openPart();
    const count = writeSync(part.handle, wanted, 0, Math.min(wanted.length, part.maxBytes - part.bytes));
    part.bytes += count;
    return count;
  }

  function count(seen: Buffer): void {
    for (let at = 0; at < seen.length; at += 1) if (seen[at] === newline) lines += 1;
    bytes += seen.length;
    if (seen.length > 0) endsLine = seen.at(-1) === newline;
  }

  function lose(rest: Buffer): void {
    closePart();
    lostBytes += rest.length;
    count(rest);
  }

  return {
    write(chunk) {
      if (beginning.length < beginningBytes) {
        beginning = Buffer.concat([beginning, chunk.subarray(0, beginningBytes - beginning.length)]);
      }
      let rest = chunk;
      while (rest.length > 0) {
        if (performance.now() < fullUntilMs) return lose(rest);
        try {
          const written = writeSome(rest);
          count(rest.subarray(0, written));
          rest = rest.subarray(written);
        } catch {
          // No room, or a broken disk: the job goes on, and the log says what it lacks.
          fullUntilMs = performance.now() + retryEveryMs;
        }
      }
    },
    totals: () => ({ bytes, lines: lines + (endsLine ? 0 : 1), lostBytes }),
    beginning: () => beginning.toString('utf8'),
    close: closePart,
  };
}
