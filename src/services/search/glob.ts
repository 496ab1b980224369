/** Files by glob: ripgrep lists them, else find; the pattern is matched here, so that both mean the same. */
import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { compileGlob } from '../../base/match-glob.ts';
import { ToolFailure } from '../../contract/failure.ts';
import type { FindBinary } from './find-binary.ts';
import { createNameReader } from './read-records.ts';
import { commonArguments, ignoreArguments } from './ripgrep-arguments.ts';
import { runProgram } from './run-program.ts';
import { comparePaths, kernelFolders, type SearchRoot } from './search-root.ts';

/** Beyond this many names find's unsorted list is cut before it is sorted. */
const maxUnsortedNames = 200_000;

/** Real paths, sorted. Hidden files count, `.git` does not, nor what .gitignore names (where ripgrep is there to tell). */
export async function globFiles(
  pattern: string,
  root: SearchRoot,
  limit: number,
  findBinary: FindBinary,
): Promise<{ readonly files: readonly string[]; readonly truncated: boolean }> {
  const isMatch = compileGlob(pattern);
  if (isMatch === undefined)
    throw new ToolFailure('invalid_input', `The pattern ${pattern} has too many alternatives in braces. Use fewer.`);
  const isReal = createParentCheck();
  const collect = (most: number): { found: string[]; read: (chunk: Buffer) => boolean } => {
    const found: string[] = [];
    const read = createNameReader((bytes) => {
      const name = bytes.toString('utf8').replace(/^\.\//, '');
      const realPath = root.realPathOf(name);
      if (isMatch(name) && root.guard.mayVisit(realPath, root.located) && isReal(realPath)) found.push(realPath);
      return found.length < most;
    });
    return { found, read };
  };
  const ripgrep = await findBinary('rg');
  const sorted = ripgrep !== undefined;
  const program = ripgrep ?? (await findBinary('find'));
  if (program === undefined)
    throw new ToolFailure(
      'unavailable',
      'Neither ripgrep (rg) nor find is installed, so files cannot be listed. Install one, for example with: apt-get install ripgrep',
    );
  const args = sorted
    ? ['--files', '--sort=path', ...commonArguments(root), ...(await ignoreArguments(root, true)), '--', '.']
    : findArguments(root);
  const { found, read } = collect(sorted ? limit + 1 : maxUnsortedNames);
  await runProgram({ program, args, folder: root.folder, signal: root.guard.signal, read });
  const files = sorted ? found : found.toSorted(comparePaths);
  return { files: files.slice(0, limit), truncated: files.length > limit };
}

function findArguments(root: SearchRoot): readonly string[] {
  const pruned = root.folderRealPath === '/' ? kernelFolders.flatMap((folder) => ['-o', '-path', `.${folder}`]) : [];
  return ['.', '(', '-name', '.git', ...pruned, ')', '-prune', '-o', '-type', 'f', '-print0'];
}

/**
 * Whether a folder is still at the path by which it was walked: a folder swapped for a link while the program walks would
 * else tell the names of files elsewhere. One look per folder.
 */
export function createParentCheck(): (realPath: string) => boolean {
  let last: string | undefined;
  let isLastReal = false;
  return (realPath) => {
    const parent = dirname(realPath);
    if (parent !== last) {
      last = parent;
      isLastReal = isItself(parent);
    }
    return isLastReal;
  };
}

function isItself(folder: string): boolean {
  try {
    return realpathSync.native(folder) === folder;
  } catch {
    return false; // Gone since.
  }
}
