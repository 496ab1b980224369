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
  const ownNamespace = linkOf('/proc/self/ns/mnt');
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name) && name !== `${process.pid}`)
    .filter((name) => belongsTo(folder, `/proc/${name}`, ownNamespace))
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

/** A sandbox clears its environment and may hide its command line: its mounts still name the folder they show. */
function belongsTo(folder: string, place: string, ownNamespace: string): boolean {
  if (textOf(`${place}/cmdline`).includes(folder) || textOf(`${place}/environ`).includes(folder)) return true;
  if (linkOf(`${place}/cwd`).startsWith(folder)) return true;
  const namespace = linkOf(`${place}/ns/mnt`);
  return namespace !== '' && namespace !== ownNamespace && textOf(`${place}/mountinfo`).includes(folder);
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
