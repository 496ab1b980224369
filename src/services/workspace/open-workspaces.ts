/** Where conversations may work: folders that a person names, and new ones for those who name none. */
import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { FolderListing } from '../../contract/folders.ts';
import { chooseWorkspace, type WorkspaceRules } from './choose-workspace.ts';
import { listFolders } from './list-folders.ts';

export type OpenWorkspaces = {
  choose(folder: string): Promise<string>;
  make(conversationId: string): Promise<string>;
  list(folder: string | undefined): Promise<FolderListing>;
};

export function openWorkspaces(rules: WorkspaceRules): OpenWorkspaces {
  return {
    choose: (folder) => chooseWorkspace(folder, rules),
    list: (folder) => listFolders(folder, rules),
    async make(conversationId) {
      const folder = join(rules.workspacesFolder, conversationId);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return realpath(folder);
    },
  };
}
