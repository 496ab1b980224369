/** What the server of the web app finds on this machine: the built app, who is signed in, its password. */
import path from 'node:path';
import { openSecrets } from '../secrets/open-secrets.ts';
import { resolveStateFolders } from './resolve-state-folders.ts';

export type WebPlaces = {
  readonly sessionFile: string;
  readonly webFolder: string;
  /** Of the socket by which a second start finds the first, and of pages that lead to a link. */
  readonly runtimeFolder: string;
  storedPassword(): Promise<string | undefined>;
};

/** `programFolder`: `dist`, or `src` where the program runs from its source. */
export function webPlaces(environment: Readonly<Record<string, string | undefined>>, programFolder: string): WebPlaces {
  const folders = resolveStateFolders(environment);
  return {
    sessionFile: path.join(folders.data, 'web-sessions.json'),
    webFolder: path.join(path.dirname(programFolder), 'dist', 'web'),
    runtimeFolder: folders.runtime,
    storedPassword: () => openSecrets(folders, environment).get('HANDRAIL_WEB_PASSWORD'),
  };
}
