/** Finds the real path behind a path, as the kernel would walk it, also when the end of it does not exist yet. */
import { realpathSync } from 'node:fs';
import { lstat, readlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isInside } from '../../base/is-inside.ts';

/** Linux gives up after 40 links in one walk (path_resolution(7)). */
const maxLinks = 40;

export type RealPath = {
  readonly realPath: string;
  /** True when the last component is there. */
  readonly exists: boolean;
};

export type WalkOptions = {
  /** Folder for relative paths; already real. */
  readonly from: string;
  /** The sandbox's home as it is known inside, and where it really is. */
  readonly homePath?: string;
  readonly homeFolder?: string;
  /** True: a link at the very end is not followed; the result names the link itself. */
  readonly keepsLastLink?: boolean;
};

/**
 * Walks component by component: `..` after a link goes to the parent of where the link leads. Behind the first component
 * that is missing (or may not be looked at) the rest is taken literally. Undefined: too many links.
 */
export async function findRealPath(path: string, options: WalkOptions): Promise<RealPath | undefined> {
  const start = beginWalk(path, options);
  const whole = findWhole(start, path, options);
  if (whole !== undefined) return { realPath: whole, exists: true };
  const pending = start.rest.split('/').toReversed();
  let current = start.folder;
  let isMissing = false;
  let links = 0;
  while (pending.length > 0) {
    const name = pending.pop() ?? '';
    if (name === '' || name === '.') continue;
    if (name === '..') {
      current =
        current === options.homeFolder && options.homePath !== undefined ? dirname(options.homePath) : dirname(current);
      continue;
    }
    const next = current === '/' ? `/${name}` : `${current}/${name}`;
    if (next === options.homePath && options.homeFolder !== undefined) {
      current = options.homeFolder;
      continue;
    }
    const isKept = options.keepsLastLink === true && pending.every((rest) => rest === '');
    const kind = isMissing ? 'missing' : await look(next);
    if (kind === 'missing') isMissing = true;
    if (kind !== 'link' || isKept) {
      current = next;
      continue;
    }
    links += 1;
    if (links > maxLinks) return undefined;
    const target = await readLinkOrNothing(next);
    if (target.startsWith('/')) current = '/';
    pending.push(...target.split('/').toReversed());
  }
  return { realPath: current, exists: !isMissing };
}

/**
 * The C library's realpath(3) does the same walk in one go. It knows nothing of the inside name of the home, so a path
 * or a result that has to do with it is left to the walk.
 */
function findWhole(
  start: { readonly folder: string; readonly rest: string },
  path: string,
  options: WalkOptions,
): string | undefined {
  const { homePath } = options;
  if (path.startsWith('~') && path.includes('..')) return undefined;
  if (options.keepsLastLink === true || (homePath !== undefined && path.includes(homePath))) return undefined;
  const whole = realPathOrNothing(`${start.folder}/${start.rest}`);
  return whole !== undefined && homePath !== undefined && isInside(whole, homePath) ? undefined : whole;
}

/** Synchronous: the kernel answers from memory, and a trip through the thread pool would cost ten times as much. */
function realPathOrNothing(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    // The walk finds out how much of it is there.
    return undefined;
  }
}

function beginWalk(path: string, options: WalkOptions): { folder: string; rest: string } {
  const { from, homeFolder } = options;
  if (homeFolder !== undefined && (path === '~' || path.startsWith('~/')))
    return { folder: homeFolder, rest: path.slice(1) };
  if (!path.startsWith('/')) return { folder: from, rest: path };
  // The workspace is real already: walking it again would cost a look per component, and could not make it safer,
  // because what is opened later is compared with the result.
  if (path === from || path.startsWith(`${from}/`)) return { folder: from, rest: path.slice(from.length) };
  return { folder: '/', rest: path };
}

async function look(path: string): Promise<'link' | 'other' | 'missing'> {
  try {
    return (await lstat(path)).isSymbolicLink() ? 'link' : 'other';
  } catch {
    // Missing, not a folder, not searchable, name too long: nothing behind it can be followed, and opening it tells why.
    return 'missing';
  }
}

async function readLinkOrNothing(path: string): Promise<string> {
  try {
    return await readlink(path);
  } catch {
    // Replaced between the two looks: the walk goes on from the folder, and the check at opening finds out.
    return '';
  }
}
