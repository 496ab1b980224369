/** Moves the private home of an older layout to where it lies now, by itself, when there is none there yet. */
import { lstatSync, readdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Before it had a folder of its own, the home lay with the sandbox's own files, or inside the userland's tree. */
const olderPlaces = ['sandbox/home', 'userland/home', 'userland/root/root'];

/** True when one was moved. On one file system this is a single step: there is never half a home. */
export function moveOlderHome(home: string): boolean {
  if (lstatSync(home, { throwIfNoEntry: false }) !== undefined) return false;
  for (const place of olderPlaces) {
    const older = join(dirname(home), place);
    if (!hasContent(older)) continue;
    renameSync(older, home);
    return true;
  }
  return false;
}

/** Only a real folder: a link was never a home of ours. */
function hasContent(folder: string): boolean {
  return lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true && readdirSync(folder).length > 0;
}
