/** Takes control groups away once nothing is in them. */
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { GroupFiles } from './group-files.ts';
import { removeQuietly } from './group-place.ts';

const removeRounds = 60;
const removeRoundMs = 5;

/**
 * With the program's own folder above each, when it was the last one in it. Gives up after a while: an empty group costs nothing,
 * and the next start removes it.
 */
export async function removeGroups(files: GroupFiles, folders: readonly string[]): Promise<void> {
  let left = folders;
  for (let round = 0; round < removeRounds; round += 1) {
    left = left.filter((folder) => !removeQuietly(files, folder));
    if (left.length === 0) break;
    // The kernel is still collecting the dead.
    await delay(removeRoundMs);
  }
  for (const folder of folders) if (!left.includes(folder)) removeQuietly(files, dirname(folder));
}
