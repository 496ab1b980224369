/** How full the file systems that a command can write are, and whether it has gone too far (statfs(2)). */
import { stat, statfs } from 'node:fs/promises';
import type { LimitFigures } from './limit-figures.ts';
import { diskNote, filesNote, freeDiskNote, freeFilesNote } from './limit-notes.ts';

export type DiskLook = {
  /** The same for every path on one file system. */
  readonly device: number;
  /** Kept in memory: what it holds is memory, and ends with the sandbox. */
  readonly isMemory: boolean;
  readonly freeBytes: number;
  readonly usedBytes: number;
  readonly freeFiles: number;
  readonly usedFiles: number;
  /** File systems that make room for files as they go (btrfs) do not count them. */
  readonly countsFiles: boolean;
};

const tmpfsMagic = 0x01021994;

/** Undefined when the path is gone, or a server behind it does not answer with anything of use. */
export async function lookAtDisk(path: string): Promise<DiskLook | undefined> {
  try {
    const [figures, { dev }] = await Promise.all([statfs(path), stat(path)]);
    return {
      device: dev,
      isMemory: figures.type === tmpfsMagic,
      freeBytes: figures.bavail * figures.bsize,
      usedBytes: (figures.blocks - figures.bfree) * figures.bsize,
      freeFiles: figures.ffree,
      usedFiles: figures.files - figures.ffree,
      countsFiles: figures.files > 0,
    };
  } catch {
    // The command may have ended, and its sandbox with it.
    return undefined;
  }
}

/** The sentence to end it with; undefined when it may go on. */
export function judgeDisk(
  path: string,
  { before, now }: { readonly before: DiskLook; readonly now: DiskLook },
  figures: LimitFigures,
): string | undefined {
  if (now.countsFiles && before.freeFiles - now.freeFiles > figures.files) return filesNote(figures, path);
  // Its size is limited when it is made, and it counts as memory.
  if (now.isMemory) return undefined;
  const taken = before.freeBytes - now.freeBytes;
  if (taken > figures.diskBytes) return diskNote(figures, path);
  if (taken > 0 && now.freeBytes < floorOf(figures.freeBytes, before.freeBytes)) {
    return freeDiskNote(figures, path, now.freeBytes);
  }
  const takenFiles = before.freeFiles - now.freeFiles;
  if (now.countsFiles && takenFiles > 0 && now.freeFiles < floorOf(figures.freeFiles, before.freeFiles)) {
    return freeFilesNote(figures, path, now.freeFiles);
  }
  return undefined;
}

/** A disk that was fuller than that to begin with must not stop every command: one that tidies up writes a little, too. */
function floorOf(wanted: number, before: number): number {
  return Math.min(wanted, before / 2);
}
