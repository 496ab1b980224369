/** Where the kernel's control groups are mounted, which controllers they have, and where in them we are (cgroups(7)). */
import { join, resolve } from 'node:path';
import type { GroupFiles } from './group-files.ts';

export type Controller = 'memory' | 'pids' | 'cpu';

export type Hierarchy = {
  readonly version: 1 | 2;
  /** Of version 2: all that the mount's top has to hand down. */
  readonly controllers: readonly string[];
  readonly mount: string;
  /** Our own group's folder. */
  readonly own: string;
};

/** Empty where there are none, or where we are not told. */
export function findHierarchies(files: GroupFiles): readonly Hierarchy[] {
  try {
    const groups = files.read('/proc/self/cgroup').split('\n').map(parseGroup);
    return files
      .read('/proc/self/mountinfo')
      .split('\n')
      .map(parseMount)
      .filter((mount) => mount !== undefined)
      .map(({ version, options, mount, root }) => {
        const group = groups.find((entry) =>
          version === 2 ? entry.controllers.length === 0 : entry.controllers.some((name) => options.includes(name)),
        );
        const controllers =
          version === 1
            ? (group?.controllers ?? [])
            : files.read(join(mount, 'cgroup.controllers')).trim().split(/\s+/).filter(Boolean);
        return { version, controllers, mount, own: ownFolder(files, mount, root, group?.path ?? '/') };
      });
  } catch {
    // No /proc, or one that hides it: limits by other means.
    return [];
  }
}

/** `9:cpu,cpuacct:/path`; version 2 is `0::/path`. */
function parseGroup(line: string): { readonly controllers: readonly string[]; readonly path: string } {
  const match = /^\d+:([^:]*):(.*)$/.exec(line);
  return { controllers: (match?.[1] ?? '-').split(',').filter(Boolean), path: match?.[2] ?? '/' };
}

/** proc(5), /proc/PID/mountinfo: after `-` come the file system's kind, its source and its own options. */
function parseMount(line: string) {
  const [before = '', after = ''] = line.split(' - ');
  const [kind, , options = ''] = after.split(' ');
  const [, , , root = '/', mount] = before.split(' ');
  if (mount === undefined || (kind !== 'cgroup' && kind !== 'cgroup2')) return undefined;
  const version: 1 | 2 = kind === 'cgroup2' ? 2 : 1;
  return { version, options: options.split(','), mount, root };
}

/** A container may be shown its own part only, while the path is told from the machine's top. */
function ownFolder(files: GroupFiles, mount: string, root: string, path: string): string {
  const below = root !== '/' && (path === root || path.startsWith(`${root}/`)) ? path.slice(root.length) : path;
  // Without the slash at the end that the top's path is.
  const folder = resolve(join(mount, below));
  return folder.startsWith(mount) && files.exists(join(folder, 'cgroup.procs')) ? folder : mount;
}

export const hasController = (hierarchy: Hierarchy, name: Controller): boolean => hierarchy.controllers.includes(name);
