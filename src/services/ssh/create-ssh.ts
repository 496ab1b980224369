/** Writes the sandbox's own ~/.ssh: for its user, and never through a link, for commands can write there too. */
import { chmodSync, lchownSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ToolFailure } from '../../contract/failure.ts';
import type { CallScope, Rung, ServiceOwner } from '../../contract/services.ts';
import type { Ssh, SshHost } from '../../contract/ssh.ts';
import { look, NotThere, toBuffer, toBytes, withFolder } from '../trusted-files/byte-paths.ts';
import { readContent } from '../trusted-files/known-file.ts';
import { putBack } from '../trusted-files/take-away.ts';
import { checkHost } from './check-host.ts';
import { withHost, withKnownHost } from './host-entry.ts';

export type SshOptions = {
  /** Where the private home of the sandbox for this workspace lies, and whose it is. Made when missing. A real path. */
  readonly homeFor: (workspace: string) => { readonly folder: string; readonly uid: number; readonly gid: number };
  readonly rung: () => Rung;
};

/** More than any person has written. */
const maxFileBytes = 1024 * 1024;

export function createSsh(options: SshOptions): ServiceOwner<Ssh> {
  // One after the other: two entries at once must both be there.
  let inTurn: Promise<unknown> = Promise.resolve();
  return {
    forCall: (scope) => ({
      configure(host) {
        const done = inTurn.then(() => configure(host, scope, options));
        inTurn = done.catch(() => undefined); // Its own caller hears of it.
        return done;
      },
    }),
    close: () => Promise.resolve(),
  };
}

function configure(host: SshHost, scope: CallScope, options: SshOptions): Awaited<ReturnType<Ssh['configure']>> {
  const checked = checkHost(host);
  if (options.rung() === 'host')
    throw new ToolFailure(
      'unavailable',
      "Commands run outside any sandbox, where ssh reads the user's own ~/.ssh. Ask the user to add the host there.",
    );
  const home = options.homeFor(scope.conversation.workspace);
  const folder = toBytes(join(home.folder, '.ssh'));
  try {
    makeFolder(folder, home);
    const configChanged = edit(`${folder}/config`, home, (text) => withHost(text, checked));
    const line = checked.knownHostLine;
    const knownHostsChanged =
      line !== undefined && edit(`${folder}/known_hosts`, home, (text) => withKnownHost(text, line));
    return { alias: checked.alias, configChanged, knownHostsChanged };
  } catch (error) {
    if (error instanceof ToolFailure) throw error;
    if (!(error instanceof NotThere) && (error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new ToolFailure(
      'failed',
      `The sandbox's ~/.ssh could not be written: ${(error as Error).message}. Look at it with \`ls -la ~ ~/.ssh\`.`,
      { cause: error },
    );
  }
}

type Owner = { readonly uid: number; readonly gid: number };

/** Ssh refuses a folder that others may write. */
function makeFolder(path: string, { uid, gid }: Owner): void {
  if (look(path) === undefined) {
    withFolder(dirname(path), (home) => {
      mkdirSync(toBuffer(`${home}/.ssh`), { mode: 0o700 });
      if (process.geteuid?.() === 0) lchownSync(toBuffer(`${home}/.ssh`), uid, gid);
    });
  }
  withFolder(path, (folder) => chmodSync(folder, 0o700));
}

/** True when it was changed. A link in its place is not followed: it is replaced by a file. */
function edit(path: string, { uid, gid }: Owner, change: (text: string) => string): boolean {
  const now = withFolder(dirname(path), (folder) => readContent(`${folder}/${path.slice(path.lastIndexOf('/') + 1)}`));
  const old = now?.content.kind === 'file' ? now.content.bytes : Buffer.alloc(0);
  if (old === undefined || old.length > maxFileBytes)
    throw new ToolFailure(
      'too_large',
      "A file in the sandbox's ~/.ssh is too large or cannot be read. Remove it first.",
    );
  const text = old.toString('utf8');
  const changed = change(text);
  if (changed === text && now?.content.kind === 'file') return false;
  putBack(path, { kind: 'file', bytes: Buffer.from(changed) }, { mode: 0o600, uid, gid });
  return true;
}
