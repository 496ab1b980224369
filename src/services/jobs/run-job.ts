/** One job from start to end: its program, its log and its state on disk. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Redactor } from '../../contract/redaction.ts';
import { readPipe } from '../shell/read-pipe.ts';
import type { Pipe, PipePool } from '../shell/pipe-pool.ts';
import { within } from '../shell/end-tree.ts';
import type { CommandRequest, RunningCommand, StartCommand } from '../shell/running-command.ts';
import { type JobState, writeState } from './job-record.ts';
import { withoutSecrets } from './redacted-log.ts';
import { createLogWriter, type LogLimits, type LogWriter } from './write-log.ts';

export type JobStart = {
  readonly folder: string;
  readonly start: StartCommand;
  readonly request: CommandRequest;
  readonly pool: PipePool;
  readonly logLimits: LogLimits;
  /** Omitted: what it prints is kept as it is. */
  readonly redactor?: Redactor;
  readonly now: () => Date;
};

export type RunningJob = {
  readonly cwd: string;
  /** Resolves when nothing of it runs and its state is on disk. Never rejects. */
  readonly ended: Promise<void>;
  /** Asks it to end, and then ends it with everything it has started. Resolves as `ended` does. */
  kill(): Promise<void>;
};

/** What a program gets to put its things in order. */
const graceMs = 2_000;
const lastGraceMs = 1_000;
/** After the program is gone its pipe is empty at once, unless something could not be ended. */
const drainMs = 300;
const lookEveryMs = 4;
/** How long a full disk is given to take the last word about a job. */
const stateRounds = 20;
const stateRoundMs = 500;

/** Resolves when its command runs. Rejects with ToolFailure when it was never started; nothing of it is left then. */
export async function runJob(job: JobStart): Promise<RunningJob> {
  const writer = createLogWriter(job.folder, job.logLimits);
  const log = job.redactor === undefined ? writer : withoutSecrets(writer, job.redactor);
  const taken: Pipe[] = [];
  try {
    const command = await job.start(job.request, async (owner) => {
      // Both streams by one pipe: the log has their lines in the order in which they were written.
      const [output] = await job.pool.take(1, owner);
      if (output === undefined) throw new Error('the pool gave fewer pipes than asked for');
      taken.push(output);
      return { stdout: output, stderr: output };
    });
    const reader = taken[0] === undefined ? undefined : readPipe(taken[0].openReader(), (bytes) => log.write(bytes));
    const drain = async (): Promise<void> => {
      if (reader !== undefined) await within(reader.ended, drainMs);
    };
    const stop = async (): Promise<void> => {
      reader?.stop();
      await reader?.ended;
      log.close();
      job.pool.release(taken);
    };
    return await follow({ job, command, log, drain, stop });
  } catch (error) {
    log.close();
    job.pool.release(taken);
    throw error;
  }
}

type Followed = {
  readonly job: JobStart;
  readonly command: RunningCommand;
  readonly log: LogWriter;
  drain(): Promise<void>;
  stop(): Promise<void>;
};

async function follow(followed: Followed): Promise<RunningJob> {
  const { job, command } = followed;
  let wasKilled = false;
  const finished = command.gone.then(() => finish(followed, () => wasKilled));
  // Whoever waits for the end hears of it; meanwhile it is nobody's loose end.
  finished.catch(() => undefined);
  let hasBegun = command.hasBegun();
  while (!hasBegun && !(await within(command.gone, lookEveryMs))) hasBegun = command.hasBegun();
  // Either it was quick, or it never was: that shows here.
  if (!hasBegun) await finished;
  const { cwd } = command;
  noteRunning(job.folder, cwd, []);
  // The last of them comes before the end is written down: its network is watched until it is finished.
  command.onNotes?.((notes) => noteRunning(job.folder, cwd, notes));
  const ended = finished.then(
    (end) => keepState(job.folder, { ...end, cwd }),
    (error: unknown) => keepState(job.folder, { ...failedEnd(followed, error), cwd }),
  );
  return {
    cwd,
    ended,
    async kill() {
      wasKilled = true;
      await endTree(command);
      await ended;
    },
  };
}

async function endTree({ target, gone }: RunningCommand): Promise<void> {
  target.terminate();
  if (await within(gone, graceMs)) return;
  target.kill();
  if (await within(gone, lastGraceMs)) return;
  target.destroy();
}

type End = Omit<JobState, 'cwd'>;

/** Rejects with ToolFailure when the command never started. */
async function finish({ job, command, log, drain, stop }: Followed, wasKilled: () => boolean): Promise<End> {
  try {
    const end = await command.finish({
      wasEnded: wasKilled(),
      async stderr() {
        await drain();
        return log.beginning();
      },
    });
    await drain();
    const isKilled = wasKilled() || end.exitCode === null;
    const state = { state: isKilled ? 'killed' : 'finished', exitCode: isKilled ? null : end.exitCode } as const;
    return { ...state, ...totals(log), endedAt: job.now().toISOString(), notes: end.notes };
  } finally {
    await stop();
  }
}

function totals(log: LogWriter): Pick<JobState, 'logBytes' | 'logLines'> {
  const { bytes, lines } = log.totals();
  return { logBytes: bytes, logLines: lines };
}

/** It ran, but how it ended could not be found out. */
function failedEnd({ job, log }: Followed, error: unknown): End {
  const reason = error instanceof Error ? error.message : String(error);
  return { state: 'killed', exitCode: null, ...totals(log), endedAt: job.now().toISOString(), notes: [reason] };
}

function noteRunning(folder: string, cwd: string, notes: readonly string[]): void {
  try {
    writeState(folder, { state: 'running', exitCode: null, cwd, notes });
  } catch {
    // The disk is full: the folder and the notes are shown when the job has ended.
  }
}

async function keepState(folder: string, state: JobState): Promise<void> {
  for (let round = 1; ; round += 1) {
    try {
      writeState(folder, state);
      return;
    } catch (error) {
      // A folder that is gone was removed with its conversation; a full disk may become free again.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT' || round === stateRounds) return;
      await delay(stateRoundMs, undefined, { ref: false });
    }
  }
}
