/** Where the web app lies and where its server keeps who is signed in. */
import path from 'node:path';
import { resolveStateFolders } from './resolve-state-folders.ts';

/** `programFolder`: `dist`, or `src` where the program runs from its source. */
export function webPlaces(environment: Readonly<Record<string, string | undefined>>, programFolder: string) {
  return {
    sessionFile: path.join(resolveStateFolders(environment).data, 'web-sessions.json'),
    webFolder: path.join(path.dirname(programFolder), 'dist', 'web'),
  };
}
