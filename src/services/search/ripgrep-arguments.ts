/** What every run of ripgrep is told. */
import { lstat } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { isInside } from '../../base/is-inside.ts';
import { kernelFolders, type SearchRoot } from './search-root.ts';

/** Hidden files are searched, git's own data is not, links are not followed, and no configuration file counts. */
export function commonArguments(root: SearchRoot): readonly string[] {
  // Read as files they block, or act.
  const kernels = kernelFolders
    .filter((folder) => isInside(folder, root.folderRealPath))
    .map((folder) => `/${relative(root.folderRealPath, folder)}`);
  return [
    '--no-config',
    '--no-messages',
    '--color=never',
    '--hidden',
    '--null',
    '--glob=!.git',
    ...kernels.map((folder) => `--glob=!${folder}`),
  ];
}

/**
 * Below a git repository the repository's own ignore files count, as git has it. Elsewhere only those inside the folder
 * do: many people keep a `.gitignore` with a lone `*` in their home.
 */
export async function ignoreArguments(root: SearchRoot, honoursIgnoreFiles: boolean): Promise<readonly string[]> {
  if (!honoursIgnoreFiles) return ['--no-ignore'];
  for (let folder = root.folderRealPath; ; folder = dirname(folder)) {
    const git = await lstat(`${folder === '/' ? '' : folder}/.git`).catch(() => undefined); // Not there, or not to be seen: no repository for us.
    if (git !== undefined) return ['--no-ignore-global'];
    if (folder === '/') return ['--no-ignore-global', '--no-require-git', '--no-ignore-parent'];
  }
}
