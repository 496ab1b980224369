/** Writes one entry of an archive into a folder of ours, where no part of the way to it is a link. */
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { ReadEntry } from 'tar';
import { checkLinkTarget, readEntryKind, readEntryName, refused } from './archive-rules.ts';

export type TargetTree = {
  /** Exists, and only we can write in it. */
  readonly folder: string;
  /** Whose everything becomes, when that is not us. */
  readonly owner?: { readonly uid: number; readonly gid: number };
  /** Links that the folder has already, and where their contents are put: `bin` to `usr/bin`. */
  readonly merged?: ReadonlyMap<string, string>;
  /** A later file takes the place of an earlier one; else it is refused. */
  readonly overwrites?: boolean;
};

/** Gives up what it holds when the archive is not read to its end. */
export type Leave = () => void;

/** Throws ToolFailure('denied') for an entry that breaks a rule; what goes wrong while its bytes come is told to `fail`. */
export function writeEntry(tree: TargetTree, entry: ReadEntry, fail: (error: unknown) => void): Leave | undefined {
  const name = entry.path;
  const parts = readEntryName(name);
  const kind = readEntryKind(name, parts, entry.type);
  if (parts.length === 0 && kind !== 'folder') throw refused(name, 'it has no name');
  // A folder or link that stands for one that is there already under another name.
  const isMerged = parts.length === 1 && kind !== 'file' && tree.merged?.has(parts[0] ?? '') === true;
  if (parts.length === 0 || kind === 'skip' || isMerged) {
    entry.resume();
    return undefined;
  }
  const path = findPlace(tree, name, parts);
  if (kind === 'file') return writeFile(tree, entry, path, fail);
  entry.resume();
  if (kind === 'folder') writeFolder(tree, name, path, entry.mode ?? 0o755);
  else if (kind === 'link') writeLink(tree, name, parts, path, entry.linkpath ?? '');
  else writeSecondName(tree, name, path, entry.linkpath ?? '');
  return undefined;
}

/** Every folder on the way was made by this archive, or is made now. */
function findPlace(tree: TargetTree, name: string, given: readonly string[]): string {
  const merged = given.length > 1 ? tree.merged?.get(given[0] ?? '') : undefined;
  const parts = merged === undefined ? given : [...merged.split('/'), ...given.slice(1)];
  let path = tree.folder;
  for (const part of parts.slice(0, -1)) {
    path = join(path, part);
    const info = lstatSync(path, { throwIfNoEntry: false });
    if (info === undefined) makeFolder(tree, path, 0o755);
    else if (!info.isDirectory()) throw refused(name, 'it lies behind a link or a file');
  }
  return join(path, parts.at(-1) ?? '');
}

function makeFolder(tree: TargetTree, path: string, mode: number): void {
  mkdirSync(path, { mode: 0o700 });
  own(tree, path);
  // Whatever the archive says, its owner can write in it: the rest of the archive, and the package manager later.
  chmodSync(path, (mode & 0o777) | 0o700);
}

function own({ owner }: TargetTree, path: string): void {
  if (owner !== undefined) lchownSync(path, owner.uid, owner.gid);
}

function makeRoom(tree: TargetTree, name: string, path: string): void {
  const info = lstatSync(path, { throwIfNoEntry: false });
  if (info === undefined) return;
  if (info.isDirectory() || tree.overwrites !== true) throw refused(name, 'it is in the archive twice');
  unlinkSync(path);
}

function writeFile(tree: TargetTree, entry: ReadEntry, path: string, fail: (error: unknown) => void): Leave {
  makeRoom(tree, entry.path, path);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  let handle: number | undefined = openSync(path, flags, 0o600);
  const close = (): void => {
    if (handle !== undefined) closeSync(handle);
    handle = undefined;
  };
  const attempt = (work: (handle: number) => void): void => {
    if (handle === undefined) return;
    try {
      work(handle);
    } catch (error) {
      close();
      fail(error);
    }
  };
  entry.on('data', (chunk: Buffer) => attempt((open) => writeWhole(open, chunk)));
  entry.on('end', () =>
    attempt((open) => {
      if (tree.owner !== undefined) fchownSync(open, tree.owner.uid, tree.owner.gid);
      // Never setuid: inside nobody can become anybody else.
      fchmodSync(open, (entry.mode ?? 0o644) & 0o777);
      close();
    }),
  );
  return close;
}

function writeFolder(tree: TargetTree, name: string, path: string, mode: number): void {
  const info = lstatSync(path, { throwIfNoEntry: false });
  if (info === undefined) makeFolder(tree, path, mode);
  else if (!info.isDirectory()) throw refused(name, 'something else of that name is in the archive');
}

function writeLink(tree: TargetTree, name: string, parts: readonly string[], path: string, target: string): void {
  checkLinkTarget(name, parts, target);
  makeRoom(tree, name, path);
  symlinkSync(target, path);
  own(tree, path);
}

/** A hard link. */
function writeSecondName(tree: TargetTree, name: string, path: string, first: string): void {
  const target = findPlace(tree, name, readEntryName(first));
  if (lstatSync(target, { throwIfNoEntry: false })?.isFile() !== true) {
    throw refused(name, 'it is a second name of something that is no file of this archive');
  }
  makeRoom(tree, name, path);
  linkSync(target, path);
}

function writeWhole(handle: number, chunk: Buffer): void {
  let from = 0;
  while (from < chunk.length) from += writeSync(handle, chunk, from);
}
