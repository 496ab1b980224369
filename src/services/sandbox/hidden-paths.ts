/** What must not be seen although it lies inside the workspace: our own state, credentials, sockets of other programs. */
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isInside } from './path-relation.ts';

export type HiddenPath = {
  readonly path: string;
  readonly kind: 'folder' | 'file';
  /** `device:inode` of what is hidden: the sandbox looks that it really does not see it. */
  readonly id: string;
  /**
   * The folders between the workspace and it. Each is bound onto itself: a mount point cannot be renamed by a command,
   * so that it cannot move what is hidden to where nobody hides it.
   */
  readonly pins: readonly string[];
};

/** In a home folder, and in any project by habit. Relative to the workspace's root. */
export const credentialNames = [
  '.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker/config.json', '.config/gcloud', '.config/gh', '.config/hub',
  '.config/google-chrome', '.config/chromium', '.config/BraveSoftware', '.config/microsoft-edge', '.mozilla',
  '.thunderbird', '.local/share/keyrings', '.password-store', '.netrc', '.git-credentials', '.pypirc', '.pgpass',
  '.my.cnf', '.cargo/credentials.toml', '.terraform.d/credentials.tfrc.json', '.vault-token',
]; // prettier-ignore

/** Sockets and session folders that programs keep in a shared temporary folder. */
const sessionNames =
  /^(\.X11-unix|\.ICE-unix|\.XIM-unix|\.font-unix|ssh-|tmux-|dbus-|gpg-|pulse-|systemd-private-|snap-private-tmp)/;

export function findHiddenPaths(workspace: string, alwaysHidden: readonly string[]): readonly HiddenPath[] {
  const wanted = [
    ...alwaysHidden.filter((path) => isInside(path, workspace)),
    ...credentialNames.map((name) => join(workspace, name)),
    ...sharedFolderSessions(workspace),
  ];
  const found: HiddenPath[] = [];
  for (const path of new Set(wanted)) {
    // What lies inside something hidden is hidden with it.
    if (found.some((other) => path === other.path || isInside(path, other.path))) continue;
    const hidden = look(path, workspace);
    if (hidden !== undefined) found.push(hidden);
  }
  return found;
}

/** Undefined where nothing is, and for a link: its target is hidden by its own path, or lies outside and is absent anyway. */
function look(path: string, workspace: string): HiddenPath | undefined {
  const pins = ancestorsBelow(workspace, path);
  for (const pin of pins) {
    const info = lstatSync(pin, { throwIfNoEntry: false });
    if (info === undefined || !info.isDirectory()) return undefined;
  }
  const info = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  if (info === undefined || info.isSymbolicLink()) return undefined;
  return { path, kind: info.isDirectory() ? 'folder' : 'file', id: `${info.dev}:${info.ino}`, pins };
}

function ancestorsBelow(workspace: string, path: string): string[] {
  const parts = path
    .slice(workspace.length + 1)
    .split('/')
    .slice(0, -1);
  return parts.map((_, position) => join(workspace, ...parts.slice(0, position + 1)));
}

/** A workspace such as /tmp: sticky and open to all. Other programs of the same user have their sockets there. */
function sharedFolderSessions(workspace: string): string[] {
  const mode = lstatSync(workspace).mode;
  if ((mode & 0o1002) !== 0o1002) return [];
  return readdirSync(workspace, { withFileTypes: true })
    .filter((entry) => entry.isSocket() || sessionNames.test(entry.name))
    .map((entry) => join(workspace, entry.name));
}
