/**
 * Where ssh keeps the sockets of connections that calls of one conversation share (ControlPath, ssh_config(5)): in the sandbox in
 * its own /tmp, on the host rung in a folder that nobody else can enter and that goes with the conversation's shell.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What `ssh_exec` reads. Where it is not set, every call logs in by itself: no other place is safe from other users. */
export const controlPathName = 'HANDRAIL_SSH';

/** In a sandbox with a /tmp of the conversation's own. Ssh puts a hash of host, port and user in the place of %C. */
export const insideControlPath = '/tmp/.handrail-ssh-%C';

export type ConnectionFolder = {
  /** As a value of ControlPath. */
  readonly controlPath: string;
  close(): void;
};

const prefix = 'handrail-ssh-';
/** unix(7): a socket's name has at most 107 bytes; ssh needs 40 for the hash and 17 more while it makes the socket (mux.c). */
const maxFolderBytes = 107 - 1 - 40 - 17;

/** Throws system errors. */
export function createConnectionFolder(parent = tmpdir()): ConnectionFolder {
  const name = `${prefix}${process.pid}-`;
  const isShort = Buffer.byteLength(join(parent, `${name}XXXXXX`)) <= maxFolderBytes;
  const place = isShort ? parent : '/tmp';
  removeOrphans(place);
  // Mode 0700: mkdtemp(3).
  const folder = mkdtempSync(join(place, name));
  return { controlPath: `${folder}/%C`, close: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Those of programs of ours that were killed. What kept their connections ends by itself, as ControlPersist says. */
function removeOrphans(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = /^handrail-ssh-(\d+)-/.exec(name)?.[1];
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue;
    try {
      rmSync(join(parent, name), { recursive: true, force: true });
    } catch {
      // Another user's, who shares this folder with us.
    }
  }
}
