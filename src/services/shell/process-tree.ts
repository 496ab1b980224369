/** Reads the process table (proc(5)): who descends from whom, and who carries a mark. */
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

export type ProcessEntry = {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Already dead, only waiting to be collected. */
  readonly isZombie: boolean;
  /** In ticks of the machine's clock since its start. */
  readonly startedTicks: number;
};

export function listProcesses(): readonly ProcessEntry[] {
  const entries: ProcessEntry[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const entry = readEntry(Number(name));
    if (entry !== undefined) entries.push(entry);
  }
  return entries;
}

function readEntry(pid: number): ProcessEntry | undefined {
  const text = readProc(`${pid}/stat`)?.toString('latin1');
  if (text === undefined) return undefined;
  // The name in parentheses may hold anything, also spaces and parentheses.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group, session] = fields;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    isZombie: state === 'Z' || state === 'X',
    // Field 22 of the line; the first here is field 3.
    startedTicks: Number(fields[19]),
  };
}

/** 0 when there is none. */
export const startedTicksOf = (pid: number): number => readEntry(pid)?.startedTicks ?? 0;

/** All below `root`, itself not included. */
export function descendantsOf(root: number, processes: readonly ProcessEntry[]): readonly ProcessEntry[] {
  const children = Map.groupBy(processes, (entry) => entry.parent);
  const found: ProcessEntry[] = [];
  const open = [root];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    for (const child of children.get(pid) ?? []) {
      found.push(child);
      open.push(child.pid);
    }
  }
  return found;
}

/** True when the process was started with `mark` (`NAME=value`) in its environment. */
export function carriesMark(pid: number, mark: string): boolean {
  const environment = readProc(`${pid}/environ`);
  return environment !== undefined && `\0${environment.toString('latin1')}`.includes(`\0${mark}\0`);
}

/**
 * True when the process has one of these soft limits on message queues (getrlimit(2), RLIMIT_MSGQUEUE). Limits are handed down to
 * every child, through sessions, double forks and emptied environments; this one matters to next to no program.
 */
export function carriesLimit(pid: number, bytes: ReadonlySet<number>): boolean {
  const limits = readProc(`${pid}/limits`)?.toString('latin1') ?? '';
  return bytes.has(Number(/^Max msgqueue size\s+(\d+)/m.exec(limits)?.[1]));
}

/** True when one of the process's own streams is one of `pipes`, given as /proc/self/fd shows them. */
export function writesTo(pid: number, pipes: readonly string[]): boolean {
  return [1, 2].some((handle) => {
    try {
      return pipes.includes(readlinkSync(`/proc/${pid}/fd/${handle}`));
    } catch {
      // Gone, or another user's.
      return false;
    }
  });
}

/** As a person would know it, on one line. */
export function commandLine(pid: number): string {
  const text = readProc(`${pid}/cmdline`)?.toString('utf8').replaceAll('\0', ' ').trim() ?? '';
  return text.replaceAll(/\s+/g, ' ').slice(0, 100);
}

/** Whether it arrived does not matter: a process that is gone needs no signal. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // ESRCH: already gone. EPERM: it became another user's, which only root's programs can.
  }
}

function readProc(name: string): Buffer | undefined {
  try {
    return readFileSync(`/proc/${name}`);
  } catch {
    // It ended while we looked, or is another user's.
    return undefined;
  }
}

/** Of all its threads. Undefined where the kernel does not tell (CONFIG_PROC_CHILDREN). */
export function childrenOf(pid: number): readonly number[] | undefined {
  // Most programs have one thread, and asking for its number needs no list.
  const main = readProc(`${pid}/task/${pid}/children`);
  if (main === undefined) return existsSync(`/proc/${pid}`) ? undefined : [];
  const texts = [main.toString('latin1')];
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    for (const thread of threads) {
      if (thread !== `${pid}`) texts.push(readProc(`${pid}/task/${thread}/children`)?.toString('latin1') ?? '');
    }
  } catch {
    // It ended while we looked.
  }
  return texts.join(' ').split(' ').filter((text) => text !== '').map(Number); // prettier-ignore
}

/** Undefined for the dead: also those that only wait to be collected. */
export function livingProcess(pid: number): ProcessEntry | undefined {
  const entry = readEntry(pid);
  return entry === undefined || entry.isZombie ? undefined : entry;
}

/** sched.h, PF_EXITING. */
const exitingFlag = 0x4;

/** It is dead or dies now, and no signal reaches it any more. */
export function isEnding(pid: number): boolean {
  const text = readProc(`${pid}/stat`)?.toString('latin1') ?? '';
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  // Field 9 of the line; the first here is field 3.
  return fields[0] === 'Z' || (Number(fields[6]) & exitingFlag) !== 0;
}

/** The same as before when it has slept all the time since; undefined while it works or waits for a processor or a disk. */
export function signOfSleep(pid: number): string | undefined {
  const text = readProc(`${pid}/status`)?.toString('latin1') ?? '';
  if (!/^State:\s+[STt]/m.test(text)) return undefined;
  return /^voluntary_ctxt_switches:.*\nnonvoluntary_ctxt_switches:.*$/m.exec(text)?.[0];
}

/** Its number in the innermost namespace it is in (proc(5), NSpid). */
export function pidInside(pid: number): number {
  const text = readProc(`${pid}/status`)?.toString('latin1') ?? '';
  return Number(/^NSpid:.*?(\d+)$/m.exec(text)?.[1] ?? pid);
}
