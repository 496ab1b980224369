/** Makes our folders, for us alone, and refuses places where somebody else could change what we trust. */
import { accessSync, chmodSync, constants, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { basename, dirname } from 'node:path';
import { makePrivateFolder } from '../../base/make-private-folder.ts';
import { SetupFailure } from '../../contract/failure.ts';
import type { StateFolders } from './resolve-state-folders.ts';

const othersMayWrite = 0o022;
const worldMayWrite = 0o002;
const sticky = 0o1000;
const anyoneElse = 0o077;

/** Throws SetupFailure with the step that mends it. Synchronous: nothing can start before. */
export function ensureStateFolders(folders: StateFolders): void {
  for (const folder of [...folders.roots, ...trustedFolders(folders)]) {
    attempt(folder, folders, () => {
      make(folder, folders);
      check(folder, folders);
    });
  }
  // The sandbox's own user may have become their owner; nothing in them is trusted.
  for (const folder of [folders.homeFolder, folders.workspacesFolder])
    attempt(folder, folders, () => make(folder, folders));
}

/** What the host reads, runs or restores from. */
function trustedFolders(folders: StateFolders): readonly string[] {
  const { artifactsFolder, trashFolder, userToolsFolder, backupFolder, compileCacheFolder } = folders;
  return [artifactsFolder, trashFolder, userToolsFolder, backupFolder, compileCacheFolder];
}

function attempt(folder: string, folders: StateFolders, work: () => void): void {
  try {
    work();
  } catch (error) {
    throw error instanceof SetupFailure ? error : explain(error, folder, folders);
  }
}

function check(folder: string, folders: StateFolders): void {
  checkLink(folder);
  const info = statSync(folder);
  checkOwner(folder, info);
  checkMode(folder, info);
  checkParent(folder);
  if ((info.mode & anyoneElse) !== 0 && isForUsAlone(folder, folders)) chmodSync(folder, 0o700);
  accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
}

function make(folder: string, folders: StateFolders): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined) makePrivateFolder(folder);
  else if (!found.isDirectory())
    throw new SetupFailure(`${folder} is a file, but Handrail needs a folder there: move it away, ${orMove(folders)}.`);
}

/** Somebody else's link, planted in a shared place, could lead us into any of our own folders. */
function checkLink(folder: string): void {
  const info = lstatSync(folder);
  if (info.isSymbolicLink() && info.uid !== 0 && info.uid !== process.geteuid?.()) {
    throw new SetupFailure(`${folder} is a link that belongs to another user: remove it, then start again.`);
  }
}

function checkOwner(folder: string, info: Stats): void {
  if (info.uid === process.geteuid?.()) return;
  throw new SetupFailure(
    `${folder} belongs to another user (number ${info.uid}): run Handrail as that user, or set HANDRAIL_HOME to a folder of your own.`,
  );
}

function checkMode(folder: string, info: Stats): void {
  if ((info.mode & othersMayWrite) === 0) return;
  const real = realpathSync(folder);
  const through = real === folder ? '' : ` (a link to ${real})`;
  throw new SetupFailure(
    `Other users can write to ${folder}${through}: run "chmod 700 '${real}'" if it is for Handrail alone, else set HANDRAIL_HOME to another folder.`,
  );
}

/** In a folder where all may write and none is held back by the sticky bit, anybody can put another folder in our place. */
function checkParent(folder: string): void {
  const parent = dirname(realpathSync(folder));
  const { mode } = statSync(parent);
  if ((mode & worldMayWrite) === 0 || (mode & sticky) !== 0) return;
  throw new SetupFailure(
    `Any user can replace ${folder}, because ${parent} is writable for all: set HANDRAIL_HOME to a folder elsewhere.`,
  );
}

/**
 * An existing folder is closed to others only when it is plainly ours: HANDRAIL_HOME=/etc must not lock a machine out of
 * its own configuration. What we make inside is closed in any case.
 */
function isForUsAlone(folder: string, folders: StateFolders): boolean {
  if (!folders.isMoved || !folders.roots.includes(folder) || basename(folder) === 'handrail') return true;
  const { settingsFile, databaseFile, secretsFile, logFile, homeFolder, workspacesFolder, roots } = folders;
  const files = [settingsFile, databaseFile, secretsFile, logFile, homeFolder, workspacesFolder];
  const ours = new Set([...files, ...trustedFolders(folders), ...roots].map((path) => basename(path)));
  return readdirSync(folder).every(
    (name) => ours.has(name) || name.startsWith('handrail.') || name.startsWith('secrets.'),
  );
}

function explain(error: unknown, folder: string, folders: StateFolders): unknown {
  const { code, path } = error as NodeJS.ErrnoException;
  const place = path ?? folder;
  switch (code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new SetupFailure(
        `${folder} cannot be written (${place} is read-only for you): make it writable, ${orMove(folders)}.`,
        { cause: error },
      );
    case 'ENOSPC':
    case 'EDQUOT':
      return new SetupFailure(`The disk is full: ${folder} cannot be made. Free some space, then start again.`, {
        cause: error,
      });
    case 'ENOTDIR':
    case 'EEXIST':
      return new SetupFailure(
        `${folder} cannot be made: a part of that path is a file or a link to nothing. Move it away, ${orMove(folders)}.`,
        { cause: error },
      );
    case 'ELOOP':
      return new SetupFailure(`${folder} is a link that leads to itself: remove it, then start again.`, {
        cause: error,
      });
    case 'ENAMETOOLONG':
      return new SetupFailure(`The path ${folder.slice(0, 60)}… is too long: set HANDRAIL_HOME to a shorter one.`, {
        cause: error,
      });
    default:
      return error;
  }
}

const orMove = (folders: StateFolders) =>
  folders.isMoved ? 'or set HANDRAIL_HOME to another folder' : 'or set HANDRAIL_HOME to a folder of your own';
