/** Finds the supervisor of a state folder, starts it where none runs, and asks it one thing. */
import { spawn } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { makePrivateFolder } from '../../base/make-private-folder.ts';
import { ToolFailure } from '../../contract/failure.ts';
import {
  type Hello,
  type JobAnswer,
  type JobRequest,
  protocolVersion,
  readAnswer,
  readHello,
  readLines,
  sendLine,
} from './protocol.ts';
import { socketPath, supervisorPlace } from './supervisor-place.ts';

export type CallerOptions = {
  readonly jobsFolder: string;
  /** The program that supervises: a file for Node. */
  readonly programFile: string;
  /** What the supervisor starts with; it lives long, so no key belongs in it. */
  readonly environment: Readonly<Record<string, string>>;
};

export type SupervisorCaller = {
  /** Undefined when no supervisor runs. Rejects with ToolFailure. */
  ask(request: JobRequest): Promise<JobAnswer | undefined>;
  /** Starts one if need be. `signal`: calls it off, also what was started by then. */
  askOrStart(request: JobRequest, signal: AbortSignal): Promise<JobAnswer>;
  /** Whoever answers now. */
  find(): Promise<Hello | undefined>;
};

type Line = { readonly socket: Socket; readonly hello: Hello; next(): Promise<string> };

const startPatienceMs = 15_000;
const helloPatienceMs = 5_000;
const retryMs = 10;
/** supervise.process.ts: another one was quicker, or is about to leave. */
const busyExitCode = 75;
/** Megabytes. It holds no data of jobs; a long command passes through it once. */
const maxHeap = 512;

export function createSupervisorCaller(options: CallerOptions): SupervisorCaller {
  const { folder } = supervisorPlace(options.jobsFolder);

  async function askOn(line: Line, request: JobRequest, signal?: AbortSignal): Promise<JobAnswer> {
    const { socket, hello } = line;
    const callOff = (): void => void socket.destroy();
    try {
      if (hello.version !== protocolVersion) throw otherVersion(hello);
      signal?.throwIfAborted();
      signal?.addEventListener('abort', callOff, { once: true });
      sendLine(socket, request);
      return readAnswer(await line.next());
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason;
      throw error instanceof ToolFailure ? error : brokenOff(error);
    } finally {
      signal?.removeEventListener('abort', callOff);
      socket.destroy();
    }
  }

  return {
    async ask(request) {
      const line = await openLine(folder);
      return line === undefined ? undefined : askOn(line, request);
    },
    async askOrStart(request, signal) {
      return askOn((await openLine(folder)) ?? (await startAndOpen(options, signal)), request, signal);
    },
    async find() {
      const line = await openLine(folder);
      line?.socket.destroy();
      return line?.hello;
    },
  };
}

/** Several programs may get here at once: one of their supervisors gets the claim, and all of them talk to that one. */
async function startAndOpen(options: CallerOptions, signal: AbortSignal): Promise<Line> {
  const place = supervisorPlace(options.jobsFolder);
  const deadline = performance.now() + startPatienceMs;
  while (performance.now() < deadline) {
    const started = startProgram(options);
    let exitCode: number | undefined;
    void started.then(
      (code) => (exitCode = code),
      () => (exitCode = -1),
    );
    while (exitCode === undefined && performance.now() < deadline) {
      signal.throwIfAborted();
      const line = await openLine(place.folder);
      if (line !== undefined) return line;
      await delay(retryMs);
    }
    if (exitCode !== undefined && exitCode !== busyExitCode) throw notStarted(place.logFile, exitCode);
    const line = await openLine(place.folder);
    if (line !== undefined) return line;
    // Somebody has the claim and no socket yet, or no socket any more.
    await delay(retryMs * 5);
  }
  throw new ToolFailure('unavailable', 'The supervisor of background jobs did not answer in time. Try again.');
}

/** Resolves with its exit code. It goes on when we end. */
function startProgram({ jobsFolder, programFile, environment }: CallerOptions): Promise<number> {
  const { folder, logFile } = supervisorPlace(jobsFolder);
  let log: number;
  try {
    makePrivateFolder(folder);
    log = openSync(logFile, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW, 0o600);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const text = `Background jobs cannot be kept in ${jobsFolder} (${code ?? message}). Free some space there, or make it writable.`;
    throw new ToolFailure('unavailable', text, { cause: error });
  }
  try {
    const flags = [`--max-old-space-size=${maxHeap}`, '--max-semi-space-size=1'];
    const child = spawn(process.execPath, [...flags, programFile, jobsFolder], {
      // No terminal, no folder and no stream of ours holds it, and it holds none of them.
      detached: true,
      cwd: '/',
      env: { ...environment },
      stdio: ['ignore', 'ignore', log],
    });
    child.unref();
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => resolve(code ?? -1));
    });
  } finally {
    closeSync(log);
  }
}

/** Undefined when nobody is there, or somebody who was just leaving. */
async function openLine(folder: string): Promise<Line | undefined> {
  let handle: number;
  try {
    handle = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  } catch {
    // No job was ever started here.
    return undefined;
  }
  // A local socket is connected at once or never: the folder is not needed after the call.
  const socket = connect(socketPath(handle));
  closeSync(handle);
  const next = collectLines(socket);
  const timer = setTimeout(() => socket.destroy(new ToolFailure('busy', silentMessage)), helloPatienceMs);
  try {
    return { socket, hello: readHello(await next()), next };
  } catch (error) {
    socket.destroy();
    if (error instanceof ToolFailure) throw error;
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

const silentMessage =
  'The supervisor of background jobs does not answer, perhaps because the machine is very busy. Try again.';

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

function otherVersion({ pid }: Hello): ToolFailure {
  return new ToolFailure(
    'conflict',
    `Background jobs of another version of Handrail are still running (supervisor ${pid}). Wait for them to finish, or end them with that version, then try again.`,
  );
}

function brokenOff(cause: unknown): ToolFailure {
  const message =
    'The supervisor of background jobs ended before it answered, and every job with it. The list of the jobs shows what became of them.';
  return new ToolFailure('failed', message, { cause });
}

function notStarted(logFile: string, exitCode: number): ToolFailure {
  const said = lastLine(logFile);
  const reason = said === '' ? `it ended with code ${exitCode}` : said;
  return new ToolFailure(
    'unavailable',
    `The supervisor of background jobs could not be started: ${reason}. Run the command in the foreground, or see ${logFile}.`,
  );
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
