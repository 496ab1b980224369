/** What there is below a folder, for whoever picks one to work in: names of folders, nothing of what is in them. */
import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { MisuseFailure, ToolFailure } from '../../contract/failure.ts';
import type { FolderListing } from '../../contract/folders.ts';
import { chooseWorkspace, type WorkspaceRules } from './choose-workspace.ts';

const maxFolders = 500;

/** `wanted` omitted: the user's home. Rejects with ToolFailure('not_found') or ToolFailure('invalid_input'). */
export async function listFolders(wanted: string | undefined, rules: WorkspaceRules): Promise<FolderListing> {
  const folder = await openedFolder(wanted === undefined || wanted === '' ? rules.userHome : expand(wanted, rules));
  const [refusal, entries] = await Promise.all([
    chooseWorkspace(folder, rules).then(() => undefined, refusalText),
    readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
      throw cannotOpen(folder, error);
    }),
  ]);
  const names = new Set(entries.map(({ name }) => name));
  const visible = entries.filter(({ name }) => !name.startsWith('.'));
  const isFolder = await Promise.all(
    visible.map(async (entry) =>
      entry.isSymbolicLink() ? leadsToFolder(path.join(folder, entry.name)) : entry.isDirectory(),
    ),
  );
  const folders = visible
    .filter((_, at) => isFolder[at] === true)
    .map(({ name }) => name)
    .toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true, sensitivity: 'base' }));
  return {
    path: folder,
    ...(folder === '/' ? {} : { parent: path.dirname(folder) }),
    ...(refusal === undefined ? {} : { refusal }),
    isGit: names.has('.git'),
    hasProjectText: names.has('AGENTS.md'),
    folders: folders.slice(0, maxFolders),
    hidden: Math.max(0, folders.length - maxFolders),
  };
}

function expand(wanted: string, { userHome }: WorkspaceRules): string {
  if (wanted === '~' || wanted.startsWith('~/')) return path.join(userHome, wanted.slice(1));
  if (path.isAbsolute(wanted) && !wanted.includes('\0')) return wanted;
  throw new ToolFailure('invalid_input', 'Write the whole path of a folder: /home/you/project, or ~/project.');
}

async function openedFolder(wanted: string): Promise<string> {
  try {
    const folder = await realpath(wanted);
    if ((await stat(folder)).isDirectory()) return folder;
  } catch (error) {
    throw cannotOpen(wanted, error);
  }
  throw new ToolFailure('invalid_input', `${wanted} is no folder. Name one that is.`);
}

function cannotOpen(folder: string, error: unknown): ToolFailure {
  const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new ToolFailure('not_found', `There is no folder ${folder}. Name one that is there.`);
  return new ToolFailure('invalid_input', `${folder} cannot be opened (${code}). Name another folder.`);
}

const leadsToFolder = (link: string): Promise<boolean> =>
  stat(link).then(
    (facts) => facts.isDirectory(),
    // It leads nowhere, or to where we may not look.
    () => false,
  );

/** Without what a person at a page cannot do. */
function refusalText(error: unknown): string {
  if (!(error instanceof MisuseFailure)) throw error;
  return error.message.replace(/ (?:Go to a project's folder|Make it first), or name .*$/, '');
}
