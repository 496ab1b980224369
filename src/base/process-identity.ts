/** Names a process so that it cannot be taken for another one, also after a restart of the machine. */
import { readFileSync } from 'node:fs';

export type ProcessIdentity = {
  readonly pid: number;
  /** proc(5), /proc/pid/stat, field 22: when it was started, in clock ticks since the machine was. */
  readonly startTicks: string;
  /** random(4): another one after every start of the machine. */
  readonly bootId: string;
};

/** Undefined when there is no such process, or only its remains. */
export function identityOf(pid: number): ProcessIdentity | undefined {
  const stat = readText(`/proc/${pid}/stat`);
  // The name in parentheses may hold anything.
  const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const startTicks = rest[18];
  if (startTicks === undefined || state === 'Z' || state === 'X') return undefined;
  return { pid, startTicks, bootId: readText('/proc/sys/kernel/random/boot_id').trim() };
}

export function isStillThere(identity: ProcessIdentity): boolean {
  const now = identityOf(identity.pid);
  return now !== undefined && now.startTicks === identity.startTicks && now.bootId === identity.bootId;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    // It ended, or the kernel does not show it to us: nothing can be said of it then.
    return '';
  }
}
