/** The socket by which a sandbox that takes no descriptors reaches our proxy: in a folder that both sides see. */
import { chmodSync, chownSync, closeSync, constants, openSync } from 'node:fs';
import { createServer, type Server } from 'node:net';

export const gateName = 'way-out';

/**
 * Bound by way of an open folder: a socket's path may have 107 bytes at most (unix(7)), and ours may be longer.
 * Rejects with system errors.
 */
export async function openGate(folder: string, owner: { readonly uid: number; readonly gid: number }): Promise<Server> {
  const handle = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  const path = `/proc/self/fd/${handle}/${gateName}`;
  const server = createServer();
  // Its path is removed as it closes, so the folder has to be open until then.
  server.once('close', () => closeSync(handle));
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
    chmodSync(path, 0o600);
    if (process.geteuid?.() === 0) chownSync(path, owner.uid, owner.gid);
    return server;
  } catch (error) {
    if (server.listening) server.close();
    else closeSync(handle);
    throw error;
  }
}
