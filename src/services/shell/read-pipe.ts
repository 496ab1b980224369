/** Reads one pipe to its end through a single buffer. */
import { Socket } from 'node:net';

export type PipeReader = {
  /** Resolves when the last writer is gone and everything was read, or after `stop`. */
  readonly ended: Promise<void>;
  /** Reads no further, whoever still writes. */
  stop(): void;
};

const bufferBytes = 64 * 1024;

/** Takes the handle over and closes it. `onBytes` must not keep the buffer. */
export function readPipe(handle: number, onBytes: (bytes: Buffer) => void): PipeReader {
  const socket = new Socket({
    fd: handle,
    readable: true,
    writable: false,
    onread: {
      buffer: Buffer.allocUnsafeSlow(bufferBytes),
      callback(count, buffer) {
        onBytes(Buffer.from(buffer.buffer, buffer.byteOffset, count));
        return true;
      },
    },
  });
  const ended = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
    // Reading a pipe fails only when the handle is bad; the end of the stream is all that can be said then.
    socket.once('error', () => resolve());
  });
  socket.resume();
  return { ended, stop: () => void socket.destroy() };
}
