/** Reads so many bytes from a connection and leaves the rest in it. */
import type { Socket } from 'node:net';

/** Rejects when the connection ends or closes before. Nothing else may read from it meanwhile. */
export function readExactly(socket: Socket, length: number): Promise<Buffer> {
  if (length === 0) return Promise.resolve(Buffer.alloc(0));
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const bytes = socket.read(length) as Buffer | null;
      if (bytes === null && !socket.readableEnded && !socket.destroyed) return;
      stop();
      if (bytes?.length === length) resolve(bytes);
      else reject(new Error('the connection ended early'));
    };
    const fail = (error?: Error): void => {
      stop();
      reject(error ?? new Error('the connection was closed'));
    };
    const stop = (): void => {
      socket.off('readable', look).off('end', look).off('error', fail).off('close', fail);
    };
    socket.on('readable', look).on('end', look).on('error', fail).on('close', fail);
    look();
  });
}
