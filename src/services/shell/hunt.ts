/** Finds and ends everything a command has started where no namespace holds it together: on the host rung and under proot. */
import { randomInt } from 'node:crypto';
import { closeSync, readlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type ControlGroup, createControlGroup } from '../limits/control-group.ts';
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
  startedTicksOf,
  writesTo,
} from './process-tree.ts';

export type HuntPlan = {
  /** The same command, started so that what descends from it can be told. */
  enter(command: readonly string[]): readonly [string, ...string[]];
  /** `pipes`: the command's own output; who still holds them was started by it. */
  begin(root: number, pipes: readonly Pipe[]): Hunt;
  /** When it never began. */
  remove(): Promise<void>;
};

export type Hunt = {
  readonly target: KillTarget;
  /** All that live now. */
  pids(): readonly number[];
  /** A limit on message queues that was set later than at the start, and marks whose they are as well. */
  addMark(bytes: number): void;
  /** After the command's own end: ends what is left of it and resolves with sentences about that. */
  finish(wasEnded: boolean): Promise<readonly string[]>;
};

const graceRounds = 2;
const huntRounds = 25;
const roundMs = 20;
const secondLookMs = 3;

/** `mark`: `NAME=value` in the environment of the command. `hold`: a group that holds it already. */
export function planHunt(
  mark: string,
  hold?: ControlGroup,
  createGroup: (name: string) => ControlGroup | undefined = createControlGroup,
): HuntPlan {
  const group = hold ?? createGroup(`handrail-${mark.split('=')[1] ?? mark}`);
  const limitMark = randomInt(100_000, 800_000);
  const remove = async (): Promise<void> => group?.remove();
  return {
    remove,
    enter: (command) =>
      group === undefined
        ? ['/bin/bash', '-c', 'ulimit -S -q "$0" 2>/dev/null; exec "$@"', `${limitMark}`, ...command]
        : ['/bin/sh', '-c', 'echo $$ >"$0" && exec "$@"', group.entrance, ...command],
    begin(root, pipes) {
      const limitMarks = new Set([limitMark]);
      const startedTicks = startedTicksOf(root);
      const traces = { root, startedTicks, mark, limitMarks, group, pipes: pipes.map(nameOf) };
      return {
        pids: () => findLeft(traces),
        addMark: (bytes) => void limitMarks.add(bytes),
        target: huntTarget(traces),
        finish: (wasEnded) => endLeft(traces, wasEnded).finally(remove),
      };
    },
  };
}

type Traces = {
  readonly root: number;
  /** Nothing that is older than the root descends from it; looking closely at every process of a machine takes long. */
  readonly startedTicks: number;
  readonly mark: string;
  /** Unlike the mark in the environment, nothing takes it away by accident. */
  readonly limitMarks: ReadonlySet<number>;
  readonly group: ControlGroup | undefined;
  readonly pipes: readonly string[];
};

/** Everything the command started and that still lives. */
function findLeft(traces: Traces): readonly number[] {
  const alive = listProcesses().filter(
    (entry) => !entry.isZombie && entry.pid !== process.pid && entry.startedTicks >= traces.startedTicks,
  );
  const below = new Set(descendantsOf(traces.root, alive).map((entry) => entry.pid));
  const ours = alive.filter(
    (entry) =>
      entry.pid === traces.root ||
      entry.group === traces.root ||
      entry.session === traces.root ||
      below.has(entry.pid) ||
      carriesMark(entry.pid, traces.mark) ||
      carriesLimit(entry.pid, traces.limitMarks) ||
      writesTo(entry.pid, traces.pipes),
  );
  return [...new Set([...ours.map((entry) => entry.pid), ...(traces.group?.pids() ?? [])])];
}

/**
 * A process that forks and ends while the table is read shows neither itself nor its child: one empty look proves nothing.
 */
async function findLeftForSure(traces: Traces): Promise<readonly number[]> {
  const first = findLeft(traces);
  if (first.length > 0 || traces.group !== undefined) return first;
  await delay(secondLookMs);
  return findLeft(traces);
}

function huntTarget(traces: Traces): KillTarget {
  const signalAll = (signal: NodeJS.Signals): void => {
    for (const pid of findLeft(traces)) sendSignal(pid, signal);
  };
  const kill = (): void => {
    traces.group?.kill();
    signalAll('SIGKILL');
  };
  return {
    interrupt: () => sendSignal(-traces.root, 'SIGINT'),
    terminate: () => signalAll('SIGTERM'),
    kill,
    destroy: kill,
  };
}

async function endLeft(traces: Traces, wasEnded: boolean): Promise<readonly string[]> {
  let left = await findLeftForSure(traces);
  // What is about to end by itself (the tee of a `> >(tee log)`) may do so.
  for (let round = 0; left.length > 0 && !wasEnded && round < graceRounds; round += 1) {
    await delay(roundMs);
    left = await findLeftForSure(traces);
  }
  const named = left.map((pid) => `${commandLine(pid)} (pid ${pid})`);
  for (let round = 0; left.length > 0 && round < huntRounds; round += 1) {
    traces.group?.kill();
    for (const pid of left) sendSignal(pid, 'SIGKILL');
    await delay(roundMs / 4);
    left = await findLeftForSure(traces);
  }
  const note = wasEnded ? undefined : describeLeft(named);
  const notes = note === undefined ? [] : [note];
  if (left.length > 0) notes.push(`Some processes of the command could not be ended: ${left.join(', ')}.`);
  return notes;
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
