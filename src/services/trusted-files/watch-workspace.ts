/** Keeps an eye on the trusted files of one workspace: what is the user's, and what a command made of it. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { look, NotThere, toText } from './byte-paths.ts';
import type { AcceptedFiles } from './accepted-files.ts';
import type { AsideStore } from './aside-store.ts';
import type { FileType } from './folder-role.ts';
import { isUnchanged, knownFrom, readContent } from './known-file.ts';
import { type Found, lookThrough, tickMs } from './look-through.ts';
import { findNamedFiles } from './named-files.ts';
import type { RunningMarks } from './running-marks.ts';
import type { SavedIndex, WorkspaceIndex } from './saved-index.ts';
import { type AsideNote, setAside } from './set-aside.ts';

export type WatchParts = {
  readonly store: AsideStore;
  readonly marks: RunningMarks;
  readonly saved: SavedIndex;
  readonly accepted: AcceptedFiles;
  readonly maxFolders: number;
  readonly now: () => number;
};

export type WorkspaceWatch = {
  /** Before a command: what has changed until now is the user's doing. Notes are about what a run that was cut off has left. */
  before(): Promise<{ readonly release: () => void; readonly notes: readonly AsideNote[] }>;
  /** Looks at what commands made since the earliest that may still run, and sets it aside. */
  check(): Promise<readonly AsideNote[]>;
  /** Waits for the looks that are being taken, and keeps what is known. From then on nothing is written any more. */
  close(): Promise<void>;
};

/** Files that name files that name files: beyond this nobody means it. */
const maxPasses = 4;

/** Of the workspace as it is now: another folder in its place has other files. */
function identityOf(workspace: string): string {
  const stats = look(workspace);
  return stats === undefined ? '' : `${stats.dev}:${stats.ino}`;
}

