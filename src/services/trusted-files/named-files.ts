/** Files and folders of the workspace that a trusted file of the user's names: changing them is changing it. */
import { posix } from 'node:path';
import { isInside } from '../../base/is-inside.ts';
import { type FileType, typeOfFile } from './folder-role.ts';
import { parseGitConfig } from './git-config-text.ts';
import type { KnownFile } from './known-file.ts';
import type { Folders } from './look-through.ts';

/** By path below the workspace. A folder counts with everything in it; `hook` for folders of hooks. */
export function findNamedFiles(
  files: ReadonlyMap<string, KnownFile>,
  folders: Folders,
  workspace: string,
): Map<string, FileType> {
  const named = new Map<string, FileType>();
  const add = (folder: string, target: string, type: FileType): void => {
    const absolute = posix.resolve(workspace, folder, target);
    if (absolute !== workspace && isInside(absolute, workspace)) named.set(absolute.slice(workspace.length + 1), type);
  };
  for (const [path, file] of files) {
    const folder = posix.dirname(path);
    const text = file.bytes?.toString('latin1');
    if (text === undefined) continue;
    const type = typeOfFile(folders.get(folder === '.' ? '' : folder)?.role ?? 'plain', path.split('/'));
    if (file.kind === 'link') {
      if (type !== undefined && type !== 'pointer') add(folder, text, type);
    } else if (type === 'config') {
      for (const { key, value } of parseGitConfig(text) ?? []) {
        if (value === undefined || value === '') continue;
        // git-config(1): of a working tree, relative to its top; `.git` lies there.
        if (key === 'core.hookspath')
          add(posix.basename(folder) === '.git' ? posix.dirname(folder) : folder, value, 'hook');
        if (key === 'include.path' || /^includeif\..*\.path$/i.test(key)) add(folder, value, 'config');
      }
    }
  }
  return named;
}
