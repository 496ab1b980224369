/** Which process a reservation is for, and whether that one is gone. */
import { readlinkSync } from 'node:fs';
import { identityOf, isStillThere } from '../base/process-identity.ts';

/** Names this process for all others that use the database. */
export function ownHolder(): string {
  const identity = identityOf(process.pid);
  return JSON.stringify({ ...identity, numbers: processNumbers() });
}

/** True only for a process of this machine whose number we can look up: of others nothing is known until time is up. */
export function isHolderGone(holder: string): boolean {
  const { numbers, ...identity } = JSON.parse(holder) as NonNullable<ReturnType<typeof identityOf>> & {
    readonly numbers?: string;
  };
  if (identity.bootId !== identityOf(process.pid)?.bootId || numbers !== processNumbers()) return false;
  return !isStillThere(identity);
}

/** In a container the same numbers are other processes: pid_namespaces(7). */
function processNumbers(): string {
  return readlinkSync('/proc/self/ns/pid');
}
