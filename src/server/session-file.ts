/** The sessions on disk, so that a restart of the server signs nobody out. */
import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { makePrivateFolder } from '../base/make-private-folder.ts';
import { SetupFailure } from '../contract/failure.ts';

const session = z.strictObject({
  /** sha256 of the cookie's value, in hexadecimal. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  createdAt: z.iso.datetime(),
  usedAt: z.iso.datetime(),
});
const fileSchema = z.strictObject({ sessions: z.array(session) });

export type KeptSession = z.output<typeof session>;

/** A file that is missing or damaged holds none: everybody signs in again. */
export function readSessions(file: string): readonly KeptSession[] {
  try {
    return fileSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).sessions;
  } catch {
    // Said above; whoever signs in writes it anew.
    return [];
  }
}

/** Whole or not at all. Throws SetupFailure. */
export function writeSessions(file: string, sessions: readonly KeptSession[]): void {
  const temporary = path.join(path.dirname(file), `.${path.basename(file)}.${randomBytes(8).toString('hex')}`);
  try {
    makePrivateFolder(path.dirname(file));
    writeFileSync(temporary, `${JSON.stringify({ sessions })}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    const { code = String(error) } = error as NodeJS.ErrnoException;
    throw new SetupFailure(
      `${file} cannot be written (${code}), so nobody can be signed in. Make room or mend its rights.`,
      {
        cause: error,
      },
    );
  }
}
