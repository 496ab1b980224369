/** What people chose in the web app once for all browsers: the first steps are done, where new chats work. */
import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { makePrivateFolder } from '../base/make-private-folder.ts';
import { SetupFailure } from '../contract/failure.ts';
import type { WebWelcome } from '../contract/web-setup.ts';

const schema = z.strictObject({ isDone: z.boolean(), workspace: z.string().min(1).exactOptional() });

export type WebChoices = {
  get(): WebWelcome;
  /** Throws SetupFailure when it cannot be kept. */
  set(choices: WebWelcome): void;
};

/** A file that is missing or damaged holds none: the first steps are shown again. */
export function createWebChoices(file: string): WebChoices {
  return {
    get() {
      try {
        return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
      } catch {
        // Said above; whoever chooses writes it anew.
        return { isDone: false };
      }
    },
    set(choices) {
      const temporary = `${file}.${randomBytes(8).toString('hex')}`;
      try {
        makePrivateFolder(path.dirname(file));
        writeFileSync(temporary, `${JSON.stringify(choices)}\n`, { mode: 0o600, flag: 'wx' });
        renameSync(temporary, file);
      } catch (error) {
        rmSync(temporary, { force: true });
        const { code = String(error) } = error as NodeJS.ErrnoException;
        throw new SetupFailure(`${file} cannot be written (${code}). Make room or mend its rights.`, { cause: error });
      }
    },
  };
}
