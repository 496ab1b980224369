/** The absolute path that a person or model means by what they wrote; nothing on disk is looked at. */
import { resolve } from 'node:path';

export function absolutePath(path: string, workspace: string, homePath: string): string {
  return resolve(workspace, path === '~' || path.startsWith('~/') ? homePath + path.slice(1) : path);
}
