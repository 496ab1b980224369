/** Where bash is on this machine: looked for in the system's folders, whatever PATH a command is given. */
import { existsSync } from 'node:fs';

const places = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'];

export function findBash(): string {
  return places.find((path) => existsSync(path)) ?? '/bin/bash';
}
