/** Where a path leads as commands see it: the workspace and the private home lie on the machine, the rest belongs to the sandbox. */
import { lstatSync, readlinkSync } from 'node:fs';
import { posix } from 'node:path';

export type ShellView = {
  readonly workspace: string;
  /** As commands know it, and where it lies. */
  readonly homePath: string;
  readonly homeFolder: string | undefined;
  /** Where the conversation's own shell has its root, while there is one; /tmp and /run are its own. Undefined: there is none. */
  readonly root: string | undefined;
};

/** Linux gives up after 40 links in one walk (path_resolution(7)). */
const maxLinks = 40;

/** Undefined: too many links, or a place that cannot be looked at. What does not exist is taken literally. */
export function realShellPath(path: string, view: ShellView): string | undefined {
  const pending = path.split('/').toReversed();
  let current = '/';
  let links = 0;
  while (pending.length > 0) {
    const name = pending.pop() ?? '';
    if (name === '' || name === '.') continue;
    if (name === '..') {
      current = posix.dirname(current);
      continue;
    }
    const next = posix.join(current, name);
    const target = linkTarget(next, view);
    if (target === undefined) {
      current = next;
      continue;
    }
    links += 1;
    if (links > maxLinks) return undefined;
    if (target.startsWith('/')) current = '/';
    pending.push(...target.split('/').toReversed());
  }
  return current;
}

/** Undefined where there is no link. */
function linkTarget(path: string, view: ShellView): string | undefined {
  const place = placeOf(path, view);
  if (place === undefined) return undefined;
  try {
    return lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() === true ? readlinkSync(place) : undefined;
  } catch {
    // A component that is no folder, or closed to us: the command finds no link there either.
    return undefined;
  }
}

/** Where the machine has it; undefined for what a sandbox that does not run yet has not got. */
function placeOf(path: string, { workspace, homePath, homeFolder, root }: ShellView): string | undefined {
  if (isWithin(path, workspace)) return path;
  if (root !== undefined) return posix.join(root, path);
  return homeFolder !== undefined && isWithin(path, homePath) ? homeFolder + path.slice(homePath.length) : undefined;
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}
