/**
 * Real pipes for the output of commands. What Node makes for `stdio: 'pipe'` are sockets, and a program that opens
 * /dev/stdout or /dev/stderr again gets ENXIO from a socket. Node cannot make pipes, so they begin as named ones.
 */
import { execFile } from 'node:child_process';
import { closeSync, constants, fchownSync, openSync, readSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ToolFailure } from '../../contract/failure.ts';

export type OutputPipe = {
  /** A new end for reading, not blocking. The caller closes it. */
  openReader(): number;
  /** A new end for writing, to hand to a program. The caller closes it. */
  openWriter(): number;
};

export type PipePool = {
  /** Pipes that `owner` may open again by /dev/stdout. */
  take(count: number, owner: { readonly uid: number; readonly gid: number }): Promise<readonly OutputPipe[]>;
  /** Gives back pipes whose readers and writers are closed. One that somebody still writes to is thrown away. */
  release(pipes: readonly OutputPipe[]): void;
  close(): void;
};

type KeptPipe = OutputPipe & { readonly handle: number };

const batchSize = 8;

export function createPipePool(folder: string = tmpdir()): PipePool {
  const idle: KeptPipe[] = [];
  const taken = new Set<KeptPipe>();

  return {
    async take(count, owner) {
      if (idle.length < count) idle.push(...(await makePipes(folder, Math.max(count, batchSize))));
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
        if (isUnused(pipe)) idle.push(pipe);
        else closeSync(pipe.handle);
      }
    },
    close() {
      for (const pipe of idle.splice(0)) closeSync(pipe.handle);
    },
  };
}

/** The names are gone at once; the pipes live as long as we hold their reading ends. */
async function makePipes(parent: string, count: number): Promise<KeptPipe[]> {
  let folder: string | undefined;
  try {
    folder = await mkdtemp(join(parent, 'handrail-pipes-'));
    const paths = Array.from({ length: count }, (_, position) => join(folder ?? parent, `${position}`));
    await runProgram('mkfifo', ['-m', '600', ...paths]);
    return paths.map((path) => {
      const handle = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
      const again = `/proc/self/fd/${handle}`;
      return {
        handle,
        openReader: () => openSync(again, constants.O_RDONLY | constants.O_NONBLOCK),
        openWriter: () => openSync(again, constants.O_WRONLY),
      };
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `The pipes for a command's output could not be made in ${parent} (${reason}). Free some space there, or set TMPDIR to a folder that can be written.`;
    throw new ToolFailure('unavailable', message, { cause: error });
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
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
