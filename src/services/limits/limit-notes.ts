/** What people and models are told when a limit was hit: which one, how much it is, and the setting that raises it. */
import { bytesPerMegabyte, type LimitFigures } from './limit-figures.ts';

/** What a command has shown of itself. */
export type Seen = {
  /** The beginning and the end are enough. */
  readonly stderr: string;
  readonly exitCode: number | null;
};

const megabytes = (bytes: number): string => `${Math.ceil(bytes / bytesPerMegabyte)} MB`;
const key = (name: string): string => `sandbox.limits.${name}`;

export function memoryNote(figures: LimitFigures): string {
  return `Memory ran out: the command may use ${megabytes(figures.memoryBytes)} in all, files in /tmp included, and its biggest process was killed for asking for more (${key('memoryMegabytes')}).`;
}

/** Where the kernel's count is gone with the group: a guess, and said as one. */
export function killedNote({ stderr, exitCode }: Seen, figures: LimitFigures): string | undefined {
  return exitCode === 137 || /(^|\s)Killed(\s|$)/.test(stderr)
    ? `A process was killed. If the command did not do so itself, memory ran out: it may use ${megabytes(figures.memoryBytes)} in all (${key('memoryMegabytes')}).`
    : undefined;
}

export function memoryFilesNote(figures: LimitFigures): string {
  return `Memory ran out: files in /tmp and /dev/shm are kept in memory, of which the command may use ${megabytes(figures.memoryBytes)} in all (${key('memoryMegabytes')}), so it was ended. Use the workspace for large files.`;
}

export function processNote(figures: LimitFigures): string {
  return `The sandbox allows ${figures.processes} processes and threads at once, and the command asked for more (${key('processes')}).`;
}

export function diskNote(figures: LimitFigures, path: string): string {
  return `The command was ended: the disk that holds ${path} became more than ${megabytes(figures.diskBytes)} fuller while it ran (${key('diskMegabytes')}).`;
}

export function freeDiskNote(figures: LimitFigures, path: string, freeBytes: number): string {
  return `The command was ended: only ${megabytes(freeBytes)} of the disk that holds ${path} were free, and ${megabytes(figures.freeBytes)} are kept (${key('freeMegabytes')}). Remove files before going on.`;
}

export function filesNote(figures: LimitFigures, path: string): string {
  return `The command was ended: the file system that holds ${path} got more than ${figures.files} new files while it ran (${key('files')}).`;
}

export function freeFilesNote(figures: LimitFigures, path: string, freeFiles: number): string {
  return `The command was ended: the disk that holds ${path} had room for only ${freeFiles} more files, and room for ${figures.freeFiles} is kept (${key('freeFiles')}). Remove files before going on.`;
}

/** Limits of single processes leave no count behind: what programs say about them must do. */
export function notesFromWords(seen: Seen, figures: LimitFigures): string[] {
  const { stderr, exitCode } = seen;
  const notes: string[] = [];
  // 128 + SIGXFSZ, and EFBIG where that signal is ignored.
  if (exitCode === 153 || /File size limit exceeded|File too large|EFBIG/.test(stderr)) {
    notes.push(
      `A single file may have ${megabytes(figures.fileBytes)}, and the command wanted a larger one (${key('fileMegabytes')}).`,
    );
  }
  if (/Too many open files|EMFILE/.test(stderr)) {
    notes.push(
      `One process may have ${figures.openFiles} files open (raise its own limit with ulimit -n first), and the command wanted more (${key('openFiles')}).`,
    );
  }
  if (isProcessLimitMessage(stderr)) notes.push(processNote(figures));
  return notes;
}

/** What the shell and its children say when they cannot fork. */
export const isProcessLimitMessage = (stderr: string): boolean =>
  /fork: .*Resource temporarily unavailable|Cannot fork|pthread_create.*(failed|temporarily)|can't start new thread|spawn \S+ EAGAIN/.test(
    stderr,
  );

/** Of a single process's data (RLIMIT_DATA), where no control group holds the sum. */
export function dataNote(stderr: string, figures: LimitFigures): string | undefined {
  return /MemoryError|[Cc]annot allocate memory|std::bad_alloc|[Oo]ut of memory|failed to allocate/.test(stderr)
    ? `One process may allocate ${megabytes(figures.memoryBytes)} of memory, and the command wanted more (${key('memoryMegabytes')}). One that only reserves it, such as a sanitizer, runs after ulimit -S -d unlimited.`
    : undefined;
}
