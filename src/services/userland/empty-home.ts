/** Empties the private home of commands, when somebody asked for that with a reset. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { homeFolderFor, type RunAs } from '../sandbox/run-as.ts';
import { endInhabitants } from './end-inhabitants.ts';
import { removeTree } from './userland-store.ts';

/**
 * The folder itself stays. First everything ends that has it as its home: as root we would follow a link that a running
 * command puts in the way.
 */
export async function emptyHome(homeFolder: string, runAs: RunAs): Promise<void> {
  const home = homeFolderFor(homeFolder, runAs);
  await endInhabitants(['/home/handrail', '/home/handrail-sandbox'].map((inside) => ({ folder: home, inside })));
  for (const name of readdirSync(home)) removeTree(join(home, name));
}
