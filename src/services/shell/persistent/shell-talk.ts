/** The pipes by which we talk to a shell: what it is told, what it says of itself, and what it says besides. */
import { Socket } from 'node:net';
import type { Pipe, PipePool } from '../pipe-pool.ts';
import { readPipe } from '../read-pipe.ts';

export type Talk = {
  readonly control: Pipe;
  readonly status: Pipe;
  readonly noise: Pipe;
  /** Ours are open by now, and a command must not find them by /proc. */
  begin(): void;
  send(text: string): void;
  close(): void;
};

export async function openTalk(
  pool: PipePool,
  owner: { readonly uid: number; readonly gid: number },
  onStatus: (bytes: Buffer) => void,
): Promise<Talk> {
  const pipes = await pool.take(3, owner);
  const [control, status, noise] = pipes;
  if (control === undefined || status === undefined || noise === undefined) {
    throw new Error('the pool gave fewer pipes than asked for');
  }
  const writer = new Socket({ fd: control.openWriter(), readable: false, writable: true });
  // A shell that has ended cannot be told anything; its end is seen by itself.
  writer.on('error', () => undefined);
  let reader: ReturnType<typeof readPipe> | undefined;
  return {
    control,
    status,
    noise,
    begin() {
      reader = readPipe(status.openReader(), onStatus);
      for (const pipe of pipes) pipe.seal();
    },
    send: (text) => void writer.write(text, 'utf8'),
    close() {
      writer.destroy();
      reader?.stop();
      pool.release(pipes);
    },
  };
}
