/** Lines of JSON on a socket. */
import type { Socket } from 'node:net';

/** False when the other side is slow: it has not taken what was sent before. */
export function sendLine(socket: Socket, value: unknown): boolean {
  return socket.write(`${JSON.stringify(value)}\n`);
}

/** A command has at most 16 MB, which JSON may make six times as long. */
const maxLineChars = 128 * 1024 * 1024;

/** Calls `onLine` with each line that has come whole. A peer that sends one without end is cut off. */
export function readLines(socket: Socket, onLine: (line: string) => void): void {
  let parts: string[] = [];
  let chars = 0;
  socket.setEncoding('utf8');
  socket.on('data', (text: string) => {
    const [first = '', ...more] = text.split('\n');
    parts.push(first);
    chars += first.length;
    if (chars > maxLineChars) socket.destroy();
    for (const next of more) {
      const line = parts.join('');
      parts = [next];
      chars = next.length;
      onLine(line);
    }
  });
}

/** The next line; rejects when the socket is closed before it comes. */
export function collectLines(socket: Socket): () => Promise<string> {
  const lines: string[] = [];
  let closed: Error | undefined;
  let wake = (): void => undefined;
  readLines(socket, (line) => {
    lines.push(line);
    wake();
  });
  socket.once('error', (error) => (closed = error));
  socket.once('close', () => {
    closed ??= new Error('the connection was closed');
    wake();
  });
  return async () => {
    for (;;) {
      const line = lines.shift();
      if (line !== undefined) return line;
      if (closed !== undefined) throw closed;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
}
