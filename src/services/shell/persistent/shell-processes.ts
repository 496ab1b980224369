/** The processes that live beside a shell: which there are, and which command started them. */
import { probeMark } from './shell-script.ts';
import { carriesLimit, childrenOf, descendantsOf, listProcesses, livingProcess } from '../process-tree.ts';

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
export function processesBelow(initPid: number): ShellProcesses {
  const shellPid = childrenOf(initPid)?.[0] ?? listProcesses().find((entry) => entry.parent === initPid)?.pid;
  const others = (): readonly number[] => {
    const found: number[] = [];
    const open = [initPid];
    for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
      const children = childrenOf(pid);
      if (children === undefined) return belowInTable(initPid).filter((child) => child !== shellPid);
      for (const child of children) {
        open.push(child);
        if (child !== shellPid && livingProcess(child) !== undefined) found.push(child);
      }
    }
    return found;
  };
  return withMarks(shellPid, others);
}

/** The slow way, by the machine's whole process table. */
function belowInTable(initPid: number): readonly number[] {
  return descendantsOf(initPid, listProcesses())
    .filter((entry) => !entry.isZombie)
    .map((entry) => entry.pid);
}

/** Where nothing holds them together: `find` hunts for them. */
export function processesFound(shellPid: number, find: () => readonly number[]): ShellProcesses {
  return withMarks(shellPid, () => find().filter((pid) => pid !== shellPid));
}

/** Where the machine's process table does not show them. */
export const noProcesses: ShellProcesses = {
  shellPid: undefined,
  startedBy: () => [],
  others: () => [],
  beginCommand: () => undefined,
};

function withMarks(shellPid: number | undefined, others: () => readonly number[]): ShellProcesses {
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
      hasMarks ??= shellPid !== undefined && carriesLimit(shellPid, new Set([probeMark]));
      if (!hasMarks) earlier = new Set(others());
    },
  };
}
