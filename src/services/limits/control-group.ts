/** A control group for one command on the host rung: where we may make one, nothing can escape from it. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export type ControlGroup = {
  /** Where a process writes its own number to enter. */
  readonly entrance: string;
  /** Everybody in it but our own helpers. */
  pids(): readonly number[];
  /** cgroups(7), cgroup.kill: all at once, also those being forked. */
  kill(): void;
  /** Once it is empty. Gives up after a while: an empty group costs nothing. */
  remove(): Promise<void>;
};

const removeRounds = 40;
const removeRoundMs = 5;

/**
 * Undefined where there is no cgroup version 2 (from Linux 5.14) that we may write to. `name` begins with `handrail-`.
 * Ends and removes what processes of ours that were killed have left in such groups.
 */
export function createControlGroup(name: string): ControlGroup | undefined {
  try {
    const parent = ownGroupFolder();
    endOrphans(parent);
    const folder = join(parent, name.replace(/^handrail-/, `handrail-${process.pid}-`));
    mkdirSync(folder);
    try {
      // Without it the group would be of no use for what it is here for.
      readFileSync(join(folder, 'cgroup.procs'));
      writeFileSync(join(folder, 'cgroup.kill'), '0');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERANGE') {
        rmdirSync(folder);
        throw error;
      }
    }
    return groupIn(folder);
  } catch {
    // Not ours to write, or not there: process groups and the process table must do.
    return undefined;
  }
}

/** Nobody is left who would read their output or end them. The next look removes what is still being collected at this one. */
function endOrphans(parent: string): void {
  for (const name of readdirSync(parent)) {
    const owner = /^handrail-(\d+)-/.exec(name)?.[1];
    if (owner === undefined || existsSync(`/proc/${owner}`)) continue;
    const folder = join(parent, name);
    try {
      const inside = readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean);
      // 0 stands for a process of another namespace: its owner may be as well, and live there.
      if (inside.includes('0')) continue;
      if (inside.length > 0) writeFileSync(join(folder, 'cgroup.kill'), '1');
      rmdirSync(folder);
    } catch {
      // EBUSY, as said; or another process of ours was faster.
    }
  }
}

function groupIn(folder: string): ControlGroup {
  return {
    entrance: join(folder, 'cgroup.procs'),
    pids: () =>
      readFileSync(join(folder, 'cgroup.procs'), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map(Number),
    kill: () => writeFileSync(join(folder, 'cgroup.kill'), '1'),
    async remove() {
      for (let round = 0; round < removeRounds; round += 1) {
        try {
          rmdirSync(folder);
          return;
        } catch {
          // EBUSY: the kernel is still collecting the dead.
          await delay(removeRoundMs);
        }
      }
    },
  };
}

/** proc(5): the line `0::/…` of /proc/self/cgroup, below where cgroup2 is mounted. */
function ownGroupFolder(): string {
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
  const mount = mounts.find((line) => line.includes(' - cgroup2 '))?.split(' ')[4];
  const own = /^0::(\/.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1];
  if (mount === undefined || own === undefined) throw new Error('no cgroup version 2 here');
  return join(mount, own);
}
