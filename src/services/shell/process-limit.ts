/** How many processes and threads one command may have: a fork bomb must not take the machine with it. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { release } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Far more than builds, browsers and virtual machines need. */
export const maxProcesses = 2048;

/** What the shell and its children say when they hit it. */
export const isProcessLimitMessage = (stderr: string): boolean =>
  /fork: .*Resource temporarily unavailable|Cannot fork|pthread_create.*(failed|temporarily)/.test(stderr);

/** From Linux 5.14 on RLIMIT_NPROC is counted per user namespace; before, a user's whole session would count. */
export function hasLimitPerNamespace(kernel = release()): boolean {
  const [major = 0, minor = 0] = kernel.split('.').map(Number);
  return major > 5 || (major === 5 && minor >= 14);
}

/** RLIMIT_NPROC does not bind the machine's root: its commands are counted by a control group. */
export type ProcessGroupLimit = {
  readonly folder: string;
  /** The same command, started from within the group. */
  enter(command: readonly string[]): readonly [string, ...string[]];
  remove(): Promise<void>;
};

const prefix = 'handrail-';
const removeRounds = 40;
const removeRoundMs = 5;

/** Undefined where there is no pids controller (cgroups(7)) that we may use. */
export function createProcessLimit(): ProcessGroupLimit | undefined {
  for (const parent of findParents()) {
    removeOrphans(parent);
    const folder = join(parent, `${prefix}${process.pid}-${randomUUID()}`);
    try {
      mkdirSync(folder);
    } catch {
      // Not ours to write.
      continue;
    }
    try {
      writeFileSync(join(folder, 'pids.max'), `${maxProcesses}`);
      return limitIn(folder);
    } catch {
      // The controller is not handed down to here.
      rmdirSync(folder);
    }
  }
  return undefined;
}

function limitIn(folder: string): ProcessGroupLimit {
  return {
    folder,
    enter: (command) => ['/bin/sh', '-c', 'echo 0 >"$0" && exec "$@"', entranceOf(folder), ...command],
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

/**
 * A thread that moves itself by `tasks` (version 1) takes no lock that has to wait for every processor; moved from outside, or
 * by `cgroup.procs`, it costs up to 50 ms (kernel/cgroup/cgroup.c, cgroup_procs_write_start).
 */
function entranceOf(folder: string): string {
  const tasks = join(folder, 'tasks');
  return existsSync(tasks) ? tasks : join(folder, 'cgroup.procs');
}

/** Those of processes of ours that were killed. One that is in use is not empty, and stays. */
function removeOrphans(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = /^handrail-(\d+)-/.exec(name)?.[1];
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue;
    try {
      rmdirSync(join(parent, name));
    } catch {
      // In use after all, or another process of ours was faster.
    }
  }
}

/** Version 1 has a tree for this controller alone; in version 2 a group with processes has no children with controllers. */
function findParents(): string[] {
  const parents: string[] = [];
  for (const line of readFileSync('/proc/self/mountinfo', 'utf8').split('\n')) {
    const [before = '', after = ''] = line.split(' - ');
    const [kind, , options = ''] = after.split(' ');
    const mount = before.split(' ')[4];
    if (mount === undefined) continue;
    if (kind === 'cgroup2' || (kind === 'cgroup' && options.split(',').includes('pids'))) parents.push(mount);
  }
  return parents;
}
