/** What is written into a control group to limit it, in order; one list per version and controller. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Controller } from './find-hierarchies.ts';
import { type GroupFiles, tryWrite } from './group-files.ts';
import type { LimitFigures } from './limit-figures.ts';

/** Not necessary: where the kernel does not have it, the rest holds all the same. */
type Write = { readonly file: string; readonly text: string; readonly isOptional?: true };

const periodMicroseconds = 100_000;
const leastQuotaMicroseconds = 1000;

/**
 * Of all that one program of ours runs. In version 1 its neighbours are single processes with 1024 for each processor they run
 * on, in version 2 groups with 100: a little less than those, since a build must get on while others work, too.
 */
const lowSharesPerProcessor = 768;
const lowWeight = 75;

/** False when the limit cannot be had here. */
export function writeLimit(
  files: GroupFiles,
  folder: string,
  which: { readonly version: 1 | 2; readonly controller: Controller },
  figures: LimitFigures,
): boolean {
  const writes = which.version === 1 ? versionOne(which.controller, figures) : versionTwo(which.controller, figures);
  return writes.every(({ file, text, isOptional }) => tryWrite(files, join(folder, file), text) || isOptional === true);
}

/** So that our faces answer while commands use every processor. */
export function writeLowWeight(files: GroupFiles, folder: string, version: 1 | 2): boolean {
  return version === 1
    ? tryWrite(files, join(folder, 'cpu.shares'), `${lowSharesPerProcessor * availableParallelism()}`)
    : tryWrite(files, join(folder, 'cpu.weight'), `${lowWeight}`);
}

/** Kernel documentation, admin-guide/cgroup-v1. Memory first: the sum with swap may not be below it. */
function versionOne(controller: Controller, figures: LimitFigures): readonly Write[] {
  switch (controller) {
    case 'memory':
      return [
        { file: 'memory.limit_in_bytes', text: `${figures.memoryBytes}` },
        { file: 'memory.memsw.limit_in_bytes', text: `${figures.memoryBytes}`, isOptional: true },
      ];
    case 'pids':
      return [{ file: 'pids.max', text: `${figures.processes}` }];
    case 'cpu':
      return figures.cpus === undefined
        ? []
        : [
            { file: 'cpu.cfs_period_us', text: `${periodMicroseconds}` },
            { file: 'cpu.cfs_quota_us', text: `${quota(figures.cpus)}` },
          ];
  }
}

/** Kernel documentation, admin-guide/cgroup-v2. */
function versionTwo(controller: Controller, figures: LimitFigures): readonly Write[] {
  switch (controller) {
    case 'memory':
      return [
        { file: 'memory.max', text: `${figures.memoryBytes}` },
        { file: 'memory.swap.max', text: '0', isOptional: true },
        // One process is killed, the biggest, and not all: the shell around it goes on.
        { file: 'memory.oom.group', text: '0', isOptional: true },
      ];
    case 'pids':
      return [{ file: 'pids.max', text: `${figures.processes}` }];
    case 'cpu':
      return figures.cpus === undefined
        ? []
        : [{ file: 'cpu.max', text: `${quota(figures.cpus)} ${periodMicroseconds}` }];
  }
}

function quota(cpus: number): number {
  return Math.max(leastQuotaMicroseconds, Math.round(cpus * periodMicroseconds));
}
