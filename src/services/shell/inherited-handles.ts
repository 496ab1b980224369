/** Finds descriptors that our own process got from whoever started it, and that every program we start would get too. */
import { readdirSync, readFileSync } from 'node:fs';

/** open(2): close-on-exec, as /proc/self/fdinfo shows it. */
const closeOnExec = 0o2000000;

/**
 * Node marks what it opens itself, and what it inherited up to the first gap above 15 (libuv, uv_disable_stdio_inheritance).
 * An inherited handle beyond that, a folder of the machine for example, would be a door out of the sandbox.
 */
export function findInheritedHandles(folder = '/proc/self/fdinfo'): readonly number[] {
  return readdirSync(folder)
    .map(Number)
    .filter((handle) => handle > 2 && isInherited(`${folder}/${handle}`))
    .toSorted((first, second) => first - second);
}

function isInherited(path: string): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(path, 'latin1'))?.[1] ?? '';
    return (Number.parseInt(flags, 8) & closeOnExec) === 0;
  } catch {
    // The handle that listed the folder is closed by now.
    return false;
  }
}
