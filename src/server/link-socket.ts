/**
 * A socket in the state folder, for its owner alone: whoever starts a second server of the folder gets a link to the one that
 * runs. A socket that a killed server left behind is taken over.
 */
import { chmodSync, closeSync, constants, openSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { makePrivateFolder } from '../base/make-private-folder.ts';

/** `page`: a file that leads a browser to a link of its own. */
const offer = z.strictObject({ url: z.url(), link: z.url(), page: z.string() });
export type LinkOffer = z.output<typeof offer>;

export type LinkSocket = { close(): Promise<void> };

const patienceMs = 2_000;

/** Undefined: another server of this folder has it, or there can be none here; then nobody is offered anything. */
export async function openLinkSocket(folder: string, newOffer: () => LinkOffer): Promise<LinkSocket | undefined> {
  if ((await askForLink(folder)) !== undefined) return undefined;
  const server = createServer((socket) => {
    // Who went away needs no answer.
    socket.on('error', () => undefined);
    socket.end(JSON.stringify(newOffer()));
  });
  try {
    makePrivateFolder(folder);
    const handle = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
    const place = socketPath(handle);
    rmSync(place, { force: true });
    await startListening(server, place).catch((error: unknown) => {
      closeSync(handle);
      throw error;
    });
    chmodSync(place, 0o600);
    return {
      async close() {
        // It takes the socket away by the path that it was given.
        await new Promise((resolve) => server.close(resolve));
        closeSync(handle);
      },
    };
  } catch {
    // A file system without sockets: a second start says that the port is in use.
    return undefined;
  }
}

/** Undefined: no server of this folder runs. */
export async function askForLink(folder: string): Promise<LinkOffer | undefined> {
  let handle: number | undefined;
  try {
    handle = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
    const socket = connect(socketPath(handle));
    socket.setTimeout(patienceMs, () => socket.destroy(new Error('silent')));
    return offer.parse(JSON.parse(await text(socket)));
  } catch {
    // Nobody listens, or no server of ours does.
    return undefined;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** unix(7): a socket's name has at most 107 bytes, whatever the path of the folder has. */
const socketPath = (handle: number): string => path.join('/proc/self/fd', String(handle), 'web.socket');

function startListening(server: Server, place: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(place, resolve);
  });
}
