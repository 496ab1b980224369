/** The folder of one userland: drafts that become it in one step, its record, its downloads, and the removal of all that. */
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { RunAs } from '../sandbox/run-as.ts';
import {
  currentIn,
  readUserlandRecord,
  recordIn,
  treeIn,
  type UserlandRecord,
  userlandFolderFor,
} from '../sandbox/userland-place.ts';
import { endInhabitants, treeMounts } from './end-inhabitants.ts';

export type Draft = {
  /** Empty; becomes the root. */
  readonly tree: string;
  /** Puts tree and record in the place of what is there, and ends every process that has that as its root. */
  finish(record: UserlandRecord): Promise<void>;
};

export type UserlandStore = {
  readonly runAs: RunAs;
  readonly folder: string;
  readonly tree: string;
  readonly downloads: string;
  /** Made when missing: an empty folder of the user's, where a workspace would stand. */
  systemFolder(): string;
  record(): UserlandRecord | undefined;
  /** A tree without a record that can be read counts too. */
  exists(): boolean;
  update(change: Partial<UserlandRecord>): UserlandRecord;
  newDraft(): Draft;
  /** What an installation that was killed has left. Only while nobody else installs. */
  removeLeftovers(): void;
  /** The tree and its record; the downloads too when nothing shall stay. False when there was none. */
  remove(what: 'tree' | 'everything'): Promise<boolean>;
};

export function openUserlandStore(homeFolder: string, runAs: RunAs): UserlandStore {
  const folder = userlandFolderFor(homeFolder, runAs);
  const downloads = join(folder, 'downloads');

  const makeOwnFolder = (path: string): string => makeUserFolder(folder, path, runAs);

  /**
   * First it gets another name, so that nothing can begin in it any more; then those end who still have it as their root. As
   * root we would follow a link that one of them puts into the way of the removal. `next`: what takes its place at once.
   */
  async function replaceCurrent(next?: string): Promise<void> {
    const current = currentIn(folder);
    const old = join(folder, `old-${randomUUID()}`);
    const wasThere = existsSync(current);
    if (wasThere) renameSync(current, old);
    if (next !== undefined) renameSync(next, current);
    if (!wasThere) return;
    await endInhabitants(treeMounts(join(old, 'root')));
    removeTree(old);
  }

  return {
    runAs,
    folder,
    tree: treeIn(folder),
    get downloads() {
      return makeOwnFolder(downloads);
    },
    systemFolder() {
      const path = join(makeOwnFolder(folder), 'system');
      if (!existsSync(path)) {
        mkdirSync(path, { mode: 0o700 });
        if (runAs.manner === 'dropped') chownSync(path, runAs.uid, runAs.gid);
      }
      return path;
    },
    record: () => readUserlandRecord(folder),
    exists: () => existsSync(currentIn(folder)),
    update(change) {
      const known = readUserlandRecord(folder);
      if (known === undefined) throw new Error('there is no record to change');
      const record = { ...known, ...change };
      writeRecord(recordIn(folder), record);
      return record;
    },
    newDraft: () => beginDraft(folder, makeOwnFolder, replaceCurrent),
    removeLeftovers() {
      if (!existsSync(folder)) return;
      for (const name of readdirSync(folder)) if (/^(draft|old)-/.test(name)) removeTree(join(folder, name));
    },
    async remove(what) {
      const wasThere = existsSync(currentIn(folder));
      await replaceCurrent();
      if (what === 'everything' && existsSync(folder)) removeTree(folder);
      return wasThere;
    },
  };
}

/** Ours, and not the user's: who walks through it, by a door that only root opens, cannot write in it. */
function makeUserFolder(folder: string, path: string, runAs: RunAs): string {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  for (const step of [folder, path]) {
    mkdirSync(step, { recursive: true, mode: 0o700 });
    if (runAs.manner === 'dropped') chmodSync(step, 0o755);
  }
  return path;
}

function beginDraft(
  folder: string,
  makeOwnFolder: (path: string) => string,
  replaceCurrent: (next: string) => Promise<void>,
): Draft {
  const path = makeOwnFolder(join(folder, `draft-${randomUUID()}`));
  const tree = makeOwnFolder(join(path, 'root'));
  return {
    tree,
    async finish(record) {
      writeRecord(join(path, 'record.json'), record);
      await replaceCurrent(path);
    },
  };
}

function writeRecord(path: string, record: UserlandRecord): void {
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, `${JSON.stringify(record, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}

/** Also what its owner made unwritable for itself: `chmod 000` inside must not keep a tree alive. */
export function removeTree(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
    return;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'ENOTEMPTY') throw error;
  }
  openFolders(path);
  rmSync(path, { recursive: true, force: true });
}

function openFolders(path: string): void {
  const info = lstatSync(path, { throwIfNoEntry: false });
  if (info?.isDirectory() !== true) return;
  if ((info.mode & 0o700) !== 0o700) chmodSync(path, 0o700);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) openFolders(join(path, entry.name));
  }
}
