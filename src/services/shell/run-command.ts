/** One command from start to result: the table of contents of the shell. */
import { ToolFailure } from '../../contract/failure.ts';
import type { Artifacts, Rung, ShellResult } from '../../contract/services.ts';
import { type Capture, createCapture } from './capture-stream.ts';
import { type CallClock, createCallClock } from './call-clock.ts';
import { endTree } from './end-tree.ts';
import type { CommandEnd, OutputSink, PrintingCommand, StartPrinting } from './running-command.ts';
import { type OnOutput, throttleProgress } from './throttle-progress.ts';
import type { TimeLimit } from './time-limit.ts';

export type RunOptions = {
  readonly start: StartPrinting;
  readonly rung: Rung;
  readonly limit: TimeLimit;
  /** Omitted: time runs all the time. */
  readonly clock?: CallClock;
  readonly maxChars: number;
  /** Its reason is a ToolFailure that says why. */
  readonly signal: AbortSignal;
  readonly artifacts: Artifacts;
  readonly onOutput: OnOutput | undefined;
};

export async function runCommand(options: RunOptions): Promise<ShellResult> {
  throwIfAborted(options.signal);
  const output = createOutput(options);
  const command = await options.start(output.take, options.signal).catch((error: unknown) => {
    // Called off while it waited for its turn.
    throw error === options.signal.reason ? abortReason(options.signal) : error;
  });
  // Not before: it may have waited for its turn.
  const startedAt = performance.now();
  try {
    const ending = await waitForEnd(command, options);
    const end = await command.finish({
      wasEnded: ending !== 'itself',
      async stderr() {
        await command.drain();
        return output.firstStderr();
      },
    });
    await command.drain();
    if (ending === 'aborted') throw abortReason(options.signal);
    return await describeResult({ options, command, ending, end, output, durationMs: performance.now() - startedAt });
  } finally {
    await command.close();
  }
}

type Ending = 'itself' | 'aborted' | { readonly timedOutWith: NodeJS.Signals };

/** Whichever comes first: its own end, its time, or Stop. Nothing of it runs any more when this resolves. */
async function waitForEnd(command: PrintingCommand, { limit, signal, clock }: RunOptions): Promise<Ending> {
  const called = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const first = Promise.race([command.gone.then(() => 'gone' as const), called.then(() => 'aborted' as const)]);
  const isOverInTime = await (clock ?? createCallClock()).within(first, limit.timeoutMs);
  if (isOverInTime && (await first) === 'gone') return 'itself';
  const lastSignal = await endTree(command.target, command.gone, { isPolite: wasStopped(signal) });
  return signal.aborted ? 'aborted' : { timedOutWith: lastSignal };
}

type Output = {
  readonly take: OutputSink;
  readonly stdout: Capture;
  readonly stderr: Capture;
  firstStderr(): string;
};

const firstStderrChars = 4096;

function createOutput({ maxChars, onOutput }: RunOptions): Output {
  const stdout = createCapture({ maxChars });
  const stderr = createCapture({ maxChars });
  const show = throttleProgress(onOutput);
  let firstStderr = '';
  return {
    stdout,
    stderr,
    take(stream, bytes) {
      (stream === 'stdout' ? stdout : stderr).write(bytes);
      if (stream === 'stderr' && firstStderr.length < firstStderrChars) firstStderr += bytes.toString('utf8');
      show(stream, bytes);
    },
    firstStderr: () => firstStderr,
  };
}

type Finished = {
  readonly options: RunOptions;
  readonly command: PrintingCommand;
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
    cwd: end.cwd ?? command.cwd,
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
