/** Which pages are generated, from what, and whether they are up to date. */
import type { Problem, SourceFile } from '../check/source-files.ts';

export async function findOutdatedDocs(_root: string, _files: readonly SourceFile[]): Promise<readonly Problem[]> {
  return [];
}
