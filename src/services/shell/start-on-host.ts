/** Starts one command without a sandbox. Only when the settings say so; what it leaves behind is hunted as far as it goes. */
import { randomInt, randomUUID } from 'node:crypto';
import { statSync, readlinkSync, closeSync } from 'node:fs';
import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { ToolFailure } from '../../contract/failure.ts';
import { hostEnvironment } from '../sandbox/sandbox-environment.ts';
import { findBash } from './find-bash.ts';
import { resolveWorkingDir } from './check-request.ts';
import { type ControlGroup, createControlGroup } from './control-group.ts';
import type { KillTarget } from './end-tree.ts';
import { describeLeft } from './first-process.ts';
import type { Pipe } from './pipe-pool.ts';
import {
  carriesLimit,
  carriesMark,
  commandLine,
  descendantsOf,
  listProcesses,
  sendSignal,
  writesTo,
} from './process-tree.ts';
import type { Circumstances, CommandEnd, CommandRequest, RunningCommand, TakePipes } from './running-command.ts';
import { type Program, spawnProgram } from './spawn-program.ts';

export type HostOptions = {
  readonly environment: NodeJS.ProcessEnv;
  /** Tests take the control group away here. */
  readonly createGroup?: (name: string) => ControlGroup | undefined;
};

const markName = 'HANDRAIL_COMMAND';
const maxArgumentBytes = 96 * 1024;

export async function startOnHost(
  options: HostOptions,
  request: CommandRequest,
  takePipes: TakePipes,
): Promise<RunningCommand> {
  const own = hostEnvironment(options.environment);
  const cwd = resolveWorkingDir(request.workingDir, { workspace: request.workspace, home: own['HOME'] ?? '/' });
  checkFolder(cwd);
  const id = randomUUID();
  const group = (options.createGroup ?? createControlGroup)(`handrail-${id}`);
  try {
    const pipes = await takePipes({ uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 });
    const isLong = Buffer.byteLength(request.command) > maxArgumentBytes;
    const shell = findBash();
    const bash = isLong
      ? [shell, '-c', 'eval "$(/bin/cat <&3)" 3<&-', 'bash']
      : [shell, '-c', '--', request.command, 'bash'];
    const limitMark = randomInt(100_000, 800_000);
    const enter =
      group === undefined
        ? [shell, '-c', 'ulimit -S -q "$0" 2>/dev/null; exec "$@"', `${limitMark}`]
        : ['/bin/sh', '-c', 'echo $$ >"$0" && exec "$@"', group.entrance];
    const [file = shell, ...args] = [...enter, ...bash];
    const program = await spawnProgram({
      file,
      args,
      environment: { ...own, ...request.environment, [markName]: id },
      cwd,
      streams: ['none', { opened: pipes.stdout.openWriter() }, { opened: pipes.stderr.openWriter() }],
      shadowed: request.shadowed,
      handles: isLong ? [Buffer.from(request.command)] : [],
    });
    const hunt: Hunt = {
      root: program.pid,
      mark: `${markName}=${id}`,
      limitMark,
      group,
      pipes: [nameOf(pipes.stdout), nameOf(pipes.stderr)],
    };
    return {
      cwd,
      gone: program.exited,
      target: hostTarget(hunt),
      hasBegun: () => true,
      finish: (circumstances) => finishCommand(program, hunt, circumstances),
    };
  } catch (error) {
    await group?.remove();
    throw error;
  }
}

type Hunt = {
  readonly root: number;
  readonly mark: string;
  /** Unlike the mark in the environment, nothing takes it away by accident. */
  readonly limitMark: number;
  readonly group: ControlGroup | undefined;
  /** The command's output pipes, as /proc shows them: who still holds them was started by it. */
  readonly pipes: readonly string[];
};

/** Everything the command started and that still lives. */
function findLeft(hunt: Hunt): readonly number[] {
  const alive = listProcesses().filter((entry) => !entry.isZombie && entry.pid !== process.pid);
  const below = new Set(descendantsOf(hunt.root, alive).map((entry) => entry.pid));
  const ours = alive.filter(
    (entry) =>
      entry.pid === hunt.root ||
      entry.group === hunt.root ||
      entry.session === hunt.root ||
      below.has(entry.pid) ||
      carriesMark(entry.pid, hunt.mark) ||
      carriesLimit(entry.pid, hunt.limitMark) ||
      writesTo(entry.pid, hunt.pipes),
  );
  return [...new Set([...ours.map((entry) => entry.pid), ...(hunt.group?.pids() ?? [])])];
}

/**
 * A process that forks and ends while the table is read shows neither itself nor its child: one empty look proves nothing.
 */
async function findLeftForSure(hunt: Hunt): Promise<readonly number[]> {
  const first = findLeft(hunt);
  if (first.length > 0 || hunt.group !== undefined) return first;
  await delay(secondLookMs);
  return findLeft(hunt);
}

function hostTarget(hunt: Hunt): KillTarget {
  const signalAll = (signal: NodeJS.Signals): void => {
    for (const pid of findLeft(hunt)) sendSignal(pid, signal);
  };
  const kill = (): void => {
    hunt.group?.kill();
    signalAll('SIGKILL');
  };
  return {
    interrupt: () => sendSignal(-hunt.root, 'SIGINT'),
    terminate: () => signalAll('SIGTERM'),
    kill,
    destroy: kill,
  };
}

const graceRounds = 2;
const huntRounds = 25;
const roundMs = 20;
const secondLookMs = 3;

async function finishCommand(program: Program, hunt: Hunt, { wasEnded }: Circumstances): Promise<CommandEnd> {
  const { code, signal } = await program.exited;
  try {
    let left = await findLeftForSure(hunt);
    // What is about to end by itself (the tee of a `> >(tee log)`) may do so.
    for (let round = 0; left.length > 0 && !wasEnded && round < graceRounds; round += 1) {
      await delay(roundMs);
      left = await findLeftForSure(hunt);
    }
    const named = left.map((pid) => `${commandLine(pid)} (pid ${pid})`);
    for (let round = 0; left.length > 0 && round < huntRounds; round += 1) {
      hunt.group?.kill();
      for (const pid of left) sendSignal(pid, 'SIGKILL');
      await delay(roundMs / 4);
      left = await findLeftForSure(hunt);
    }
    const note = wasEnded ? undefined : describeLeft(named);
    const notes = note === undefined ? [] : [note];
    if (left.length > 0) notes.push(`Some processes of the command could not be ended: ${left.join(', ')}.`);
    return {
      exitCode: wasEnded ? null : (code ?? 128 + signalNumber(signal)),
      signal: wasEnded ? signal : null,
      notes,
    };
  } finally {
    await hunt.group?.remove();
  }
}

function signalNumber(signal: NodeJS.Signals | null): number {
  return signal === null ? 0 : constants.signals[signal];
}

/** The same name for every handle on this pipe, also in other processes. */
function nameOf(pipe: Pipe): string {
  const handle = pipe.openReader();
  try {
    return readlinkSync(`/proc/self/fd/${handle}`);
  } finally {
    closeSync(handle);
  }
}

function checkFolder(cwd: string): void {
  const info = statSync(cwd, { throwIfNoEntry: false });
  if (info?.isDirectory() === true) return;
  throw new ToolFailure(
    'not_found',
    `The working directory ${cwd} does not exist. Name an existing folder, or leave working_dir out.`,
  );
}
