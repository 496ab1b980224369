/** The processes that live beside a shell: which there are, and which command started them. */
import { carriesLimit, childrenOf, descendantsOf, listProcesses, livingProcess, pidInside } from '../process-tree.ts';

export type ShellProcesses = {
  /** The shell itself, as seen from out here. Undefined where its processes cannot be seen. */
  readonly shellPid: number | undefined;
  /** Living ones that command `mark` started, however they have hidden since; the shell itself never. */
  startedBy(mark: number): readonly number[];
  /** All but the shell itself. */
  others(): readonly number[];
  /** From now on, what lives already belongs to earlier commands: needed where limits leave no mark. */
  beginCommand(): void;
};

/** Below the first process of a namespace: everybody inside descends from it, also those whose parents are gone. */
export function processesBelow(initPid: number, shellPidInside: number, shellMark: number): ShellProcesses {
  const all = (): readonly number[] => {
    const found: number[] = [];
    const open = [initPid];
    for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
      const children = childrenOf(pid);
      if (children === undefined) return belowInTable(initPid);
      for (const child of children) {
        open.push(child);
        if (livingProcess(child) !== undefined) found.push(child);
      }
    }
    return found;
  };
  const shellPid = all().find((pid) => pidInside(pid) === shellPidInside);
  return withMarks(shellPid, shellMark, () => all().filter((pid) => pid !== shellPid));
}

/** The slow way, by the machine's whole process table. */
function belowInTable(initPid: number): readonly number[] {
  return descendantsOf(initPid, listProcesses())
    .filter((entry) => !entry.isZombie)
    .map((entry) => entry.pid);
}

/** Where nothing holds them together: `find` hunts for them. What the shell descends from is no concern of a command. */
export function processesFound(shellPid: number, shellMark: number, find: () => readonly number[]): ShellProcesses {
  return withMarks(shellPid, shellMark, () => {
    const above = new Set<number>();
    for (let pid = shellPid; pid > 1 && !above.has(pid); pid = livingProcess(pid)?.parent ?? 0) above.add(pid);
    return find().filter((pid) => !above.has(pid));
  });
}

/** In a namespace that a service of the machine has made: by their marks in the machine's process table, where it shows them. */
export function processesMarked(shellPidInside: number, shellMark: number, marks: ReadonlySet<number>): ShellProcesses {
  const find = (): readonly number[] =>
    listProcesses()
      .filter((entry) => !entry.isZombie && carriesLimit(entry.pid, marks))
      .map((entry) => entry.pid);
  const shellPid = find().find((pid) => pidInside(pid) === shellPidInside);
  return withMarks(shellPid, shellMark, () => find().filter((pid) => pid !== shellPid));
}

function withMarks(shellPid: number | undefined, shellMark: number, others: () => readonly number[]): ShellProcesses {
  let earlier = new Set<number>();
  let hasMarks: boolean | undefined;
  return {
    shellPid,
    others,
    startedBy(mark) {
      const found = others();
      if (found.length === 0 || shellPid === undefined) return found;
      return hasMarks === false
        ? found.filter((pid) => !earlier.has(pid))
        : found.filter((pid) => carriesLimit(pid, new Set([mark])));
    },
    beginCommand() {
      // The shell marked itself when it started.
      hasMarks ??= shellPid !== undefined && carriesLimit(shellPid, new Set([shellMark]));
      if (!hasMarks) earlier = new Set(others());
    },
  };
}
