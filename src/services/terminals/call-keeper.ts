/** Finds the keeper of a state folder's terminals, starts it where none runs, and asks it. */
import { spawn } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makePrivateFolder } from '../../base/make-private-folder.ts';
import { ToolFailure } from '../../contract/failure.ts';
import type { TerminalView } from '../../contract/terminals.ts';
import { socketPath } from '../jobs/supervisor-place.ts';
import type { TerminalKey } from './create-keeper.ts';
import {
  greeting,
  type KeeperRequest,
  protocolVersion,
  readLines,
  sendLine,
  valueOf,
  type ViewMessage,
} from './keeper-protocol.ts';

export type KeeperCallerOptions = {
  /** Our own; the keeper's folder is made in it. */
  readonly runtimeFolder: string;
  /** terminal-keeper.process: a file for Node. */
  readonly programFile: string;
  /** What the keeper starts with; it lives long, so no key belongs in it. */
  readonly environment: Readonly<Record<string, string>>;
};

export type KeeperCaller = {
  /** Undefined when no keeper runs, and so no terminal. Rejects with ToolFailure, or with the signal's reason. */
  ask(request: KeeperRequest, signal?: AbortSignal): Promise<{ readonly value: unknown } | undefined>;
  /** Starts one if need be. */
  askOrStart(request: KeeperRequest, signal?: AbortSignal): Promise<unknown>;
  /** Undefined when no keeper runs. */
  attach(key: TerminalKey): Promise<TerminalView | undefined>;
};

const startPatienceMs = 15_000;
const retryMs = 10;
/** terminal-keeper.process.ts: another one was quicker, or is about to leave. */
const busyExitCode = 75;

export function createKeeperCaller(options: KeeperCallerOptions): KeeperCaller {
  const folder = join(options.runtimeFolder, `terminals-${protocolVersion}`);

  async function askOn(line: Line, request: KeeperRequest, signal: AbortSignal | undefined): Promise<unknown> {
    const callOff = (): void => void line.socket.destroy();
    signal?.addEventListener('abort', callOff, { once: true });
    try {
      signal?.throwIfAborted();
      sendLine(line.socket, request);
      return valueOf(await line.next());
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason;
      throw error instanceof ToolFailure ? error : brokenOff(error);
    } finally {
      signal?.removeEventListener('abort', callOff);
      line.socket.destroy();
    }
  }

  return {
    async ask(request, signal) {
      const line = await openLine(folder);
      return line === undefined ? undefined : { value: await askOn(line, request, signal) };
    },
    async askOrStart(request, signal) {
      return askOn((await openLine(folder)) ?? (await startAndOpen(folder, options, signal)), request, signal);
    },
    async attach(key) {
      const line = await openLine(folder);
      if (line === undefined) return undefined;
      sendLine(line.socket, { op: 'attach', ...key } satisfies KeeperRequest);
      try {
        const { replay } = valueOf(await line.next()) as { readonly replay: string };
        return viewOn(line, key.name, Buffer.from(replay, 'base64'));
      } catch (error) {
        line.socket.destroy();
        throw error instanceof ToolFailure ? error : brokenOff(error);
      }
    },
  };
}

function viewOn(line: Line, name: string, replay: Buffer): TerminalView {
  const { socket } = line;
  let listener: ((bytes: Buffer) => void) | undefined;
  const kept: Buffer[] = [];
  const exit = (async () => {
    for (;;) {
      const message = await line.next().then(
        (text) => JSON.parse(text) as ViewMessage,
        () => undefined,
      );
      if (message === undefined) return null;
      if ('exitCode' in message) return message.exitCode;
      if (!('data' in message)) continue;
      const bytes = Buffer.from(message.data, 'base64');
      if (listener === undefined) kept.push(bytes);
      else listener(bytes);
    }
  })();
  void exit.then(() => socket.destroy());
  return {
    name,
    replay,
    exit,
    onData(wanted) {
      listener = wanted;
      for (const bytes of kept.splice(0)) wanted(bytes);
    },
    write: (bytes) => void sendLine(socket, { data: Buffer.from(bytes).toString('base64') } satisfies ViewMessage),
    resize: (columns, rows) => void sendLine(socket, { columns, rows } satisfies ViewMessage),
    detach: () => void socket.destroy(),
  };
}

