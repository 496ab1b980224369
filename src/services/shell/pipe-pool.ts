/**
 * Real pipes for the output of commands. What Node makes for `stdio: 'pipe'` are sockets, and a program that opens
 * /dev/stdout or /dev/stderr again gets ENXIO from a socket. Node cannot make pipes, so they begin as named ones.
 */
import { execFile } from 'node:child_process';
import { closeSync, constants, fchmodSync, fchownSync, openSync, readSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ToolFailure } from '../../contract/failure.ts';
import { removeOldFolders } from './remove-old-folders.ts';

export type Pipe = {
  /** A new end for reading, not blocking. The caller closes it. */
  openReader(): number;
  /** A new end for reading, to hand to a program that waits for input. The caller closes it. */
  openInput(): number;
  /** A new end for writing, to hand to a program. The caller closes it. */
  openWriter(): number;
  /**
   * A new end for reading, to hand to a program that closes it in our place, and what fills it: the program waits until
   * then, and sees the end after the bytes. At most `maxFeedBytes`.
   */
  feed(bytes: Buffer): { readonly reader: number; send(): void };
  /** Nobody can open it by /proc any more, until it is released. */
  seal(): void;
  /** What is in it right now, and what was read by this before. Not together with a reader. */
  readSoFar(): string;
};

/** pipe(7): what fits into a pipe without anybody reading it. */
export const maxFeedBytes = 60_000;

export type PipePool = {
  /** Pipes will be taken soon. Why there are none is said to who takes them. */
  prepare(): void;
  /** Pipes that `owner` may open again by /dev/stdout. */
  take(count: number, owner: { readonly uid: number; readonly gid: number }): Promise<readonly Pipe[]>;
  /** Gives back pipes whose readers and writers are closed. One that somebody still writes to is thrown away. */
  release(pipes: readonly Pipe[]): void;
  close(): void;
};

type KeptPipe = Pipe & { readonly handle: number; reset(): void };

const batchSize = 8;
const folderPrefix = 'handrail-pipes-';
/** Their folder lives for milliseconds: an older one belongs to a program that was killed in between. */
const oldMs = 60_000;
/** Enough for eight commands at once; what a burst needed beyond that is given back. */
const maxIdle = 32;

export function createPipePool(folder: string = tmpdir()): PipePool {
  const idle: KeptPipe[] = [];
  const taken = new Set<KeptPipe>();
  let making: Promise<void> | undefined;
  let isClosed = false;
  let hasLooked = false;

  async function make(count: number): Promise<void> {
    if (!hasLooked) void removeOldFolders(folder, folderPrefix, oldMs);
    hasLooked = true;
    const pipes = await makePipes(folder, count);
    if (isClosed) for (const pipe of pipes) closeSync(pipe.handle);
    else idle.push(...pipes);
  }

  return {
    prepare() {
      if (idle.length > 0) return;
      making ??= make(batchSize)
        // The same happens to who takes some, and is said there.
        .catch(() => undefined)
        .finally(() => (making = undefined));
    },
    async take(count, owner) {
      await making;
      // Another one may have taken them.
      while (idle.length < count && !isClosed) await make(Math.max(count, batchSize));
      if (isClosed) throw new ToolFailure('unavailable', 'The shell was closed. Run the command again.');
      // No await from here on: two callers must not get the same pipe.
      const pipes = idle.splice(-count);
      for (const pipe of pipes) {
        taken.add(pipe);
        if (process.geteuid?.() === 0) fchownSync(pipe.handle, owner.uid, owner.gid);
      }
      return pipes;
    },
    release(pipes) {
      for (const pipe of taken) {
        if (!pipes.includes(pipe)) continue;
        taken.delete(pipe);
        pipe.reset();
        if (isUnused(pipe) && !isClosed) idle.push(pipe);
        else closeSync(pipe.handle);
      }
      for (const pipe of idle.splice(maxIdle)) closeSync(pipe.handle);
    },
    close() {
      isClosed = true;
      for (const pipe of idle.splice(0)) closeSync(pipe.handle);
    },
  };
}

/** The names are gone at once; the pipes live as long as we hold their reading ends. */
async function makePipes(parent: string, count: number): Promise<KeptPipe[]> {
  let folder: string | undefined;
  try {
    folder = await mkdtemp(join(parent, folderPrefix));
    const paths = Array.from({ length: count }, (_, position) => join(folder ?? parent, `${position}`));
    await runProgram('mkfifo', ['-m', '600', ...paths]);
    return paths.map(openPipe);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `The pipes for a command's output could not be made in ${parent} (${reason}). Free some space there, or set TMPDIR to a folder that can be written.`;
    throw new ToolFailure('unavailable', message, { cause: error });
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

function openPipe(path: string): KeptPipe {
  const handle = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  const again = `/proc/self/fd/${handle}`;
  const openWriter = (): number => openSync(again, constants.O_WRONLY);
  let soFar = '';
  let isSealed = false;
  return {
    handle,
    openWriter,
    openInput: () => openSync(again, constants.O_RDONLY),
    openReader: () => openSync(again, constants.O_RDONLY | constants.O_NONBLOCK),
    feed(bytes) {
      const writer = openWriter();
      return {
        reader: openSync(again, constants.O_RDONLY),
        send() {
          writeSync(writer, bytes);
          closeSync(writer);
        },
      };
    },
    seal() {
      fchmodSync(handle, 0);
      isSealed = true;
    },
    readSoFar() {
      soFar = (soFar + readAvailable(handle)).slice(0, maxFeedBytes);
      return soFar;
    },
    reset() {
      soFar = '';
      if (isSealed) fchmodSync(handle, 0o600);
      isSealed = false;
      // Leftovers must not reach the next command.
      readAvailable(handle);
    },
  };
}

/** At most what a pipe holds, however fast somebody fills it. */
function readAvailable(handle: number): string {
  const buffer = Buffer.allocUnsafe(65_536);
  let length = 0;
  while (length < buffer.length) {
    try {
      const count = readSync(handle, buffer, length, buffer.length - length, null);
      if (count === 0) break;
      length += count;
    } catch {
      // EAGAIN: nothing more for now.
      break;
    }
  }
  return buffer.toString('utf8', 0, length);
}

/** pipe(7): reading an empty pipe without writers gives end-of-file, with writers EAGAIN. */
function isUnused(pipe: KeptPipe): boolean {
  try {
    return readSync(pipe.handle, Buffer.alloc(1)) === 0;
  } catch {
    // EAGAIN: something that could not be ended still holds the other end.
    return false;
  }
}

function runProgram(file: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(file, args, { env: { PATH: '/usr/bin:/bin' } }, (error) => (error === null ? resolve() : reject(error)));
  });
}
