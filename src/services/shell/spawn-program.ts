/** Starts one program with an explicit list of file descriptors: nothing else of ours is open in it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { Server } from 'node:net';
import type { Writable } from 'node:stream';
import { ToolFailure } from '../../contract/failure.ts';

/**
 * `opened`: closed here once the program has it; `send`: called then, fills it. Bytes: given by a socket, for what is too long
 * for a pipe. `listener`: a channel by which the program hands us a listening socket; one at most.
 */
export type ProgramHandle = 'none' | 'listener' | { readonly opened: number; send?(): void } | Buffer;

export type ProgramRequest = {
  readonly file: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Standard input, output and error. Those that are opened are closed here. */
  readonly streams: readonly [ProgramHandle, ProgramHandle, ProgramHandle];
  /** From descriptor 3 on. */
  readonly handles: readonly ProgramHandle[];
  /** Descriptors that must not reach it; it finds /dev/null in their places. */
  readonly shadowed: readonly number[];
  /** Set when we are root: the groups that root is in are given up. */
  readonly ids?: { readonly uid: number; readonly gid: number };
};

export type Program = {
  readonly pid: number;
  /** What came by the handle `listener`; resolves with undefined when nothing can come any more. */
  readonly listener?: Promise<Server | undefined>;
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
};

/** Rejects with ToolFailure('unavailable') when the program cannot be started. */
export async function spawnProgram(request: ProgramRequest): Promise<Program> {
  const handles = [...request.streams, ...request.handles];
  const nothing = openSync('/dev/null', 'r+');
  let child: ChildProcess;
  try {
    child = spawn(request.file, [...request.args], {
      cwd: request.cwd,
      env: request.environment,
      // A session of its own: Ctrl-C in our terminal is ours to answer.
      detached: true,
      stdio: shadow(
        handles.map((handle) => stdioFor(handle, nothing)),
        request.shadowed,
        nothing,
      ),
      ...request.ids,
    });
  } catch (error) {
    // Nobody reads it any more; this closes it.
    for (const handle of handles) if (isOpened(handle)) handle.send?.();
    throw spawnFailure(request.file, error);
  } finally {
    closeSync(nothing);
    for (const handle of handles) if (isOpened(handle)) closeSync(handle.opened);
  }
  const exited = new Promise<Awaited<Program['exited']>>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const listener = handles.includes('listener') ? receiveListener(child) : undefined;
  for (const [position, handle] of handles.entries()) {
    if (isOpened(handle)) handle.send?.();
    if (Buffer.isBuffer(handle)) giveBytes(child, position, handle);
  }
  await started(child, request.file);
  return { pid: child.pid ?? 0, exited, ...(listener === undefined ? {} : { listener }) };
}

/** One message with one handle, and the channel is closed: nothing that runs in there later can say anything by it. */
function receiveListener(child: ChildProcess): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const finish = (_message?: unknown, handle?: unknown): void => {
      if (child.connected) child.disconnect();
      resolve(handle instanceof Server ? handle : undefined);
    };
    child
      .once('message', finish)
      .once('disconnect', finish)
      .once('exit', () => finish());
  });
}

const isOpened = (handle: ProgramHandle): handle is Extract<ProgramHandle, { readonly opened: number }> =>
  typeof handle !== 'string' && !Buffer.isBuffer(handle);

function stdioFor(handle: ProgramHandle, nothing: number): number | 'pipe' | 'ipc' {
  if (handle === 'none') return nothing;
  if (handle === 'listener') return 'ipc';
  return Buffer.isBuffer(handle) ? 'pipe' : handle.opened;
}

type Stdio = (number | 'pipe' | 'ipc' | 'ignore')[];

/** Beyond the third, 'ignore' leaves what was inherited: something else must stand in its place. */
function shadow(stdio: Stdio, shadowed: readonly number[], nothing: number): Stdio {
  const whole = [...stdio];
  for (const handle of shadowed) {
    if (handle < stdio.length) continue;
    while (whole.length < handle) whole.push('ignore');
    whole[handle] = nothing;
  }
  return whole;
}

function giveBytes(child: ChildProcess, descriptor: number, bytes: Buffer): void {
  // Node types the streams beyond the first three as either kind.
  const stream = child.stdio[descriptor] as Writable | null | undefined;
  // A program that ends without reading them is seen by its exit.
  stream?.on('error', () => undefined);
  stream?.end(bytes);
}

function started(child: ChildProcess, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    // Stays: an error after the start (a signal that could not be sent) must not end our process.
    child.on('error', (error) => reject(spawnFailure(file, error)));
  });
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
