/** One command in a conversation's shell, or in a copy of it: as the one who waits for it, ends it and reports it sees it. */
import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { resolveWorkingDir } from '../check-request.ts';
import { isConnectionKeeper } from '../../ssh/connection-keepers.ts';
import { commandLine, pidInside, sendSignal, signOfSleep } from '../process-tree.ts';
import type { Circumstances, CommandEnd, OutputSink, PrintingCommand } from '../running-command.ts';
import { missingFolder } from '../start-program.ts';
import { isLineOfShell } from './bash-options.ts';
import type { ShellCommand, ShellKeeper } from './conversation-shell.ts';
import type { CommandRecord, LiveCommand, LiveShell } from './live-shell.ts';
import { asText } from './shell-memory.ts';

export type ShellRun = {
  readonly shell: LiveShell;
  readonly command: ShellCommand;
  readonly sink: OutputSink;
  readonly keeper: ShellKeeper;
  /** Of the shell's start; they go into this command's result. */
  readonly notes: readonly string[];
};

export async function runInShell(run: ShellRun): Promise<PrintingCommand> {
  const { shell, command, sink, keeper } = run;
  const { workspace } = keeper;
  const folder =
    command.workingDir === undefined || command.workingDir === ''
      ? undefined
      : resolveWorkingDir(command.workingDir, { workspace, home: shell.bash.home });
  const live = await shell.run({ ...command, folder, environment: withoutFixed(command.environment) }, sink);
  const started = { ...run, live, folder, wasReset: false, endLimits: shell.bash.limits.begin() };
  return {
    cwd: folder ?? asText(keeper.memory()?.cwd ?? workspace),
    gone: live.ended,
    hasBegun: () => true,
    target: {
      interrupt: () => live.signal('SIGINT'),
      terminate() {
        live.signal('SIGTERM');
        live.remind();
      },
      kill() {
        live.signal('SIGKILL');
        live.remind();
      },
      destroy() {
        started.wasReset = true;
        shell.bash.target.destroy();
      },
    },
    finish: (circumstances) => finish(started, circumstances),
    drain() {
      live.drain();
      return Promise.resolve();
    },
    close() {
      live.close();
      return Promise.resolve();
    },
  };
}

/** Bash sets these itself, and stops at who tries. */
const fixedNames = new Set(['BASHOPTS', 'BASH_VERSINFO', 'EUID', 'PPID', 'SHELLOPTS', 'UID']);

function withoutFixed(environment: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !fixedNames.has(name)));
}

type Started = ShellRun & {
  readonly live: LiveCommand;
  readonly folder: string | undefined;
  wasReset: boolean;
  endLimits(): void;
};

async function finish(started: Started, circumstances: Circumstances): Promise<CommandEnd> {
  const { shell, live, folder } = started;
  const record = await live.ended;
  started.endLimits();
  if (record?.problem === 'folder') throw missingFolder(folder ?? '');
  if (record === undefined && !shell.isAlive()) return finishDead(started, circumstances);
  const left = circumstances.wasEnded ? await endLeft(started) : await describeSurvivors(live);
  if (!shell.isAlive()) return finishDead(started, circumstances);
  const exitCode = record?.code ?? 128 + constants.signals.SIGKILL;
  const limits = shell.bash.limits.notes({ stderr: await circumstances.stderr(), exitCode });
  const notes = [...started.notes, ...(started.command.isFork ? [copyNote] : []), ...left, ...limits];
  return { exitCode, signal: null, ...remember(started, record, notes) };
}

const copyNote =
  "It ran beside other commands, in a copy of the conversation's shell: its cd and variables were not kept.";

function remember(
  { shell, keeper, folder }: Started,
  record: CommandRecord | undefined,
  notes: readonly string[],
): Pick<CommandEnd, 'notes' | 'cwd'> {
  if (record?.kind !== 'end') return { notes };
  const isSaved = keeper.remember(shell, record.state);
  const unsaved = 'The directory and variables of the shell could not be saved for later: the disk may be full.';
  return {
    notes: isSaved ? notes : [...notes, unsaved],
    ...(folder === undefined ? { cwd: asText(record.state.cwd) } : {}),
  };
}

/** The command took its shell with it, or the shell had to be ended with the command. */
async function finishDead(started: Started, { wasEnded, stderr }: Circumstances): Promise<CommandEnd> {
  const { shell, keeper, command } = started;
  const { code, signal } = await shell.bash.exited;
  const exitCode = code ?? (signal === null ? null : 128 + constants.signals[signal]);
  const limits = shell.bash.limits.notes({ stderr: await stderr(), exitCode });
  const reason = started.wasReset
    ? 'The shell of this conversation did not give the command up and was ended with it.'
    : command.isFork
      ? 'The shell of this conversation ended while the command ran in a copy of it.'
      : 'The shell of this conversation ended with the command.';
  const notes = [...started.notes, ...limits, ...(await keeper.bury(shell, reason))];
  return { exitCode: wasEnded ? null : exitCode, signal: null, notes };
}

const graceRounds = 5;
const graceMs = 15;
const quietRounds = 2;
const maxNamed = 10;

/**
 * What is about to end by itself (the tee of a `> >(tee log)`) may do so, and what it prints belongs to the result. That one has
 * work to do or waits for its turn; once all of them have slept for some rounds, nothing is about to happen.
 */
async function describeSurvivors(live: LiveCommand): Promise<readonly string[]> {
  const leftNow = (): readonly number[] => live.left().filter((pid) => !isConnectionKeeper(pid));
  let left = leftNow();
  let quiet = 0;
  for (let round = 0; left.length > 0 && round < graceRounds && quiet < quietRounds; round += 1) {
    const signs = new Map(left.map((pid) => [pid, signOfSleep(pid)]));
    await delay(graceMs);
    live.drain();
    left = leftNow();
    const isQuiet = left.every((pid) => signs.get(pid) !== undefined && signs.get(pid) === signOfSleep(pid));
    quiet = isQuiet ? quiet + 1 : 0;
  }
  if (left.length === 0) return [];
  const named = left.slice(0, maxNamed).map((pid) => `${nameOf(pid)} (pid ${pidInside(pid)})`);
  const names = named.join(', ') + (left.length > maxNamed ? ', …' : '');
  return left.length === 1
    ? [`1 process goes on in the background: ${names}. What it prints from now on is dropped.`]
    : [`${left.length} processes go on in the background: ${names}. What they print from now on is dropped.`];
}

function nameOf(pid: number): string {
  const line = commandLine(pid);
  return isLineOfShell(line) ? 'subshell' : line;
}

const killRounds = 60;
const killMs = 5;

/** Nothing of a command that was ended survives, whatever session it hides in; what earlier commands left does. */
async function endLeft(started: Started): Promise<readonly string[]> {
  const { live, shell } = started;
  for (let round = 0; round < killRounds; round += 1) {
    const left = live.left();
    if (left.length === 0) return [];
    for (const pid of left) sendSignal(pid, 'SIGKILL');
    await delay(killMs);
  }
  started.wasReset = true;
  await shell.end();
  return [];
}
