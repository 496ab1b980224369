/** The type declarations of the library: those that `main.ts` needs, and no others. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

/** Declaration files by name relative to dist/. */
export async function emitDeclarations(root: string): Promise<Map<string, string>> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'handrail-types-'));
  try {
    await promisify(execFile)(process.execPath, [
      path.join(root, 'node_modules/typescript/bin/tsc'),
      '-p',
      path.join(root, 'tsconfig.types.json'),
      '--outDir',
      folder,
    ]).catch((error: { readonly stdout?: string }) => {
      throw new Error(`the declarations cannot be made: ${error.stdout ?? String(error)}`);
    });
    return await readReachable(folder, 'main.d.ts');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readReachable(folder: string, entry: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const open = [entry];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    const name = path.posix.join('types', file);
    if (found.has(name)) continue;
    const text = await readFile(path.join(folder, file), 'utf8');
    // A consumer's compiler may resolve `./x.js` to `./x.d.ts`, not `./x.ts`.
    found.set(name, text.replaceAll(/((?:from|import)\s*\(?\s*['"]\.[^'"]+)\.ts(['"])/g, '$1.js$2'));
    for (const [, specifier = ''] of text.matchAll(/(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g)) {
      open.push(path.posix.join(path.posix.dirname(file), specifier.replace(/\.[jt]s$/, '.d.ts')));
    }
  }
  return found;
}
