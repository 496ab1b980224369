/** What of this machine's system the sandbox shows, found once: its top-level folders and the links to them. */
import { existsSync, lstatSync, readlinkSync } from 'node:fs';

export type HostView = {
  readonly rootLinks: readonly { readonly path: string; readonly target: string }[];
  readonly systemFolders: readonly string[];
};

/** On a merged-/usr machine (Debian 12, Fedora, Arch) all but the first are links; elsewhere they are folders. */
const systemNames = ['usr', 'bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32'];

export function readHostView(): HostView {
  const rootLinks: { path: string; target: string }[] = [];
  const systemFolders: string[] = [];
  for (const name of systemNames) {
    const path = `/${name}`;
    const info = lstatSync(path, { throwIfNoEntry: false });
    if (info?.isSymbolicLink() === true) rootLinks.push({ path, target: readlinkSync(path) });
    else if (info?.isDirectory() === true) systemFolders.push(path);
  }
  return { rootLinks, systemFolders };
}

/** Where the private home appears inside. Elsewhere when the workspace lies there: nothing may be mounted inside a home. */
export function homePathFor(workspace: string): string {
  const usual = '/home/handrail';
  return workspace === usual || workspace.startsWith(`${usual}/`) ? '/home/handrail-sandbox' : usual;
}

const shells = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'];

/** Looked for in the system's folders, whatever PATH a command is given. */
export function findMachineShell(): string {
  return shells.find((path) => existsSync(path)) ?? '/bin/bash';
}
