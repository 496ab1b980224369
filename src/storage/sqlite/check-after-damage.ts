/** What was found damaged in the middle of work is looked at whole when it is opened the next time: the usual opening reads little. */
import { closeSync, constants, existsSync, openSync, rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { DamagedDatabase } from '../storage-failure.ts';
import { damagedLine } from './sqlite-problem.ts';

const markOf = (path: string): string => `${path}.check`;

export function noteDamage(path: string): void {
  try {
    closeSync(openSync(markOf(path), constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW, 0o600));
  } catch {
    // The disk is worse off than we thought; the failure itself is told in any case.
  }
}

/** It is whole, or out of the way. */
export function forgetDamage(path: string): void {
  rmSync(markOf(path), { force: true });
}

/** Throws DamagedDatabase. Reads the whole file, so only where there is reason to. */
export function checkAfterDamage(path: string, sqlite: DatabaseSync): void {
  if (!existsSync(markOf(path))) return;
  const found = sqlite.prepare('pragma quick_check(1)').get();
  const answer = String(Object.values(found ?? {})[0] ?? '');
  if (answer !== 'ok') throw new DamagedDatabase(damagedLine(path), 'parts of it are no longer what they were');
  forgetDamage(path);
}
