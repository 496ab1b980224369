/** What the user accepted in a workspace, by path and content, so that no running command's check takes it away again. */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder } from '../../base/make-private-folder.ts';
import { workspaceKey } from './running-marks.ts';

export type AcceptedFiles = {
  /** For all processes, for good. */
  add(workspace: string, path: string, hash: string): void;
  /** For this process: what a call of the file tools wrote after it was approved. */
  addForNow(workspace: string, path: string, hash: string): void;
  has(workspace: string, path: string, hash: string): boolean;
};

export function createAcceptedFiles(folder: string): AcceptedFiles {
  const forNow = new Set<string>();
  const fileOf = (workspace: string): string => join(folder, `${workspaceKey(workspace)}.accepted`);
  const lineOf = (path: string, hash: string): string => JSON.stringify([path, hash]);
  return {
    add(workspace, path, hash) {
      makePrivateFolder(folder);
      appendFileSync(fileOf(workspace), `${lineOf(path, hash)}\n`, { mode: 0o600 });
    },
    addForNow: (workspace, path, hash) => void forNow.add(workspaceKey(workspace) + lineOf(path, hash)),
    has(workspace, path, hash) {
      const line = lineOf(path, hash);
      if (forNow.has(workspaceKey(workspace) + line)) return true;
      try {
        return readFileSync(fileOf(workspace), 'utf8').split('\n').includes(line);
      } catch {
        // Nothing was accepted here yet.
        return false;
      }
    },
  };
}
