/** One companion per folder: a lock of the kernel's, and the socket that belongs to whoever holds it. */
import { closeSync, constants, fstatSync, openSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { makePrivateFolder } from '../../base/make-private-folder.ts';
import { type CompanionPlace, socketPath } from './companion-place.ts';

export type Claim = {
  /** Rejects when the socket cannot be made. */
  listen(onConnection: (socket: Socket) => void): Promise<Server>;
  /** `unreachable`: somebody removed the socket. `gone`: the whole folder. */
  look(): 'there' | 'unreachable' | 'gone';
  /** After the server was closed, which takes the socket away: what connects later finds nobody, not somebody who leaves. */
  release(): void;
};

/**
 * Undefined while another process holds it. Node has no flock; SQLite's lock of an empty file is one of the kernel's
 * (fcntl): it ends with the process, however that ends, so that no claim is ever stale.
 */
export function claimPlace({ folder, lockFile }: CompanionPlace): Claim | undefined {
  makePrivateFolder(folder);
  createIfMissing(lockFile);
  const lock = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    const { errcode } = error as { errcode?: unknown };
    // https://www.sqlite.org/rescode.html: busy, with any extension.
    if (typeof errcode === 'number' && (errcode & 0xff) === 5) return undefined;
    throw error;
  }
  const handle = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  const path = socketPath(handle);
  return {
    listen(onConnection) {
      // Of a companion that was killed: nobody else listens, since the lock is ours.
      rmSync(path, { force: true });
      const server = createServer(onConnection);
      return new Promise((resolve, reject) => {
        server.once('error', reject);
        const before = process.umask(0o177);
        // Bound at once, so that the mask holds for it and for nothing else.
        server.listen(path, () => resolve(server));
        process.umask(before);
      });
    },
    look() {
      const now = statSync(folder, { throwIfNoEntry: false });
      if (now === undefined || now.ino !== fstatSync(handle).ino) return 'gone';
      return statSync(path, { throwIfNoEntry: false })?.isSocket() === true ? 'there' : 'unreachable';
    },
    release() {
      closeSync(handle);
      lock.close();
    },
  };
}

/** Opened and closed before SQLite has it: closing a descriptor later would drop SQLite's lock. */
function createIfMissing(lockFile: string): void {
  try {
    closeSync(
      openSync(lockFile, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // It stays there between uses.
  }
}
