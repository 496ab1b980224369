/**
 * Remembers on disk that something runs in a workspace, and since when. A mark whose process is gone means that we were killed
 * meanwhile: what has changed since then was nobody's decision.
 */
import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder } from '../../base/make-private-folder.ts';

export type RunningMarks = {
  /** Returns what takes the mark away. */
  set(workspace: string, sinceMs: number): () => void;
  /** Since when commands, of whatever process, may have changed files; Infinity when none runs and none was cut off. */
  sinceMs(workspace: string): number;
  /** Whether a process was killed while something ran; `drop` forgets it once what it left was looked at. */
  hasDead(workspace: string): boolean;
  dropDead(workspace: string): void;
};

type Mark = { readonly sinceMs: number; readonly pid: number; readonly bornAt: string };

/** Short, and the same for every process. */
export function workspaceKey(workspace: string): string {
  return createHash('sha256').update(workspace, 'latin1').digest('hex').slice(0, 20);
}

export function createRunningMarks(folder: string): RunningMarks {
  const self = { pid: process.pid, bornAt: bornAt(process.pid) ?? '' };
  /** Those of this process, which need no disk. */
  const own = new Map<string, Mark>();
  let isMade = false;

  function read(workspace: string): { file: string; mark: Mark }[] {
    const prefix = join(folder, `${workspaceKey(workspace)}.`);
    const files = new Set([...own.keys(), ...list(folder).map((name) => join(folder, name))]);
    return [...files]
      .filter((file) => file.startsWith(prefix))
      .flatMap((file) => {
        const mark = own.get(file) ?? readMark(file);
        return mark === undefined ? [] : [{ file, mark }];
      });
  }

  return {
    set(workspace, sinceMs) {
      const file = join(folder, `${workspaceKey(workspace)}.${randomUUID()}`);
      const mark: Mark = { sinceMs, ...self };
      own.set(file, mark);
      try {
        if (!isMade) makePrivateFolder(folder);
        isMade = true;
        writeFileSync(file, JSON.stringify(mark), { mode: 0o600, flag: 'wx' });
      } catch {
        // A full disk: the command that makes room must run. Only a kill of this very process would go unnoticed.
      }
      return () => {
        own.delete(file);
        rmSync(file, { force: true });
      };
    },
    sinceMs: (workspace) => Math.min(...read(workspace).map(({ mark }) => mark.sinceMs)),
    hasDead: (workspace) => read(workspace).some(isDead),
    dropDead(workspace) {
      for (const each of read(workspace)) if (isDead(each)) rmSync(each.file, { force: true });
    },
  };
}

function isDead({ mark }: { readonly mark: Mark }): boolean {
  return bornAt(mark.pid) !== mark.bornAt;
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Not made yet: nothing ran.
    return [];
  }
}

function readMark(file: string): Mark | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Mark;
  } catch {
    // Taken away by its owner meanwhile. One that is cut off was being written when we were killed: nothing ran yet.
    return undefined;
  }
}

/** proc(5), field 22 of /proc/PID/stat: tells a process from a later one with its number. Undefined: there is none. */
function bornAt(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    // No such process.
    return undefined;
  }
}
