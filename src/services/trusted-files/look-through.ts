/**
 * Goes through the folders of a workspace and finds the trusted files in them. A folder is listed again only when its ctime
 * moved: no program can set that back (utimensat(2) changes the other times only).
 */
import type { Stats } from 'node:fs';
import { type Entry, joinBytes, listNames, look } from './byte-paths.ts';
import { mayBeTrustedName } from '../files/trusted-paths.ts';
import { type FileType, looksLikeGit, type Role, roleOfFolder, typeOfFile } from './folder-role.ts';

/** What is known of a folder since it was listed last. */
export type Folder = {
  readonly ino: number;
  readonly ctimeMs: number;
  readonly role: Role;
  /** What the folder around it was: a change of that changes what its own files are. */
  readonly parent: Role;
  /** It may have changed again within the same tick of the kernel's clock: its ctime says nothing yet. */
  readonly isFresh: boolean;
  readonly folders: readonly string[];
  /** Those in which other rules hold than in an ordinary folder. */
  readonly urgent: readonly string[];
  readonly files: readonly string[];
};

export type Folders = Map<string, Folder>;

export type Found = {
  /** Below the workspace, as bytes. */
  readonly path: string;
  readonly type: FileType;
  readonly stats: Stats;
  /** When something on the way to it came into its place last, as far as that is not known from before. */
  readonly movedMs: number;
};

export type Looked = {
  readonly found: readonly Found[];
  /** False: there are more folders than are looked at. */
  readonly isWhole: boolean;
  /** Whether `folders` is not what it was. */
  readonly isNew: boolean;
};

export type LookOptions = {
  /** Absolute, as bytes. */
  readonly workspace: string;
  readonly folders: Folders;
  /** Files and folders that a setting of the user's names: trusted whatever they are called. */
  readonly named: ReadonlyMap<string, FileType>;
  readonly maxFolders: number;
};

/** The kernel stamps by its tick, up to 10 ms behind (ktime_get_coarse); several times that, for a slow machine. */
export const tickMs = 50;
const foldersAtOnce = 400;

type Step = { readonly path: string; readonly parent: Role; readonly movedMs: number };

/** Yields now and then, so that other work gets its turn. Returns what there is; `folders` is brought up to date. */
export function* lookThrough(options: LookOptions): Generator<undefined, Looked> {
  const { workspace, folders } = options;
  const found: Found[] = [];
  const seen = new Set<string>();
  let isNew = false;
  const plain: Step[] = [{ path: '', parent: 'plain', movedMs: 0 }];
  // First where everything counts: a command that makes a hundred thousand folders hides nothing there. The named ones may lie
  // where nobody looks otherwise (node_modules).
  const urgent: Step[] = [...options.named.keys()].map((path) => ({ path, parent: 'plain', movedMs: 0 }));
  let [urgentAt, plainAt] = [0, 0];
  // By breadth: what lies deepest in a tree that is too large is what is left out.
  while (urgentAt + plainAt < options.maxFolders) {
    if ((urgentAt + plainAt) % foldersAtOnce === foldersAtOnce - 1) yield;
    const step = urgent[urgentAt] ?? plain[plainAt];
    if (step === undefined) break;
    if (urgentAt < urgent.length) urgentAt += 1;
    else plainAt += 1;
    const stats = seen.has(step.path) ? undefined : look(step.path === '' ? workspace : `${workspace}/${step.path}`);
    if (stats === undefined || !stats.isDirectory()) continue;
    seen.add(step.path);
    const known = folders.get(step.path);
    const folder = isSame(known, step.parent, stats) ? known : list(step, stats, options);
    if (folder === undefined) continue;
    if (folder !== known) {
      folders.set(step.path, folder);
      isNew = true;
    }
    const isKnown = known !== undefined && known.ino === folder.ino && known.role === folder.role;
    const movedMs = isKnown ? step.movedMs : Math.max(step.movedMs, stats.ctimeMs);
    for (const name of folder.urgent) urgent.push({ path: joinBytes(step.path, name), parent: folder.role, movedMs });
    for (const name of folder.folders) {
      const path = joinBytes(step.path, name);
      // And in what was there before.
      (folders.has(path) ? urgent : plain).push({ path, parent: folder.role, movedMs });
    }
    for (const name of folder.files) {
      const file = lookAt(joinBytes(step.path, name), folder.role, movedMs, options);
      if (file !== undefined) found.push(file);
    }
  }
  for (const path of folders.keys()) {
    if (seen.has(path)) continue;
    folders.delete(path);
    isNew = true;
  }
  return { found, isWhole: urgent.length + plain.length <= options.maxFolders, isNew };
}

function isSame(known: Folder | undefined, parent: Role, stats: Stats): known is Folder {
  if (known === undefined || known.isFresh || known.parent !== parent) return false;
  return known.ino === stats.ino && known.ctimeMs === stats.ctimeMs;
}

function lookAt(path: string, role: Role, movedMs: number, options: LookOptions): Found | undefined {
  const type = options.named.get(path) ?? typeOfFile(role, path.split('/'));
  const stats = type === undefined ? undefined : look(`${options.workspace}/${path}`);
  if (type === undefined || stats === undefined || stats.isDirectory()) return undefined;
  return { path, type, stats, movedMs: Math.max(movedMs, stats.ctimeMs) };
}

function list(step: Step, stats: Stats, options: LookOptions): Folder | undefined {
  const listedAt = Date.now();
  const entries = listNames(step.path === '' ? options.workspace : `${options.workspace}/${step.path}`);
  if (entries === undefined) return undefined;
  const parts = step.path === '' ? [] : step.path.split('/');
  const given = roleOf(step, parts, options);
  if (given === undefined) return undefined;
  const mayBeGit = given === 'plain' || given === 'git-inner';
  const role = mayBeGit && looksLikeGit(new Set(entries.map(({ name }) => name))) ? 'git' : given;
  const isWanted = ({ name, isFolder }: Entry): boolean => {
    if (options.named.size > 0 && options.named.has(joinBytes(step.path, name))) return true;
    // Most names of most folders, and quickly.
    if (role === 'plain' && !mayBeTrustedName(name)) return isFolder && name !== 'node_modules';
    return (isFolder ? roleOfFolder(role, [...parts, name]) : typeOfFile(role, [...parts, name])) !== undefined;
  };
  const wanted = entries.filter(isWanted);
  const isUrgent = ({ name }: Entry): boolean =>
    role !== 'plain' || (mayBeTrustedName(name) && roleOfFolder(role, [...parts, name]) !== 'plain');
  const below = wanted.filter(({ isFolder }) => isFolder);
  return {
    ino: stats.ino,
    ctimeMs: stats.ctimeMs,
    role,
    parent: step.parent,
    isFresh: listedAt - stats.ctimeMs < tickMs,
    folders: below.filter((entry) => !isUrgent(entry)).map(({ name }) => name),
    urgent: below.filter(isUrgent).map(({ name }) => name),
    files: wanted.filter(({ isFolder }) => !isFolder).map(({ name }) => name),
  };
}

function roleOf({ path, parent }: Step, parts: readonly string[], { named }: LookOptions): Role | undefined {
  const type = named.get(path);
  if (type !== undefined) return type === 'hook' ? 'hooks' : 'all';
  return path === '' ? 'plain' : roleOfFolder(parent, parts);
}
