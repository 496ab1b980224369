/** Finds the bubblewrap that may be trusted with a sandbox, and says what its version can do. */
import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';

export type Bubblewrap = {
  readonly path: string;
  readonly version: string;
  /** `--disable-userns`, from 0.8.0. */
  readonly canDisableUserNamespaces: boolean;
  /** `--size`, from 0.7.0. */
  readonly canLimitTmpfs: boolean;
};

export type BubblewrapSearch =
  | { readonly found: Bubblewrap }
  | {
      readonly found: undefined;
      readonly problem: 'missing' | 'setuid' | 'too-old' | 'broken';
      readonly reason: string;
    };

/** The system's own folders only: a PATH entry could be a folder that a command of ours was able to write. */
const systemFolders = ['/usr/bin', '/usr/local/bin', '/bin', '/run/current-system/sw/bin'];

/** `--perms`, `--clearenv` and `--json-status-fd` are all there from this version on. */
const oldestVersion = '0.5.0';

export async function findBubblewrap(folders: readonly string[] = systemFolders): Promise<BubblewrapSearch> {
  const path = findProgram('bwrap', folders);
  if (path === undefined) return { found: undefined, problem: 'missing', reason: 'bubblewrap is not installed' };
  // setuid bubblewrap sets the sandbox up with the real root's rights: CVE-2026-41163.
  if ((statSync(path).mode & 0o6000) !== 0) {
    return { found: undefined, problem: 'setuid', reason: `${path} is installed setuid, which is not safe` };
  }
  const version = await readVersion(path);
  if (version === undefined)
    return { found: undefined, problem: 'broken', reason: `${path} --version does not answer` };
  if (!isAtLeast(version, oldestVersion)) {
    const reason = `bubblewrap ${version} is too old: ${oldestVersion} or newer is needed`;
    return { found: undefined, problem: 'too-old', reason };
  }
  return {
    found: {
      path,
      version,
      canDisableUserNamespaces: isAtLeast(version, '0.8.0'),
      canLimitTmpfs: isAtLeast(version, '0.7.0'),
    },
  };
}

/** Undefined when none of the folders has it. Links are followed: a system's programs may be links. */
export function findProgram(name: string, folders: readonly string[] = systemFolders): string | undefined {
  return folders.map((folder) => `${folder}/${name}`).find(isExecutableFile);
}

export function isAtLeast(version: string, wanted: string): boolean {
  const have = version.split('.').map(Number);
  for (const [position, figure] of wanted.split('.').map(Number).entries()) {
    const own = have[position] ?? 0;
    if (own !== figure) return own > figure;
  }
  return true;
}

function isExecutableFile(path: string): boolean {
  const info = statSync(path, { throwIfNoEntry: false });
  return info !== undefined && info.isFile() && (info.mode & 0o111) !== 0;
}

/** What `--version` says, if it says anything in time. */
export function readVersion(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(path, ['--version'], { timeout: 5000, env: {} }, (error, stdout) => {
      resolve(error === null ? /(\d+\.\d+(?:\.\d+)?)/.exec(stdout)?.[1] : undefined);
    });
  });
}
