/** Puts the switch of one tool into settings.json; everything else in the file stays what it was. */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { SetupFailure } from '../../contract/failure.ts';
import { parseSettingsText } from './parse-settings-text.ts';
import { validateSettings } from './validate-settings.ts';

/** Rejects with SetupFailure; the file is then as it was. `id`: the tool's own name. */
export async function writeToolSwitch(file: string, id: string, isOn: boolean): Promise<void> {
  try {
    // A link to the file (of people who keep their settings elsewhere) stays a link.
    const target = await realpath(file).catch(() => file);
    const bytes = await readFile(target).catch(ifMissing);
    const value = bytes === undefined ? {} : parseSettingsText(bytes, file);
    const changed = { ...value, [`tool_enabled_${id}`]: isOn };
    validateSettings(changed, file);
    const indent = /^\ufeff?\s*\{\s*?\n([ \t]+)"/.exec(bytes?.toString('utf8') ?? '')?.[1] ?? '  ';
    const mode = bytes === undefined ? 0o600 : (await stat(target)).mode & 0o777;
    await replace(target, `${JSON.stringify(changed, undefined, indent)}\n`, mode);
  } catch (error) {
    if (error instanceof SetupFailure) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new SetupFailure(`${file} cannot be written (${code}). Nothing was changed.`, { cause: error });
  }
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** A reader sees the old file or the new one, also after a power cut: the data is on disk before its name is. */
async function replace(file: string, text: string, mode: number): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = join(dirname(file), `.${basename(file)}.${randomUUID()}`);
  try {
    const handle = await open(temporary, 'wx', mode);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
