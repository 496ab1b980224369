/** Connects to one of several addresses that were checked: by number, so that no name is looked up on the way. */
import { connect, type Socket } from 'node:net';

/** Resolves with an open connection that nobody reads yet. Rejects with the last address's error. */
export type Dial = (addresses: readonly string[], port: number) => Promise<Socket>;

const perAddressMs = 10_000;

export const dialAddresses: Dial = async (addresses, port) => {
  let last: unknown = new Error('no address');
  for (const address of addresses) {
    try {
      return await dialOne(address, port);
    } catch (error) {
      last = error;
    }
  }
  throw last;
};

function dialOne(address: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, allowHalfOpen: true, noDelay: true });
    const timer = setTimeout(() => socket.destroy(timeout(address)), perAddressMs);
    const fail = (error: Error): void => {
      clearTimeout(timer);
      reject(error);
    };
    socket.once('error', fail);
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.off('error', fail);
      resolve(socket);
    });
  });
}

function timeout(address: string): Error {
  return Object.assign(new Error(`${address} did not answer within ${perAddressMs / 1000} s`), { code: 'ETIMEDOUT' });
}

/** Knows the connections that it opened, so that they can be ended together. */
export function createDialler(dial: Dial): { readonly dial: Dial; close(): Promise<void> } {
  const live = new Set<Socket>();
  let isClosed = false;
  return {
    async dial(addresses, port) {
      const socket = await dial(addresses, port);
      if (isClosed) {
        socket.destroy();
        throw Object.assign(new Error('Handrail is closing'), { code: 'ECONNABORTED' });
      }
      live.add(socket);
      socket.once('close', () => live.delete(socket));
      return socket;
    },
    /** Resolves when all of them have closed, and everybody who waits for that has heard of it. */
    async close() {
      isClosed = true;
      const ends = [...live].map((socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())));
      for (const socket of live) socket.destroy();
      await Promise.all(ends);
    },
  };
}
