/** Finds what still belongs to a folder: processes that were started for it, sandboxes that show it, mounts below it. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export type Leftover = {
  /** Undefined for a mount. */
  readonly pid?: number;
  readonly text: string;
};

/** Our own process and those that are dead but not yet waited for do not count. */
export function findLeftovers(folder: string): readonly Leftover[] {
  const showsFolder = createNamespaceCheck(folder);
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name) && name !== `${process.pid}`)
    .filter((name) => belongsTo(folder, `/proc/${name}`) || showsFolder(`/proc/${name}`))
    .map((name) => ({ pid: Number(name), text: `process ${name}: ${commandLine(`/proc/${name}`)}` }));
  const mounts = textOf('/proc/self/mountinfo')
    .split('\n')
    .filter((line) => line.includes(folder))
    .map((line) => ({ text: `mount ${line}` }));
  return [...processes, ...mounts];
}

/** What is still there after `withinMs`; empty as soon as nothing is. */
export async function waitForNone(folder: string, withinMs: number): Promise<readonly Leftover[]> {
  const until = performance.now() + withinMs;
  for (;;) {
    const left = findLeftovers(folder);
    if (left.length === 0 || performance.now() > until) return left;
    await sleep(20);
  }
}

function belongsTo(folder: string, place: string): boolean {
  if (textOf(`${place}/cmdline`).includes(folder) || textOf(`${place}/environ`).includes(folder)) return true;
  return linkOf(`${place}/cwd`).startsWith(folder);
}

/** A sandbox clears its environment and may hide its command line: its mounts still name the folder they show. */
function createNamespaceCheck(folder: string): (place: string) => boolean {
  // One look per namespace, whose processes all have the same mounts; ours shows every folder and says nothing.
  const known = new Map([[linkOf('/proc/self/ns/mnt'), false]]);
  return (place) => {
    const namespace = linkOf(`${place}/ns/mnt`);
    if (namespace === '') return false;
    const isKnown = known.get(namespace);
    if (isKnown !== undefined) return isKnown;
    const mounts = textOf(`${place}/mountinfo`);
    // Nothing: this process is just ending, which says nothing about the others of its namespace.
    if (mounts !== '') known.set(namespace, mounts.includes(folder));
    return mounts.includes(folder);
  };
}

function commandLine(place: string): string {
  const words = textOf(`${place}/cmdline`).replaceAll('\0', ' ').trim();
  return words.length > 200 ? `${words.slice(0, 200)}…` : words;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // It is gone, or another user's and so none of ours.
    return '';
  }
}

function linkOf(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    // As above.
    return '';
  }
}
