/** Ends every process that sees a folder of ours as a mount of its own: shells, jobs and terminals, also of other programs of ours. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** A folder on the machine, and the path at which a sandbox shows it. */
export type Mount = { readonly folder: string; readonly inside: string };

const rounds = 200;
const roundMs = 10;

/** Each of its top folders is a mount inside: any of them tells. */
export const treeMounts = (tree: string): readonly Mount[] =>
  ['usr', 'etc', 'var'].map((name) => ({ folder: join(tree, name), inside: `/${name}` }));

/** Resolves with how many were ended. What cannot be looked at belongs to other users, and is none of ours. */
export async function endInhabitants(mounts: readonly Mount[]): Promise<number> {
  const ended = new Set<number>();
  for (let round = 0; round < rounds; round += 1) {
    const inside = findInhabitants(mounts);
    if (inside.length === 0) break;
    for (const pid of inside) {
      ended.add(pid);
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
    }
    await delay(roundMs);
  }
  return ended.size;
}

function findInhabitants(mounts: readonly Mount[]): number[] {
  const wanted = mounts.flatMap(({ folder, inside }) => {
    const id = identityOf(folder);
    return id === undefined ? [] : [{ id, inside }];
  });
  if (wanted.length === 0) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => wanted.some(({ id, inside }) => identityOf(`/proc/${pid}/root${inside}`) === id));
}

function identityOf(path: string): string | undefined {
  try {
    const info = statSync(path, { bigint: true });
    return info.isDirectory() ? `${info.dev}:${info.ino}` : undefined;
  } catch {
    // Gone, or not ours to look at.
    return undefined;
  }
}
