/**
 * Git's configuration in the private home: names, colours and harmless aliases stay, what makes git run programs goes.
 * Conversations share that home, so one of them could leave a trap there for the next.
 */
import {
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { takeOutCommands } from '../trusted-files/take-out-commands.ts';
import type { EntryPlace } from './network-entry.ts';

/** git-config(1), FILES. */
const places = [
  { folders: [], name: '.gitconfig' },
  { folders: ['.config', 'git'], name: 'config' },
];

const maxBytes = 256 * 1024;
/** Beside it, where a person finds it; git does not read it. */
const asideEnding = '.set-aside-by-handrail';

type TamePlace = Pick<EntryPlace, 'home' | 'uid' | 'gid'>;

/** Undefined when there was nothing to take out; else one sentence for the result. */
export function tameGitConfig(place: TamePlace): string | undefined {
  const taken = places.flatMap((each) => tameIn(each.folders, each.name, place));
  return taken.length === 0
    ? undefined
    : `Settings of git that run programs do not outlive a shell, and were taken out of the home: ${taken.join(', ')}. What they were lies beside the file, as *${asideEnding}.`;
}

/**
 * Step by step through opened folders (proc(5)), since a command may replace each of them by a link at any moment. A link in
 * the place of a folder is put aside: git inside would follow it to anywhere in the home.
 */
function tameIn(folders: readonly string[], name: string, place: TamePlace): readonly string[] {
  const handles: number[] = [];
  try {
    let at = place.home;
    for (const folder of ['.', ...folders]) {
      const path = join(at, folder);
      const handle = openFolder(path);
      if (handle === 'odd') {
        renameSync(path, path + asideEnding);
        return [`what ${folder} led to`];
      }
      if (handle === undefined) return [];
      handles.push(handle);
      at = `/proc/self/fd/${handle}`;
    }
    return tameFile(join(at, name), place);
  } finally {
    for (const handle of handles) closeSync(handle);
  }
}

/** Undefined: nothing there. `odd`: something, and no folder. */
function openFolder(path: string): number | 'odd' | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : 'odd';
  }
}

function tameFile(file: string, { home, uid, gid }: TamePlace): readonly string[] {
  const text = readPlain(file);
  if (text === undefined) return [];
  const change = text === 'odd' ? undefined : takeOutCommands(text.now, undefined, { folder: home, workspace: home });
  if (change?.kind === 'tame') return [];
  renameSync(file, file + asideEnding);
  if (change?.kind !== 'edited') return ['a file that git could not read'];
  const handle = openSync(file, 'wx', 0o644);
  try {
    writeFileSync(handle, Buffer.from(change.text, 'latin1'));
    // Not by its name: a command may have put a link to any file of root's there by now.
    if (process.geteuid?.() === 0) fchownSync(handle, uid, gid);
  } finally {
    closeSync(handle);
  }
  return change.taken.map(({ key }) => key);
}

/** `odd`: a link, a pipe, something huge. Undefined: nothing there. */
function readPlain(file: string): { readonly now: string } | 'odd' | undefined {
  let handle: number;
  try {
    handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : 'odd';
  }
  try {
    const info = fstatSync(handle);
    return info.isFile() && info.size <= maxBytes ? { now: readFileSync(handle, 'latin1') } : 'odd';
  } finally {
    closeSync(handle);
  }
}
