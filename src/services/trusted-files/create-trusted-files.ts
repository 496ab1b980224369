/**
 * Files that the machine later obeys: a command may make or change them, but they do not stay before the user has looked.
 * What a command made is told from the user's own work by the ctime of files and folders, which no program can set back.
 */
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { AsideFiles } from '../../contract/trusted.ts';
import { createAcceptedFiles } from './accepted-files.ts';
import { createAsideStore } from './aside-store.ts';
import { toBytes } from './byte-paths.ts';
import { createAsideFiles } from './decide-aside.ts';
import { hashOf } from './known-file.ts';
import { createRunningMarks } from './running-marks.ts';
import { createSavedIndex } from './saved-index.ts';
import type { AsideNote } from './set-aside.ts';
import { createWorkspaceWatch, type WorkspaceWatch } from './watch-workspace.ts';

export type TrustedFilesOptions = {
  /** Ours alone. Made when something is to be kept. */
  readonly folder: string;
  /** Omitted: 50,000. */
  readonly maxFolders?: number;
  /** How often is looked while something runs for long. Omitted: 5 s. */
  readonly intervalMs?: number;
  readonly now?: () => number;
};

/** One command, job or terminal. */
export type TrustedRun = {
  /** Looks now. Plain sentences for the result, about what was set aside since they were asked for last. */
  check(): Promise<readonly string[]>;
  /** The same once more, and then no longer. Everything it has started must have ended. */
  end(): Promise<readonly string[]>;
  /** What it has started goes on: looked at now and then until `isOver` says so, and told with a later result. */
  endWhen(isOver: () => boolean): void;
};

export type TrustedFiles = AsideFiles & {
  /** Must have resolved before the command starts. Never rejects for what lies in the workspace. */
  begin(workspace: string): Promise<TrustedRun>;
  /** A granted call of the file tools writes this there. */
  approve(workspace: string, realPath: string, bytes: Uint8Array): void;
  /** After everything that it watches over has ended. Nothing is written any more when this resolves. */
  close(): Promise<void>;
};

const usualMaxFolders = 50_000;
const usualIntervalMs = 5_000;
const maxNamed = 10;

export function createTrustedFiles(options: TrustedFilesOptions): TrustedFiles {
  const store = createAsideStore(join(options.folder, 'aside'));
  const marks = createRunningMarks(join(options.folder, 'running'));
  const accepted = createAcceptedFiles(options.folder);
  const parts = {
    ...{ store, marks, accepted, saved: createSavedIndex(join(options.folder, 'index')) },
    maxFolders: options.maxFolders ?? usualMaxFolders,
    now: options.now ?? Date.now,
  };
  const watches = new Map<string, WorkspaceWatch>();
  const pending = new Map<string, AsideNote[]>();
  /** Ends each that has not ended yet. */
  const open = new Set<() => Promise<void>>();

  function watchOf(workspace: string): WorkspaceWatch {
    const watch = watches.get(workspace) ?? createWorkspaceWatch(workspace, parts);
    watches.set(workspace, watch);
    return watch;
  }

  const remember = (workspace: string, notes: readonly AsideNote[]): void => {
    pending.set(workspace, [...(pending.get(workspace) ?? []), ...notes]);
  };

  function takeNotes(workspace: string): readonly string[] {
    const notes = pending.get(workspace) ?? [];
    pending.delete(workspace);
    return describe(notes);
  }

  return {
    ...createAsideFiles(store, accepted),
    async begin(folder) {
      const workspace = toBytes(realOrSame(folder));
      const watch = watchOf(workspace);
      const { release, notes } = await watch.before();
      remember(workspace, notes);
      return createRun({
        look: async () => remember(workspace, await watch.check()),
        takeNotes: () => takeNotes(workspace),
        release,
        open,
        intervalMs: options.intervalMs ?? usualIntervalMs,
      });
    },
    approve(folder, realPath, bytes) {
      const workspace = toBytes(folder);
      const path = toBytes(realPath);
      if (path.startsWith(`${workspace}/`))
        accepted.addForNow(workspace, path.slice(workspace.length + 1), hashOf(bytes));
    },
    async close() {
      // A mark that stayed would make what the user does from now on look like a command's doing.
      await Promise.allSettled([...open].map((finish) => finish()));
      await Promise.all([...watches.values()].map((watch) => watch.close()));
    },
  };
}

type RunParts = {
  look(): Promise<void>;
  takeNotes(): readonly string[];
  readonly release: () => void;
  readonly open: Set<() => Promise<void>>;
  readonly intervalMs: number;
};

function createRun({ look, takeNotes, release, open, intervalMs }: RunParts): TrustedRun {
  let isOver = (): boolean => false;
  let isLooking = false;
  const timer = setInterval(() => {
    // Not before the end of a look that takes longer than the interval.
    if (isLooking) return;
    isLooking = true;
    // What keeps a look from being taken shows with the next command.
    void (isOver() ? finish() : look()).catch(() => undefined).finally(() => (isLooking = false));
  }, intervalMs).unref();
  let ending: Promise<void> | undefined;
  const finish = (): Promise<void> => (ending ??= takeLastLook());
  open.add(finish);

  async function takeLastLook(): Promise<void> {
    clearInterval(timer);
    try {
      await look();
    } finally {
      release();
      open.delete(finish);
    }
  }

  return {
    async check() {
      await look();
      return takeNotes();
    },
    async end() {
      await finish();
      return takeNotes();
    },
    endWhen: (condition) => void (isOver = condition),
  };
}

function describe(notes: readonly AsideNote[]): readonly string[] {
  const lines = notes.slice(0, maxNamed).map(({ path, id, text }) => {
    if (id === undefined) return `${path}: ${text}.`;
    return `set aside: ${path} (${text}); for the user: \`handrail trusted show ${id}\`.`;
  });
  const more = notes.length - lines.length;
  if (more > 0) lines.push(`set aside: ${more} more files; \`handrail trusted list\` shows them.`);
  const [first] = notes.flatMap(({ id }) => id ?? []);
  if (first === undefined) return lines;
  return [
    ...lines,
    `This machine would obey what was set aside, so only the user can put it back (\`handrail trusted accept ${notes.length === 1 ? first : 'ID'}\`). Go on without it, or ask the user.`,
  ];
}

/** One that is gone has no files; whoever runs the command says so better. */
function realOrSame(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
