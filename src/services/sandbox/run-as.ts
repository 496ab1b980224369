/** Decides which user a command is on the machine, and which one it believes to be inside. */
import { readFileSync } from 'node:fs';

export type RunAs = {
  /** The user on the machine that the sandbox's processes belong to. */
  readonly uid: number;
  readonly gid: number;
  /**
   * `self`: we are that user. `dropped`: we are root and the workspace is an ordinary user's.
   * `root`: we are root and so is the workspace: nothing to drop to that could write it.
   */
  readonly manner: 'self' | 'dropped' | 'root';
  /** Never 0: tar, npm, initdb and others behave differently as root, and inside there is no root's power to match. */
  readonly insideUid: number;
  readonly insideGid: number;
};

const ordinaryId = 1000;

export function decideRunAs(
  /** Who the workspace belongs to. */
  owner: number,
  own: { readonly uid: number; readonly gid: number } = ownIds(),
  passwd: () => string = () => readFileSync('/etc/passwd', 'utf8'),
): RunAs {
  if (own.uid !== 0) {
    return {
      uid: own.uid,
      gid: own.gid,
      manner: 'self',
      insideUid: own.uid,
      insideGid: own.gid === 0 ? ordinaryId : own.gid,
    };
  }
  if (owner === 0) return { uid: 0, gid: 0, manner: 'root', insideUid: ordinaryId, insideGid: ordinaryId };
  const gid = primaryGroup(owner, passwd());
  return { uid: owner, gid, manner: 'dropped', insideUid: owner, insideGid: gid };
}

/** passwd(5). A user without an entry gets the group of the same number, never root's. */
function primaryGroup(uid: number, passwd: string): number {
  for (const line of passwd.split('\n')) {
    const fields = line.split(':');
    if (Number(fields[2]) === uid && fields[2] !== '' && fields[2] !== undefined) {
      const gid = Number(fields[3]);
      if (Number.isInteger(gid) && gid > 0) return gid;
    }
  }
  return uid;
}

function ownIds(): { uid: number; gid: number } {
  return { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 };
}

/**
 * Root keeps one private folder per user it drops to, which holds that user's home: nobody else's commands can have written
 * there. Undefined when the plain home is used.
 */
export function droppedFolderFor(homeFolder: string, runAs: RunAs): string | undefined {
  return runAs.manner === 'dropped' ? `${homeFolder}-of-${runAs.uid}` : undefined;
}

/** Where the private home lies on the machine. */
export function homeFolderFor(homeFolder: string, runAs: RunAs): string {
  const folder = droppedFolderFor(homeFolder, runAs);
  return folder === undefined ? homeFolder : `${folder}/home`;
}
