/** What is typed into a pseudo-terminal, in order, as fast as its program takes it. */
import { writeSync } from 'node:fs';

export type WriteQueue = {
  add(bytes: Buffer): void;
  /** Added, and not yet taken by the kernel. */
  readonly waitingBytes: number;
  close(): void;
};

/** A program that reads nothing gets no more than this; what comes then is lost, as the kernel itself does it. */
const maxWaitingBytes = 1024 * 1024;
const retryMs = 10;

/**
 * `handle` does not block. Node's own stream on a terminal does: while it waits for the program to read, nothing else of this
 * process runs, not even what reads the program's output, for which the program may wait.
 */
export function createWriteQueue(handle: number): WriteQueue {
  let waiting: Buffer = Buffer.alloc(0);
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    timer = undefined;
    try {
      while (waiting.length > 0) waiting = waiting.subarray(writeSync(handle, waiting));
    } catch (error) {
      const isFull = (error as NodeJS.ErrnoException).code === 'EAGAIN';
      if (isFull) timer = setTimeout(flush, retryMs);
      // Nobody has the other end any more (EIO).
      else waiting = Buffer.alloc(0);
    }
  }

  return {
    add(bytes) {
      if (waiting.length + bytes.length > maxWaitingBytes) return;
      waiting = waiting.length === 0 ? bytes : Buffer.concat([waiting, bytes]);
      if (timer === undefined) flush();
    },
    get waitingBytes() {
      return waiting.length;
    },
    close() {
      clearTimeout(timer);
      waiting = Buffer.alloc(0);
    },
  };
}
