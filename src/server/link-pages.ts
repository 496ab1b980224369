/**
 * Files that lead the user's own browser to a one-time link. Everybody on the machine can read the arguments of a program, so the
 * link must not stand among those of the browser: it stands in a file that only its owner can read, and not for long.
 */
import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makePrivateFolder } from '../base/make-private-folder.ts';

const keptMs = 60_000;

export type LinkPages = {
  /** The path of a new one. Throws the file system's own error. */
  write(link: string): string;
  /** Takes away what a killed server left. */
  sweep(): void;
  close(): void;
};

export function createLinkPages(folder: string): LinkPages {
  const written = new Map<string, NodeJS.Timeout>();
  const remove = (file: string): void => {
    clearTimeout(written.get(file));
    written.delete(file);
    rmSync(file, { force: true });
  };
  return {
    write(link) {
      makePrivateFolder(folder);
      const file = path.join(folder, `open-${randomBytes(8).toString('hex')}.html`);
      // The link is made of letters, digits and - _ : / . [ ] alone.
      writeFileSync(file, page(link), { mode: 0o600, flag: 'wx' });
      written.set(file, setTimeout(() => remove(file), keptMs).unref());
      return file;
    },
    sweep() {
      const left = readdirSync(folder).filter((name) => /^open-[0-9a-f]{16}\.html$/.test(name));
      for (const name of left) rmSync(path.join(folder, name), { force: true });
    },
    close() {
      for (const file of written.keys()) remove(file);
    },
  };
}

const page = (link: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0; url=${link}"><title>Handrail</title><p><a href="${link}">Handrail</a></p></html>\n`;
