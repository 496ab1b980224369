/** Finds the companion of a folder, starts it where none runs, and opens a line to it. */
import { spawn } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { makePrivateFolder } from '../../base/make-private-folder.ts';
import { ToolFailure } from '../../contract/failure.ts';
import { busyExitCode, companionPlace, socketPath } from './companion-place.ts';
import { collectLines, sendLine } from './json-lines.ts';

export type CompanionOptions<Hello> = {
  /** The companion's own; made by whoever starts it. */
  readonly folder: string;
  /** A file for Node, and what it is given. */
  readonly programFile: string;
  readonly args: readonly string[];
  /** For Node itself. Omitted: none. */
  readonly flags?: readonly string[];
  /** What it starts with; it lives long, so no key belongs in it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whoever has heard its first line will be answered. Undefined: it is none that we know. May throw ToolFailure. */
  readonly readHello: (line: string) => Hello | undefined;
  readonly words: CompanionWords;
};

/** What people read of it. */
export type CompanionWords = {
  /** "The supervisor of background jobs" */
  readonly name: string;
  /** "Background jobs" */
  readonly things: string;
  /** A sentence: what to do without it. */
  readonly instead: string;
  /** Sentences: it ended with everything it held. */
  readonly brokenOff: string;
};

export type Line<Hello> = { readonly socket: Socket; readonly hello: Hello; next(): Promise<string> };

export type Companion<Hello> = {
  /** Undefined when nobody is there, or somebody who was just leaving. Rejects with ToolFailure('busy'). */
  open(): Promise<Line<Hello> | undefined>;
  /** Starts one if need be. Rejects with ToolFailure('unavailable'), or with the signal's reason. */
  openOrStart(signal?: AbortSignal): Promise<Line<Hello>>;
  /**
   * Sends one request and reads what comes for it; the line is closed then. Rejects with what `read` throws, with
   * ToolFailure('failed') when the companion ends before, or with the signal's reason.
   */
  ask<Answer>(
    line: Line<Hello>,
    request: unknown,
    read: (next: () => Promise<string>) => Promise<Answer>,
    signal?: AbortSignal,
  ): Promise<Answer>;
  /** For what goes wrong on a line that stays open. */
  brokenOff(cause: unknown): ToolFailure;
};

const startPatienceMs = 15_000;
const helloPatienceMs = 5_000;
const retryMs = 10;

export function createCompanion<Hello>(options: CompanionOptions<Hello>): Companion<Hello> {
  const { words } = options;
  const brokenOff = (cause: unknown): ToolFailure =>
    cause instanceof ToolFailure ? cause : new ToolFailure('failed', words.brokenOff, { cause });
  const open = () => openLine(options);
  return {
    open,
    openOrStart: async (signal) => (await open()) ?? startAndOpen(options, signal),
    async ask(line, request, read, signal) {
      const { socket } = line;
      const callOff = (): void => void socket.destroy();
      try {
        signal?.throwIfAborted();
        signal?.addEventListener('abort', callOff, { once: true });
        sendLine(socket, request);
        return await read(line.next);
      } catch (error) {
        if (signal?.aborted === true) throw signal.reason;
        throw brokenOff(error);
      } finally {
        signal?.removeEventListener('abort', callOff);
        socket.destroy();
      }
    },
    brokenOff,
  };
}

/** Several programs may get here at once: one of their companions gets the folder, and all of them talk to that one. */
async function startAndOpen<Hello>(
  options: CompanionOptions<Hello>,
  signal: AbortSignal | undefined,
): Promise<Line<Hello>> {
  const { words, folder } = options;
  const deadline = performance.now() + startPatienceMs;
  while (performance.now() < deadline) {
    let exitCode: number | undefined;
    startProgram(options, (code) => (exitCode = code));
    while (exitCode === undefined && performance.now() < deadline) {
      signal?.throwIfAborted();
      const line = await openLine(options);
      if (line !== undefined) return line;
      await delay(retryMs);
    }
    if (exitCode !== undefined && exitCode !== busyExitCode) throw notStarted(words, folder, exitCode);
    const line = await openLine(options);
    if (line !== undefined) return line;
    // Somebody has the folder and no socket yet, or no socket any more.
    await delay(retryMs * 5);
  }
  throw new ToolFailure('unavailable', `${words.name} did not answer in time. Try again.`);
}

async function openLine<Hello>({
  folder,
  readHello,
  words,
}: CompanionOptions<Hello>): Promise<Line<Hello> | undefined> {
  let handle: number;
  try {
    handle = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  } catch {
    // None was ever started here.
    return undefined;
  }
  // A local socket is connected at once or never: the folder is not needed after the call.
  const socket = connect(socketPath(handle));
  closeSync(handle);
  const next = collectLines(socket);
  const silent = `${words.name} does not answer, perhaps because the machine is very busy. Try again.`;
  const timer = setTimeout(() => socket.destroy(new ToolFailure('busy', silent)), helloPatienceMs);
  try {
    const hello = readHello(await next());
    if (hello !== undefined) return { socket, hello, next };
  } catch (error) {
    // Else nobody listens, or the connection was closed before a word.
    if (error instanceof ToolFailure) throw error;
  } finally {
    clearTimeout(timer);
  }
  socket.destroy();
  return undefined;
}

/** It goes on when we end: no terminal, no folder and no stream of ours holds it, and it holds none of them. */
function startProgram<Hello>(options: CompanionOptions<Hello>, onExit: (code: number) => void): void {
  const { folder, programFile, args, flags = [], environment, words } = options;
  const { logFile } = companionPlace(folder);
  let log: number;
  try {
    makePrivateFolder(folder);
    log = openSync(logFile, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW, 0o600);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const text = `${words.things} cannot be kept in ${folder} (${code ?? message}). Free some space there, or make it writable.`;
    throw new ToolFailure('unavailable', text, { cause: error });
  }
  try {
    const child = spawn(process.execPath, [...flags, programFile, ...args], {
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

function notStarted({ name, instead }: CompanionWords, folder: string, exitCode: number): ToolFailure {
  const { logFile } = companionPlace(folder);
  const said = lastLine(logFile);
  const reason = said === '' ? `it ended with code ${exitCode}` : said;
  return new ToolFailure('unavailable', `${name} could not be started: ${reason}. ${instead} See ${logFile}.`);
}

function lastLine(file: string): string {
  try {
    const lines = readFileSync(file, 'utf8').slice(-4_000).split('\n');
    return (lines.findLast((line) => /^\w*(Error|Failure)\b/.test(line)) ?? '').slice(0, 300);
  } catch {
    // It could not even be opened; the code has to say it.
    return '';
  }
}
