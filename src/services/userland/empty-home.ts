/** Empties the private home of commands, when somebody asked for that with a reset. */
import { randomUUID } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { homeFolderFor, type RunAs } from '../sandbox/run-as.ts';
import { endInhabitants } from './end-inhabitants.ts';
import { removeTree } from './userland-store.ts';

/**
 * An empty one takes its place, so that nothing can begin in the old one any more; then everything ends that has that as its
 * home; then it goes. As root we would follow a link that a running command puts in the way.
 */
export async function emptyHome(homeFolder: string, runAs: RunAs): Promise<void> {
  const home = homeFolderFor(homeFolder, runAs);
  removeLeftovers(home);
  const { uid, gid, mode } = statSync(home);
  const [old, next] = [`${home}.old-${randomUUID()}`, `${home}.new-${randomUUID()}`];
  mkdirSync(next, { mode: 0o700 });
  if (process.geteuid?.() === 0) chownSync(next, uid, gid);
  chmodSync(next, mode & 0o777);
  renameSync(home, old);
  renameSync(next, home);
  await endInhabitants(['/home/handrail', '/home/handrail-sandbox'].map((inside) => ({ folder: old, inside })));
  removeTree(old);
}

/** What a reset that was killed has left beside it. */
function removeLeftovers(home: string): void {
  for (const name of readdirSync(dirname(home))) {
    if (name.startsWith(`${basename(home)}.old-`) || name.startsWith(`${basename(home)}.new-`)) {
      removeTree(join(dirname(home), name));
    }
  }
}
