/** The kernel's knobs in /proc that root may turn by mere ownership, without any capability. */
import { readdirSync, lstatSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Paths to bind read-only over the sandbox's /proc. In a sandbox whose processes are the machine's root (a workspace of
 * root's), every writable file of the kernel would be theirs: sysctl, interrupt routing, PCI configuration, sysrq.
 */
export function findProcGuards(root = '/proc'): readonly string[] {
  const guards = ['sys'];
  for (const name of readdirSync(root)) {
    if (/^\d+$/.test(name) || name === 'sys' || name === 'self' || name === 'thread-self') continue;
    const path = join(root, name);
    const info = lstatSync(path, { throwIfNoEntry: false });
    if (info === undefined || info.isSymbolicLink()) continue;
    if (info.isDirectory() ? holdsWritable(path, 3) : (info.mode & 0o222) !== 0) guards.push(name);
  }
  return guards.map((name) => join(root, name)).toSorted();
}

/** Also true for what cannot be looked at: closing too much costs nothing. */
function holdsWritable(folder: string, depth: number): boolean {
  try {
    return readdirSync(folder, { withFileTypes: true }).some((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return depth === 0 || holdsWritable(path, depth - 1);
      return entry.isFile() && (lstatSync(path).mode & 0o222) !== 0;
    });
  } catch {
    // A folder that only some may list, or an entry that went away.
    return true;
  }
}
