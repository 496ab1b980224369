/** Where stacks of bugs go: a file of ours, never a user's screen. */
import { appendFile } from 'node:fs/promises';
import { inspect } from 'node:util';

/** One JSON object per line: time and the error with its causes. Never throws and never waits. */
export function createLog(file: string, now: () => Date = () => new Date()): (error: unknown) => void {
  return (error) => {
    const line = `${JSON.stringify({ at: now().toISOString(), error: inspect(error, { depth: 4 }) })}\n`;
    // A log that cannot be written (full disk, read-only folder) must not become a second failure.
    appendFile(file, line, { mode: 0o600 }).catch(() => undefined);
  };
}
