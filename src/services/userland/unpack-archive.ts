/** Unpacks a tar archive into a folder of ours: what an archive could do to a machine by its entries, it cannot do here. */
import type { Readable } from 'node:stream';
import type { ReadEntry } from 'tar';
import { ToolFailure } from '../../contract/failure.ts';
import { type Leave, type TargetTree, writeEntry } from './write-entry.ts';

export type Unpacking = TargetTree & {
  /** The archive, compressed or not. */
  readonly source: Readable;
  readonly maxEntries?: number;
  readonly maxBytes?: number;
  readonly signal: AbortSignal;
  readonly onEntry?: (count: number) => void;
};

const defaultMaxEntries = 200_000;
const defaultMaxBytes = 4 * 1024 * 1024 * 1024;

/** Rejects with ToolFailure: denied (an entry breaks a rule), too_large, failed (no archive, disk full), cancelled. */
export async function unpackArchive(
  unpacking: Unpacking,
): Promise<{ readonly entries: number; readonly bytes: number }> {
  const { Parser } = await import('tar');
  const { source, signal } = unpacking;
  const counter = createCounter(unpacking);
  return new Promise((resolve, reject) => {
    let isOver = false;
    let leave: Leave | undefined;
    const parser = new Parser({ strict: true });
    const end = (error?: unknown): void => {
      if (isOver) return;
      isOver = true;
      signal.removeEventListener('abort', stop);
      source.destroy();
      leave?.();
      if (error === undefined) resolve(counter.sums);
      else reject(asFailure(error));
    };
    const stop = (): void => end(new ToolFailure('cancelled', 'Unpacking was stopped.'));
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    parser.on('entry', (entry) => {
      if (isOver) return void entry.resume();
      try {
        counter.count(entry);
        leave = writeEntry(unpacking, entry, end);
      } catch (error) {
        entry.resume();
        end(error);
      }
    });
    parser.on('error', end);
    parser.on('end', () => end());
    source.on('error', end);
    source.on('data', (chunk: Buffer) => {
      if (isOver || parser.write(chunk)) return;
      source.pause();
      parser.once('drain', () => source.resume());
    });
    source.on('end', () => isOver || parser.end());
  });
}

type Counter = { count(entry: ReadEntry): void; readonly sums: { entries: number; bytes: number } };

function createCounter(unpacking: Unpacking): Counter {
  const { maxEntries = defaultMaxEntries, maxBytes = defaultMaxBytes } = unpacking;
  const sums = { entries: 0, bytes: 0 };
  return {
    sums,
    count(entry) {
      sums.entries += 1;
      sums.bytes += entry.size;
      if (sums.entries > maxEntries)
        throw new ToolFailure('too_large', `the archive has more than ${maxEntries} entries`);
      if (sums.bytes > maxBytes)
        throw new ToolFailure('too_large', `the archive unpacks to more than ${maxBytes} bytes`);
      unpacking.onEntry?.(sums.entries);
    },
  };
}

function asFailure(error: unknown): ToolFailure {
  if (error instanceof ToolFailure) return error;
  const why = error instanceof Error ? error.message : String(error);
  return new ToolFailure('failed', `the archive could not be unpacked: ${why}`, { cause: error });
}
