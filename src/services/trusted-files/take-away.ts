/**
 * Acts on trusted files: takes one away, puts one back, writes one anew. Everything happens through an open folder, so a link
 * or a folder that is exchanged in between wins nothing, and under a name of our own, so readers see the old or the new.
 */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  lchownSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeSync,
  type Stats,
} from 'node:fs';
import { posix } from 'node:path';
import { look, NotThere, openObject, toBuffer, withFolder } from './byte-paths.ts';
import { type FileContent, isUnchanged, type KnownFile, readContent } from './known-file.ts';

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;

/** No hook, no editor and no program takes a file of this name for its own. */
const ownName = (): string => `.handrail-${randomBytes(9).toString('hex')}.aside`;

/**
 * From the first step on the name is free; `keep` receives what stood there and must have kept it when it returns, then it is
 * gone. A folder that was put there meanwhile is left under our name. Throws NotThere or the system's error.
 */
export function takeAway(path: string, keep: (content: FileContent, stats: Stats) => void): void {
  withFolder(posix.dirname(path), (folder) => {
    const aside = `${folder}/${ownName()}`;
    inWritable(folder, () => renameSync(toBuffer(`${folder}/${posix.basename(path)}`), toBuffer(aside)));
    makeReadable(aside);
    const found = readContent(aside);
    if (found === undefined) throw new NotThere(path);
    if (found.stats.isDirectory()) return;
    keep(found.content, found.stats);
    inWritable(folder, () => unlinkSync(toBuffer(aside)));
  });
}

/** Puts content in place, over what is there now. `like` gives mode and owner. */
export function putBack(path: string, content: Pick<FileContent, 'kind' | 'bytes'>, like: FileOwner): void {
  const bytes = content.bytes;
  if (bytes === undefined) return;
  withFolder(posix.dirname(path), (folder) => {
    const draft = `${folder}/${ownName()}`;
    inWritable(folder, () => {
      if (content.kind === 'link') makeLink(draft, bytes, like);
      else writeFile(draft, bytes, like);
      renameSync(toBuffer(draft), toBuffer(`${folder}/${posix.basename(path)}`));
    });
  });
}

/** The same, but only where nothing is. Throws EEXIST. */
export function putNew(path: string, content: Pick<FileContent, 'kind' | 'bytes'>, like: FileOwner): void {
  const bytes = content.bytes;
  if (bytes === undefined) return;
  withFolder(posix.dirname(path), (folder) => {
    const target = `${folder}/${posix.basename(path)}`;
    if (content.kind === 'link') return makeLink(target, bytes, like);
    const draft = `${folder}/${ownName()}`;
    writeFile(draft, bytes, like);
    try {
      linkSync(toBuffer(draft), toBuffer(target));
    } finally {
      unlinkSync(toBuffer(draft));
    }
  });
}

/**
 * Writes a configuration anew if it still is what was read; false when it is not. Git's own lock is taken where it is free:
 * a git that is writing is not overwritten, and does not overwrite us.
 */
export function rewrite(path: string, bytes: Buffer, read: KnownFile): boolean {
  return withFolder(posix.dirname(path), (folder) => {
    const target = `${folder}/${posix.basename(path)}`;
    let draft = `${target}.lock`;
    return inWritable(folder, () => {
      try {
        writeFile(draft, bytes, read);
      } catch {
        // Somebody holds the lock, or left it there so that nothing can be mended.
        draft = `${folder}/${ownName()}`;
        writeFile(draft, bytes, read);
      }
      const stats = look(target);
      if (stats === undefined || !isUnchanged(read, stats)) {
        unlinkSync(toBuffer(draft));
        return false;
      }
      renameSync(toBuffer(draft), toBuffer(target));
      return true;
    });
  });
}

/** Gives a file back the mode it had: a hook that nobody could run must not become one. */
export function setMode(path: string, mode: number): void {
  withFolder(posix.dirname(path), (folder) => {
    const handle = openObject(`${folder}/${posix.basename(path)}`);
    try {
      if (fstatSync(handle).isFile()) chmodSync(`/proc/self/fd/${handle}`, mode & 0o7777);
    } finally {
      closeSync(handle);
    }
  });
}

/** Makes what is missing of the folders on the way, each owned as the one around it. */
export function makeFolders(workspace: string, path: string): void {
  const parent = posix.dirname(path);
  if (parent === '.' || parent === '') return;
  makeFolders(workspace, parent);
  withFolder(posix.dirname(`${workspace}/${parent}`), (folder) => {
    const made = `${folder}/${posix.basename(parent)}`;
    if (look(made) !== undefined) return;
    mkdirSync(toBuffer(made));
    const { uid, gid } = statSync(folder);
    if (process.geteuid?.() === 0) lchownSync(toBuffer(made), uid, gid);
  });
}

export type FileOwner = Pick<KnownFile, 'mode' | 'uid' | 'gid'>;

/** As a new file in that folder would be. */
export function ownerLike(folder: string, mode: number): FileOwner {
  const stats = look(folder);
  return { mode, uid: stats?.uid ?? 0, gid: stats?.gid ?? 0 };
}

function writeFile(path: string, bytes: Buffer, { mode, uid, gid }: FileOwner): void {
  const handle = openSync(toBuffer(path), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(handle, bytes, at);
    // Only root may give a file away (chown(2)); an ordinary user's files are that user's already.
    if (process.geteuid?.() === 0) fchownSync(handle, uid, gid);
    fchmodSync(handle, mode & 0o777);
  } catch (error) {
    unlinkSync(toBuffer(path));
    throw error;
  } finally {
    closeSync(handle);
  }
}

function makeLink(path: string, target: Buffer, { uid, gid }: FileOwner): void {
  symlinkSync(target, toBuffer(path));
  if (process.geteuid?.() === 0) lchownSync(toBuffer(path), uid, gid);
}

/** A command may have closed the folder it planted something in; it is ours to open for a moment. */
function inWritable<Result>(folder: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    if (!/^(?:EACCES|EPERM)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
    const { mode } = statSync(folder);
    chmodSync(folder, 0o700 | (mode & 0o7777));
    try {
      return act();
    } finally {
      chmodSync(folder, mode & 0o7777);
    }
  }
}

function makeReadable(path: string): void {
  const handle = openObject(path);
  try {
    const { mode } = fstatSync(handle);
    if ((mode & 0o170000) === 0o100000 && (mode & 0o400) === 0)
      chmodSync(`/proc/self/fd/${handle}`, (mode & 0o7777) | 0o400);
  } catch {
    // Another user's file: what cannot be read is told by its name alone.
  } finally {
    closeSync(handle);
  }
}
