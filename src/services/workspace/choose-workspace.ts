/** The folder a conversation works in: where it may be, and where it must not. */
import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { isInside } from '../../base/is-inside.ts';
import { MisuseFailure } from '../../contract/failure.ts';

export type WorkspaceRules = {
  /** The user's home: it and whatever holds it would open every key and profile in it to the tools. */
  readonly userHome: string;
  /** Our own folders. */
  readonly stateRoots: readonly string[];
  /** Below the state folder, but made for this. */
  readonly workspacesFolder: string;
};

/** Absolute, links followed. Rejects with MisuseFailure that says which folder to take instead. */
export async function chooseWorkspace(wanted: string | undefined, rules: WorkspaceRules): Promise<string> {
  const folder = await realFolder(absoluteFolder(wanted));
  const home = await realOrSame(rules.userHome);
  if (folder === '/') throw refused('/', 'it is the whole machine');
  if (folder === home) throw refused(folder, 'it is your home folder, with your keys and profiles in it');
  if (isInside(home, folder)) throw refused(folder, `your home folder ${home} lies in it`);
  const ours = await realOrSame(rules.workspacesFolder);
  for (const each of rules.stateRoots) {
    const root = await realOrSame(each);
    if (folder === root || (isInside(folder, root) && !(isInside(folder, ours) && folder !== ours))) {
      throw refused(folder, "it belongs to Handrail's own state");
    }
  }
  return folder;
}

/** `wanted` undefined: the current directory. An empty name is a script's unset variable, and must not mean it. */
function absoluteFolder(wanted: string | undefined): string {
  if (wanted === '') throw new MisuseFailure('--workspace is empty. Name a folder, or leave it out.');
  try {
    return wanted === undefined ? process.cwd() : path.resolve(wanted);
  } catch (error) {
    throw new MisuseFailure('The current directory was removed. Go to another folder, or name one with --workspace.', {
      cause: error,
    });
  }
}

function refused(folder: string, why: string): MisuseFailure {
  return new MisuseFailure(
    `${folder} cannot be the workspace: ${why}. Go to a project's folder, or name one with --workspace.`,
  );
}

async function realFolder(folder: string): Promise<string> {
  try {
    const real = await realpath(folder);
    if ((await stat(real)).isDirectory()) {
      await access(real, constants.R_OK | constants.X_OK);
      return real;
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const why = code === 'ENOENT' ? 'does not exist' : `cannot be opened (${code ?? 'unknown reason'})`;
    throw new MisuseFailure(`The workspace ${folder} ${why}. Make it first, or name another with --workspace.`, {
      cause: error,
    });
  }
  throw new MisuseFailure(`The workspace ${folder} is no folder. Name one with --workspace.`);
}

/** A place that does not exist yet has no links to follow. */
function realOrSame(folder: string): Promise<string> {
  return realpath(folder).catch(() => path.resolve(folder));
}
