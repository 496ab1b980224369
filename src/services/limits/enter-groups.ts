/** How a command starts inside its control groups: it enters them itself, before it becomes what it is. */
import { spawnSync } from 'node:child_process';

/** Moved from outside, a process could have children by then that stay behind. One that cannot enter does not start. */
const script = `while [ "$1" != -- ]; do echo 0 >"$1" || exit 125; shift; done; shift; exec "$@"`;

export function enterGroups(
  entrances: readonly string[],
  command: readonly [string, ...string[]],
): readonly [string, ...string[]] {
  return entrances.length === 0 ? command : ['/bin/sh', '-c', script, 'sh', ...entrances, '--', ...command];
}

/** By trying it with a process of our own that ends at once. */
export function canEnterGroup(entrance: string): boolean {
  const [file, ...args] = enterGroups([entrance], ['/bin/true']);
  return spawnSync(file, args, { stdio: 'ignore', timeout: 5000 }).status === 0;
}
