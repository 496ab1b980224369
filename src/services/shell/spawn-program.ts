/** Starts one program with an explicit list of file descriptors, and watches what it says about itself. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { ToolFailure } from '../../contract/failure.ts';
import type { Handle } from '../sandbox/sandbox-launch.ts';
import type { OutputPipe } from './pipe-pool.ts';

export type ProgramRequest = {
  readonly file: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly stdout: OutputPipe;
  readonly stderr: OutputPipe;
  /** From descriptor 3 on. Nothing else is inherited. */
  readonly handles: readonly Handle[];
  /** Set when we are root: the groups that root is in are given up. */
  readonly ids?: { readonly uid: number; readonly gid: number };
};

export type Program = {
  readonly pid: number;
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** What came so far by the `status` handle at `position` in the list of handles. */
  statusText(position: number): string;
  /** Resolves when no status handle brings anything more. */
  readonly statusEnded: Promise<unknown>;
};

/** More than any honest program has to say about itself. */
const maxStatusChars = 64 * 1024;

/** Rejects with ToolFailure('unavailable') when the program cannot be started. */
export async function spawnProgram(request: ProgramRequest): Promise<Program> {
  const opened: number[] = [];
  let child: ChildProcess;
  try {
    const open = (handle: number): number => {
      opened.push(handle);
      return handle;
    };
    child = spawn(request.file, [...request.args], {
      cwd: request.cwd,
      env: request.environment,
      // A session of its own: Ctrl-C in our terminal is ours to answer.
      detached: true,
      stdio: [
        'ignore',
        open(request.stdout.openWriter()),
        open(request.stderr.openWriter()),
        ...request.handles.map((handle) =>
          handle.kind === 'file' ? open(openSync(handle.path, 'r')) : ('pipe' as const),
        ),
      ],
      ...request.ids,
    });
  } catch (error) {
    throw spawnFailure(request.file, error);
  } finally {
    for (const handle of opened) closeSync(handle);
  }
  const exited = new Promise<Awaited<Program['exited']>>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  await started(child, request.file);
  return { pid: child.pid ?? 0, exited, ...attachHandles(child, request.handles) };
}

function started(child: ChildProcess, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    // Stays: an error after the start (a signal that could not be sent) must not end our process.
    child.on('error', (error) => reject(spawnFailure(file, error)));
  });
}

function attachHandles(child: ChildProcess, handles: readonly Handle[]): Pick<Program, 'statusText' | 'statusEnded'> {
  const texts = new Map<number, string>();
  const ends: Promise<void>[] = [];
  for (const [position, handle] of handles.entries()) {
    const stream = child.stdio[position + 3];
    if (stream === null || stream === undefined) continue;
    // A program that ends without reading or writing is seen by its exit.
    stream.on('error', () => undefined);
    if (handle.kind === 'bytes') {
      (stream as Writable).end(handle.bytes);
    } else if (handle.kind === 'status') {
      const reader = (stream as Readable).setEncoding('utf8');
      reader.on('data', (text: string) => {
        texts.set(position, `${texts.get(position) ?? ''}${text}`.slice(0, maxStatusChars));
      });
      ends.push(new Promise((resolve) => void reader.once('close', resolve)));
    }
  }
  return { statusText: (position) => texts.get(position) ?? '', statusEnded: Promise.all(ends) };
}

function spawnFailure(file: string, error: unknown): ToolFailure {
  const { code, message } = error as NodeJS.ErrnoException;
  const advice =
    code === 'EAGAIN' || code === 'EMFILE' || code === 'ENFILE' || code === 'ENOMEM'
      ? 'The machine is out of processes, files or memory: end something and try again.'
      : 'Run `handrail doctor` to see what is missing.';
  return new ToolFailure('unavailable', `${file} could not be started (${code ?? message}). ${advice}`, {
    cause: error,
  });
}