/** Several programs may get here at once: one of their keepers gets the claim, and all of them talk to that one. */
async function startAndOpen(
  folder: string,
  options: KeeperCallerOptions,
  signal: AbortSignal | undefined,
): Promise<Line> {
  const deadline = performance.now() + startPatienceMs;
  while (performance.now() < deadline) {
    let exitCode: number | undefined;
    startKeeper(folder, options, (code) => (exitCode = code));
    while (exitCode === undefined && performance.now() < deadline) {
      signal?.throwIfAborted();
      const line = await openLine(folder);
      if (line !== undefined) return line;
      await delay(retryMs);
    }
    if (exitCode !== undefined && exitCode !== busyExitCode) {
      const text = `The keeper of the terminals could not be started (it ended with code ${exitCode}; see ${join(folder, 'log')}). Run the command with the shell tool instead.`;
      throw new ToolFailure('unavailable', text);
    }
    const line = await openLine(folder);
    if (line !== undefined) return line;
    await delay(retryMs * 5);
  }
  throw new ToolFailure('unavailable', 'The keeper of the terminals did not answer in time. Try again.');
}

/** It goes on when we end, and holds nothing of ours. */
function startKeeper(
  folder: string,
  { programFile, environment }: KeeperCallerOptions,
  onExit: (code: number) => void,
): void {
  let log: number;
  try {
    makePrivateFolder(folder);
    log = openSync(
      join(folder, 'log'),
      constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW,
      0o600,
    );
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const text = `Terminals cannot be kept in ${folder} (${code ?? message}). Free some space there, or make it writable.`;
    throw new ToolFailure('unavailable', text, { cause: error });
  }
  try {
    const child = spawn(process.execPath, [programFile, folder], {
      detached: true,
      cwd: '/',
      env: { ...environment },
      stdio: ['ignore', 'ignore', log],
    });
    child.unref();
    child.once('error', () => onExit(-1));
    child.once('exit', (code) => onExit(code ?? -1));
  } finally {
    closeSync(log);
  }
}

type Line = { readonly socket: Socket; next(): Promise<string> };

/** Undefined when nobody is there, or somebody who was just leaving. */
async function openLine(folder: string): Promise<Line | undefined> {
  let handle: number;
  try {
    handle = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  } catch {
    // No terminal was ever opened here.
    return undefined;
  }
  // A local socket is connected at once or never: the folder is not needed after the call.
  const socket = connect(socketPath(handle));
  closeSync(handle);
  const next = collectLines(socket);
  try {
    if (JSON.parse(await next()) === greeting) return { socket, next };
  } catch {
    // Nobody listens, or the connection was closed before a word.
  }
  socket.destroy();
  return undefined;
}

/** The next line; rejects when the socket is closed before it comes. */
function collectLines(socket: Socket): () => Promise<string> {
  const lines: string[] = [];
  let closed: Error | undefined;
  let wake = (): void => undefined;
  readLines(socket, (line) => {
    lines.push(line);
    wake();
  });
  socket.once('error', (error) => (closed = error));
  socket.once('close', () => {
    closed ??= new Error('the connection was closed');
    wake();
  });
  return async () => {
    for (;;) {
      const line = lines.shift();
      if (line !== undefined) return line;
      if (closed !== undefined) throw closed;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
}

function brokenOff(cause: unknown): ToolFailure {
  const message = 'The keeper of the terminals ended before it answered, and every terminal with it. Open them again.';
  return new ToolFailure('failed', message, { cause });
}
