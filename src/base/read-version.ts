/** The version a package says of itself. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** `folder` holds its package.json. Rejects when it has none. */
export async function readVersion(folder: string): Promise<string> {
  const { version } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as { version: string };
  return version;
}
