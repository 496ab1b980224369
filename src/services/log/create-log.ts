/** Where stacks of bugs go: a file of ours, never a user's screen. */
import { appendFile } from 'node:fs/promises';
import { inspect } from 'node:util';
import type { RedactorSource } from '../../contract/redaction.ts';

/** Once, to whoever started the program, whichever face it has; standard output belongs to that face. */
export function tellPerson(line: string): void {
  process.stderr.write(`handrail: ${line}\n`);
}

/** One JSON object per line: time and the error with its causes. Never throws and never waits. */
export function createLog(
  file: string,
  redactor: RedactorSource,
  now: () => Date = () => new Date(),
): (error: unknown) => void {
  return (error) => {
    const at = now().toISOString();
    const text = inspect(error, { depth: 4 });
    redactor()
      .then((active) => appendFile(file, `${JSON.stringify({ at, error: active.redact(text) })}\n`, { mode: 0o600 }))
      // A log that cannot be written (full disk, read-only folder) must not become a second failure.
      .catch(() => undefined);
  };
}
