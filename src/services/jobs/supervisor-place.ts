/** Where the supervisor of a state folder is found. */
import { join } from 'node:path';

export type SupervisorPlace = {
  readonly folder: string;
  readonly lockFile: string;
  /** Where failures of the supervisor itself are written. */
  readonly logFile: string;
};

/** Names of conversations do not begin with a dot. */
export function supervisorPlace(jobsFolder: string): SupervisorPlace {
  const folder = join(jobsFolder, '.supervisor');
  return { folder, lockFile: join(folder, 'lock'), logFile: join(folder, 'log') };
}

/** unix(7): a socket's name has at most 107 bytes, whatever the path of our folder has. */
export const socketPath = (folderHandle: number): string => `/proc/self/fd/${folderHandle}/socket`;