export function createWorkspaceWatch(workspace: string, parts: WatchParts): WorkspaceWatch {
  const { marks, saved } = parts;
  let index: WorkspaceIndex | undefined;
  let named = new Map<string, FileType>();
  let isSaved = true;
  let areFoldersSaved = true;
  let isCutShort = false;
  let isClosed = false;
  let inTurn: Promise<unknown> = Promise.resolve();

  /** One pass at a time: two would set the same file aside twice. */
  function takeTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = inTurn.then(work);
    inTurn = result.catch(() => undefined); // Its own caller hears of it.
    return result;
  }

  /** What changed later is a command's doing. A clock that was set back says nothing: then everything that changed is. */
  function since(): number {
    const sinceMs = marks.sinceMs(workspace);
    return Number.isFinite(sinceMs) && parts.now() < sinceMs ? 0 : sinceMs;
  }

  async function open(): Promise<WorkspaceIndex> {
    if (index === undefined) {
      index = saved.load(workspace, identityOf(workspace)) ?? { folders: new Map(), files: new Map() };
      updateNamed(index);
      if (index.folders.size === 0) await passes(index);
    }
    return index;
  }

  /** Whether it is other files now. */
  function updateNamed({ files, folders }: WorkspaceIndex): boolean {
    const found = findNamedFiles(files, folders, workspace);
    const isSame = found.size === named.size && [...found].every(([path, type]) => named.get(path) === type);
    if (isSame) return false;
    // The folders around were listed without knowing of them.
    for (const path of [...named.keys(), ...found.keys()]) {
      folders.delete(path);
      folders.delete(path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '');
    }
    named = found;
    return true;
  }

  function save(known: WorkspaceIndex): void {
    if (!isSaved && !isClosed) saved.save(workspace, identityOf(workspace), known);
    isSaved = true;
  }

  /** A file that another one names is known by the next pass only, and may name further ones. */
  async function passes(known: WorkspaceIndex): Promise<readonly AsideNote[]> {
    const notes: AsideNote[] = [];
    for (let count = 0; count < maxPasses; count += 1) {
      notes.push(...(await pass(known)));
      if (!updateNamed(known)) break;
    }
    save(known);
    return notes;
  }

  /** Everything that is there, whole. What nobody's command can have made becomes known; the rest is set aside. */
  async function pass(known: WorkspaceIndex): Promise<readonly AsideNote[]> {
    const walk = lookThrough({ workspace, folders: known.folders, named, maxFolders: parts.maxFolders });
    let step = walk.next();
    for (; step.done !== true; step = walk.next()) await nextTurn();
    const { found, isWhole, isNew } = step.value;
    areFoldersSaved &&= !isNew;
    const sinceMs = since();
    const notes: AsideNote[] = [];
    const there = new Set(found.map(({ path }) => path));
    for (const each of found) {
      const note = judgeFound(each, known, sinceMs);
      if (note !== undefined) notes.push(note);
    }
    for (const path of known.files.keys()) {
      if (there.has(path)) continue;
      known.files.delete(path);
      isSaved = false;
    }
    isCutShort = !isWhole;
    return notes;
  }

  function judgeFound(each: Found, known: WorkspaceIndex, sinceMs: number): AsideNote | undefined {
    const before = known.files.get(each.path);
    if (before !== undefined && isUnchanged(before, each.stats)) return undefined;
    isSaved = false;
    const now = readContent(`${workspace}/${each.path}`);
    if (now === undefined) return undefined;
    const current = knownFrom(now.content, now.stats);
    const isUsers = Math.max(each.movedMs, now.stats.ctimeMs) < sinceMs;
    const isAccepted = parts.accepted.has(workspace, each.path, now.content.hash);
    if (isUsers || isAccepted) {
      known.files.set(each.path, current);
      return undefined;
    }
    try {
      const { note, left } = setAside({
        ...each,
        workspace,
        before,
        current,
        folders: known.folders,
        store: parts.store,
      });
      if (left === undefined) known.files.delete(each.path);
      else known.files.set(each.path, left);
      return note;
    } catch (error) {
      if (!(error instanceof NotThere) && (error as NodeJS.ErrnoException).code === undefined) throw error;
      const why = error instanceof NotThere ? 'it keeps changing' : ((error as NodeJS.ErrnoException).code ?? '');
      return { path: toText(each.path), id: undefined, text: `could not be set aside (${why}); do not trust it` };
    }
  }

  /** Only what is known already: cheap enough to be done before every command. */
  function adoptUsersChanges({ files }: WorkspaceIndex): void {
    const sinceMs = since();
    for (const [path, file] of files) {
      const stats = look(`${workspace}/${path}`);
      if (stats === undefined || isUnchanged(file, stats) || stats.isDirectory() || stats.ctimeMs >= sinceMs) continue;
      const now = readContent(`${workspace}/${path}`);
      if (now === undefined || now.stats.ctimeMs >= sinceMs) continue;
      files.set(path, knownFrom(now.content, now.stats));
      isSaved = false;
    }
  }

  return {
    before: () =>
      takeTurn(async () => {
        const known = await open();
        const hasDead = marks.hasDead(workspace);
        adoptUsersChanges(known);
        const notes = updateNamed(known) || hasDead ? await passes(known) : [];
        if (hasDead) marks.dropDead(workspace);
        save(known);
        return { release: marks.set(workspace, parts.now() - tickMs), notes };
      }),
    check: () =>
      takeTurn(async () => {
        const notes = await passes(await open());
        return isCutShort ? [...notes, cutShort(parts.maxFolders)] : notes;
      }),
    async close() {
      for (let last; last !== inTurn;) {
        last = inTurn;
        await last;
      }
      if (index !== undefined && !areFoldersSaved && !isClosed) saved.save(workspace, identityOf(workspace), index);
      isClosed = true;
    },
  };
}

function cutShort(maxFolders: number): AsideNote {
  const text = `has more than ${maxFolders.toLocaleString('en-US')} folders; files that this machine obeys were looked for in the first of them only`;
  return { path: 'the workspace', id: undefined, text };
}
