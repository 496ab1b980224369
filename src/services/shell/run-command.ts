/** One command from start to result: the table of contents of the shell. */
import { ToolFailure } from '../../contract/failure.ts';
import type { Artifacts, Rung, ShellResult } from '../../contract/services.ts';
import { type Capture, createCapture } from './capture-stream.ts';
import { endTree, within } from './end-tree.ts';
import type { Pipe, PipePool } from './pipe-pool.ts';
import { type PipeReader, readPipe } from './read-pipe.ts';
import type { CommandEnd, CommandRequest, RunningCommand, StartCommand } from './running-command.ts';
import { type OnOutput, type OutputStream, throttleProgress } from './throttle-progress.ts';
import type { TimeLimit } from './time-limit.ts';

export type RunOptions = {
  readonly start: StartCommand;
  readonly request: CommandRequest;
  readonly rung: Rung;
  readonly limit: TimeLimit;
  readonly maxChars: number;
  /** Its reason is a ToolFailure that says why. */
  readonly signal: AbortSignal;
  readonly pool: PipePool;
  readonly artifacts: Artifacts;
  readonly onOutput: OnOutput | undefined;
};

/** After the command's shell is gone its pipes are empty at once, unless something could not be ended. */
const drainMs = 300;

export async function runCommand(options: RunOptions): Promise<ShellResult> {
  throwIfAborted(options.signal);
  const startedAt = performance.now();
  const taken: Pipe[] = [];
  const output = createOutput(options);
  try {
    const command = await options.start(options.request, async (owner) => {
      const [stdout, stderr] = await options.pool.take(2, owner);
      if (stdout === undefined || stderr === undefined) throw new Error('the pool gave fewer pipes than asked for');
      taken.push(stdout, stderr);
      return { stdout, stderr };
    });
    // Not before: a pipe that nobody writes to yet is at its end.
    output.read(taken[0], taken[1]);
    const ending = await waitForEnd(command, options);
    const end = await command.finish({ wasEnded: ending !== 'itself', stderr: output.wholeStderr });
    await output.drain();
    if (ending === 'aborted') throw abortReason(options.signal);
    return await describeResult({ options, command, ending, end, output, durationMs: performance.now() - startedAt });
  } finally {
    await output.close();
    options.pool.release(taken);
  }
}

type Ending = 'itself' | 'aborted' | { readonly timedOutWith: NodeJS.Signals };

/** Whichever comes first: its own end, its time, or Stop. Nothing of it runs any more when this resolves. */
async function waitForEnd(command: RunningCommand, { limit, signal }: RunOptions): Promise<Ending> {
  const called = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const first = Promise.race([command.gone.then(() => 'gone' as const), called.then(() => 'aborted' as const)]);
  const isOverInTime = await within(first, limit.timeoutMs);
  if (isOverInTime && (await first) === 'gone') return 'itself';
  const lastSignal = await endTree(command.target, command.gone, { isPolite: wasStopped(signal) });
  return signal.aborted ? 'aborted' : { timedOutWith: lastSignal };
}

type Output = {
  read(stdout: Pipe | undefined, stderr: Pipe | undefined): void;
  /** Waits for what is still in the pipes. */
  drain(): Promise<void>;
  readonly stdout: Capture;
  readonly stderr: Capture;
  /** The beginning of it, once everything has been read. */
  wholeStderr(): Promise<string>;
  close(): Promise<void>;
};

function createOutput({ maxChars, onOutput }: RunOptions): Output {
  const stdout = createCapture({ maxChars });
  const stderr = createCapture({ maxChars });
  const show = throttleProgress(onOutput);
  const readers: PipeReader[] = [];
  let firstStderr = '';

  function take(stream: OutputStream, bytes: Buffer): void {
    (stream === 'stdout' ? stdout : stderr).write(bytes);
    if (stream === 'stderr' && firstStderr.length < 4096) firstStderr += bytes.toString('utf8');
    show(stream, bytes);
  }

  async function drain(): Promise<void> {
    await within(Promise.all(readers.map((reader) => reader.ended)), drainMs);
  }

  return {
    stdout,
    stderr,
    read(stdoutPipe, stderrPipe) {
      if (stdoutPipe !== undefined) readers.push(readPipe(stdoutPipe.openReader(), (bytes) => take('stdout', bytes)));
      if (stderrPipe !== undefined) readers.push(readPipe(stderrPipe.openReader(), (bytes) => take('stderr', bytes)));
    },
    drain,
    async wholeStderr() {
      await drain();
      return firstStderr;
    },
    async close() {
      for (const reader of readers) reader.stop();
      await Promise.all(readers.map((reader) => reader.ended));
    },
  };
}

type Finished = {
  readonly options: RunOptions;
  readonly command: RunningCommand;
  readonly ending: Exclude<Ending, 'aborted'>;
  readonly end: CommandEnd;
  readonly output: Output;
  readonly durationMs: number;
};

async function describeResult({ options, command, ending, end, output, durationMs }: Finished): Promise<ShellResult> {
  const stdout = output.stdout.finish();
  const stderr = output.stderr.finish();
  const isCut = stdout.stream.truncated || stderr.stream.truncated;
  const artifact = isCut ? await options.artifacts.keep(joinStreams(stdout.kept, stderr.kept)) : undefined;
  const notes = [
    ...(options.limit.note === undefined ? [] : [options.limit.note]),
    ...(ending === 'itself' ? [] : [timeoutNote(options.limit.timeoutMs)]),
    ...end.notes,
    ...(isCut && artifact === undefined ? ['The whole output could not be kept: the disk may be full.'] : []),
  ];
  const signal = ending === 'itself' ? end.signal : ending.timedOutWith;
  return {
    exitCode: ending === 'itself' ? end.exitCode : null,
    ...(signal === null ? {} : { signal }),
    timedOut: ending !== 'itself',
    stdout: stdout.stream,
    stderr: stderr.stream,
    ...(artifact === undefined ? {} : { artifact }),
    cwd: command.cwd,
    rung: options.rung,
    durationMs: Math.round(durationMs),
    notes,
  };
}

function timeoutNote(timeoutMs: number): string {
  return `The command was still running after ${timeoutMs / 1000} s and was ended with everything it had started. What it printed until then is kept.`;
}

/** Standard output alone where there is nothing else; else both under headings. */
function joinStreams(stdout: Buffer, stderr: Buffer): Buffer {
  if (stderr.length === 0) return stdout;
  if (stdout.length === 0) return stderr;
  const between = stdout.at(-1) === 0x0a ? '' : '\n';
  return Buffer.concat([Buffer.from('[stdout]\n'), stdout, Buffer.from(`${between}[stderr]\n`), stderr]);
}

/** A person pressed Stop, and would rather see what the command says to that. */
function wasStopped(signal: AbortSignal): boolean {
  return signal.aborted && signal.reason instanceof ToolFailure && signal.reason.code === 'cancelled';
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw abortReason(signal);
}

function abortReason(signal: AbortSignal): ToolFailure {
  return signal.reason instanceof ToolFailure
    ? signal.reason
    : new ToolFailure('cancelled', 'The command was stopped.');
}
