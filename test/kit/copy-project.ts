/** A copy of this project as a clone would have it, in a folder of its own, for tests that build or install. */
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

const root = path.join(import.meta.dirname, '../..');
const leftOut = new Set(['.git', '.cache', 'dist', 'node_modules']);

/** `linksPackages`: the copy uses the packages of this project; else it has none. The folder's name has a space in it. */
export async function copyProject(options: { readonly linksPackages: boolean }): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'handrail clone-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(root, folder, { recursive: true, filter: (name) => !leftOut.has(path.relative(root, name)) });
  if (options.linksPackages) await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  return folder;
}
