/**
 * A companion: a process of ours that outlives the program because what it holds does (background jobs, terminals). There is one
 * per folder; whoever needs it starts it (call-companion.ts), the quickest gets the folder (claim.ts), and it ends itself when it
 * holds nothing any more. What is said to it are lines of JSON on a socket in its folder (json-lines.ts).
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../../contract/settings.ts';
import type { StateFolders } from '../state-folder/resolve-state-folders.ts';

export type CompanionPlace = {
  readonly folder: string;
  readonly lockFile: string;
  /** Where failures of the companion itself are written. */
  readonly logFile: string;
};

/** What it makes a sandbox from, as the asking program knows it. Without keys: it stays in memory as long as it lives. */
export type CompanionSources = {
  readonly folders: StateFolders;
  readonly settings: Settings;
  readonly userHome: string;
  readonly programFolder: string;
  readonly environment: Readonly<Record<string, string>>;
};

/** Its exit code when another one has the folder, or is about to leave it: nothing is wrong. */
export const busyExitCode = 75;

export function companionPlace(folder: string): CompanionPlace {
  return { folder, lockFile: join(folder, 'lock'), logFile: join(folder, 'log') };
}

/** unix(7): a socket's name has at most 107 bytes, whatever the path of our folder has. */
export const socketPath = (folderHandle: number): string => `/proc/self/fd/${folderHandle}/socket`;

/** `name`: of a `*.process` file, without its ending. The program is bundled, or it runs from source. */
export function companionProgram(programFolder: string, name: string): string {
  const program = join(programFolder, name);
  return existsSync(`${program}.js`) ? `${program}.js` : `${program}.ts`;
}
