/** Finds proot (ptrace-based path rewriting) and says what its version can and cannot do. */
import { findProgram, isAtLeast, readVersion } from './find-bubblewrap.ts';

export type Proot = {
  readonly path: string;
  readonly version: string;
  /**
   * From 5.4.0: statx(2) and faccessat2(2) are rewritten. Before (Debian 12 has 5.1.0) they see the machine's own files: `ls -l`
   * and Node then deny that there is a file which was just written, wherever a folder lies at another place inside than outside.
   */
  readonly rewritesStatx: boolean;
};

export type ProotSearch =
  | { readonly found: Proot }
  | { readonly found: undefined; readonly problem: 'missing' | 'broken'; readonly reason: string };

export async function findProot(folders?: readonly string[]): Promise<ProotSearch> {
  const path = findProgram('proot', folders);
  if (path === undefined) return { found: undefined, problem: 'missing', reason: 'proot is not installed' };
  const version = await readVersion(path);
  if (version === undefined)
    return { found: undefined, problem: 'broken', reason: `${path} --version does not answer` };
  return { found: { path, version, rewritesStatx: isAtLeast(version, '5.4.0') } };
}

/** No version is a wall: openat2(2) passes all of them, and whoever may trace may also stop being traced. */
export const prootWarning =
  'proot is compatibility, not isolation: it rewrites the paths of programs that play along. Commands can reach the whole machine and its network with your rights, so each of them is asked about.';

export function statxWarning(version: string): string {
  return `proot ${version} does not rewrite statx: the home keeps its real place, and a Linux userland cannot be used with it. 5.4.0 or newer can.`;
}
