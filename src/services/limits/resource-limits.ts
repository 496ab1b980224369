/** Limits that each process carries itself (setrlimit(2)), as words for a POSIX shell: the first process sets them for all others. */
import { release } from 'node:os';
import type { LimitFigures } from './limit-figures.ts';

export type ResourceLimitOptions = {
  readonly figures: LimitFigures;
  /** RLIMIT_NPROC counts all of a user's processes unless the command has a user namespace of its own. */
  readonly processes: number | undefined;
  /** Where no control group holds the sum: programs that ask for too much are at least told so. */
  readonly limitsData: boolean;
  readonly mostOpenFiles: number;
  /** The user's own environment: only what guards the machine is set. */
  readonly isOnHost: boolean;
};

/** Programs that close every descriptor they might have are slow with a large one; those that need more ask for it. */
const softOpenFiles = 4096;
/** First in line when the machine itself runs out of memory, before our program and the user's (proc(5), oom_score_adj). */
const killedFirst = 500;

/**
 * One line. `ulimit -f` and `-c` count blocks of 512 bytes in dash and busybox, and in bash where it is /bin/sh (POSIX mode);
 * `-d` counts kilobytes everywhere. The number of processes is `-u` in bash, `-p` in dash and busybox.
 * What cannot be set (a hard limit that is lower already) stays as it is.
 * RLIMIT_DATA counts what is private and writable, not what is reserved; soft, so that a program made to map terabytes it never
 * touches (a sanitizer) can be let do so. RLIMIT_AS would break every program that reserves address space.
 */
export function resourceLimitScript(options: ResourceLimitOptions): string {
  const { figures, processes } = options;
  const openFiles = Math.min(figures.openFiles, options.mostOpenFiles);
  return [
    ...(options.isOnHost ? [] : ['ulimit -c 0']),
    ...(processes === undefined ? [] : [`{ ulimit -u ${processes} || ulimit -p ${processes}; }`]),
    `ulimit -f ${Math.ceil(figures.fileBytes / 512)}`,
    ...(options.limitsData ? [`ulimit -S -d ${Math.ceil(figures.memoryBytes / 1024)}`] : []),
    ...(options.isOnHost ? [] : [`ulimit -S -n ${Math.min(softOpenFiles, openFiles)}`]),
    `ulimit -H -n ${openFiles}`,
    `echo ${killedFirst} >/proc/self/oom_score_adj`,
  ].join('; ');
}

/** From Linux 5.14 on RLIMIT_NPROC is counted per user namespace; before, a user's whole session would count. */
export function hasLimitPerNamespace(kernel = release()): boolean {
  const [major = 0, minor = 0] = kernel.split('.').map(Number);
  return major > 5 || (major === 5 && minor >= 14);
}
