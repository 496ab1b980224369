/** Puts a finished build into dist/ such that a program which runs from there never misses a file. */
import { randomUUID } from 'node:crypto';
import { glob, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Chunks carry their content's hash, so they are added first and never changed; entries are replaced by a rename each.
 * A program that started before the build still loads its old chunks lazily: they stay for `keepOldChunksMs`.
 */
export async function installFiles(
  dist: string,
  files: ReadonlyMap<string, string | Uint8Array>,
  { keepOldChunksMs }: { readonly keepOldChunksMs: number },
): Promise<void> {
  const names = [...files.keys()].sort((left, right) => Number(isChunk(right)) - Number(isChunk(left)));
  for (const name of names) await replaceFile(path.join(dist, name), files.get(name) ?? '');
  for await (const name of glob('**/*', { cwd: dist })) {
    const file = path.join(dist, name);
    const info = await stat(file);
    if (info.isDirectory() || files.has(name) || name === '.stamp') continue;
    if (isChunk(name) && Date.now() - info.mtimeMs < keepOldChunksMs) continue;
    await rm(file);
  }
}

/** An open page asks for its chunks late as well. */
const isChunk = (name: string): boolean => name.startsWith('chunks/') || name.startsWith('web/assets/');

async function replaceFile(file: string, content: string | Uint8Array): Promise<void> {
  if ((await readOrUndefined(file))?.equals(Buffer.from(content)) === true) return;
  await mkdir(path.dirname(file), { recursive: true });
  const unfinished = `${file}.${randomUUID()}`;
  await writeFile(unfinished, content);
  await rename(unfinished, file);
}

async function readOrUndefined(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch {
    // Not there yet; a file that cannot be read is replaced as well.
    return undefined;
  }
}
