/** The file of secrets: plain JSON, ours alone, never followed through a link. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { SetupFailure } from '../../contract/failure.ts';

/** Its text is no list of secrets; what it is cannot be said without showing it. */
export class DamagedSecretFile extends SetupFailure {}

const maxBytes = 1024 * 1024;

/** Empty when there is no file. Rejects with SetupFailure when others could have read or changed it. */
export async function readSecretFile(file: string): Promise<Map<string, string>> {
  const handle = await openExisting(file);
  if (handle === undefined) return new Map();
  try {
    const info = await handle.stat();
    if (!info.isFile()) throw new SetupFailure(`${file} is no file: move it away.`);
    if (info.uid !== process.geteuid?.()) {
      throw new SetupFailure(
        `${file} belongs to another user (number ${info.uid}): run Handrail as that user, or move the file away.`,
      );
    }
    if ((info.mode & 0o077) !== 0) {
      throw new SetupFailure(
        `Other users can read ${file}: run "chmod 600 '${file}'", and change the keys in it if somebody may have read them.`,
      );
    }
    if (info.size > maxBytes) throw damaged(file);
    return parse(await handle.readFile('utf8'), file);
  } finally {
    await handle.close();
  }
}

async function openExisting(file: string): Promise<FileHandle | undefined> {
  try {
    // Without NONBLOCK the opening of a named pipe would wait for ever.
    return await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code === 'ELOOP') throw new SetupFailure(`${file} is a link: put the file itself there.`, { cause: error });
    if (code === 'EACCES' || code === 'EPERM' || code === 'ENOTDIR') {
      throw new SetupFailure(
        `${file} cannot be read (${code}): make it and its folder yours, for example with "chown".`,
        { cause: error },
      );
    }
    throw error;
  }
}

function parse(text: string, file: string): Map<string, string> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // No cause: its message repeats a part of the text.
    throw damaged(file);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw damaged(file);
  const secrets = new Map<string, string>();
  for (const [name, secret] of Object.entries(value)) {
    if (typeof secret !== 'string') throw damaged(file);
    secrets.set(name, secret);
  }
  return secrets;
}

const damaged = (file: string) =>
  new DamagedSecretFile(
    `${file} is damaged and was left as it is: mend it, or set the secret again with \`handrail secrets set NAME\`, which moves the damaged file aside first.`,
  );
