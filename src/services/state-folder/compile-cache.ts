/** Compiled code kept between starts: a warm start compiles nothing. */
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { resolveStateFolders } from './resolve-state-folders.ts';

/** Only in a folder that an earlier start made and found to be ours alone; the first start goes without. */
export function enableCompileCacheIn(environment: Readonly<Record<string, string | undefined>>): void {
  try {
    const { compileCacheFolder } = resolveStateFolders(environment);
    if (existsSync(compileCacheFolder)) enableCompileCache(compileCacheFolder);
  } catch {
    // A state folder that cannot be meant is reported by the command itself.
  }
}
