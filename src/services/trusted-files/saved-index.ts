/** Keeps on disk what is known of a workspace, so that the next process need not look through it again before a command. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder } from '../../base/make-private-folder.ts';
import type { Folder, Folders } from './look-through.ts';
import type { KnownFile } from './known-file.ts';
import { workspaceKey } from './running-marks.ts';

export type WorkspaceIndex = {
  readonly folders: Folders;
  readonly files: Map<string, KnownFile>;
};

export type SavedIndex = {
  /** Undefined: never kept, of another folder in the same place, or damaged. */
  load(workspace: string, workspaceId: string): WorkspaceIndex | undefined;
  save(workspace: string, workspaceId: string, index: WorkspaceIndex): void;
};

type Saved = {
  readonly version: 2;
  readonly workspace: string;
  readonly workspaceId: string;
  readonly folders: readonly (readonly [string, Folder])[];
  readonly files: readonly (readonly [string, Omit<KnownFile, 'bytes'> & { readonly bytes?: string }])[];
};

/** More would take longer to read than to list the folders anew. */
const maxSavedFolders = 20_000;

export function createSavedIndex(folder: string): SavedIndex {
  const fileOf = (workspace: string): string => join(folder, `${workspaceKey(workspace)}.json`);
  return {
    load(workspace, workspaceId) {
      try {
        const saved = JSON.parse(readFileSync(fileOf(workspace), 'utf8')) as Saved;
        if (saved.version !== 2 || saved.workspace !== workspace || saved.workspaceId !== workspaceId) return undefined;
        const files = saved.files.map(([path, { bytes, ...rest }]): [string, KnownFile] => [
          path,
          { ...rest, bytes: bytes === undefined ? undefined : Buffer.from(bytes, 'base64') },
        ]);
        return { folders: new Map(saved.folders), files: new Map(files) };
      } catch {
        // Never kept, or cut off by a full disk: everything is looked at anew.
        return undefined;
      }
    },
    save(workspace, workspaceId, { folders, files }) {
      const saved: Saved = {
        version: 2,
        workspace,
        workspaceId,
        folders: [...folders].slice(0, maxSavedFolders),
        files: [...files].map(([path, { bytes, ...rest }]) => [
          path,
          { ...rest, ...(bytes === undefined ? {} : { bytes: bytes.toString('base64') }) },
        ]),
      };
      const draft = `${fileOf(workspace)}.${process.pid}.draft`;
      try {
        makePrivateFolder(folder);
        writeFileSync(draft, JSON.stringify(saved), { mode: 0o600 });
        renameSync(draft, fileOf(workspace));
      } catch {
        // A full disk: the next process looks at everything anew.
        rmSync(draft, { force: true });
      }
    },
  };
}
