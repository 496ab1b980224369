/** A folder with given files that is gone when the test ends. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** `files`: text by name. Gives the folder's path. */
export async function createTemporaryTree(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const root = await mkdtemp(path.join(os.tmpdir(), 'handrail-tree-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(root, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return root;
}
