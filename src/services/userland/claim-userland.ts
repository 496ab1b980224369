/** One process at a time changes a userland; its claim ends with it, however it ends. */
import { createHash } from 'node:crypto';
import { createServer } from 'node:net';
import { ToolFailure } from '../../contract/failure.ts';

/**
 * A name in the kernel's abstract socket space (unix(7)) is freed with the process: a claim is never stale. Rejects with
 * ToolFailure('busy'). Resolves with what gives it up.
 */
export function claimUserland(folder: string): Promise<() => Promise<void>> {
  const name = createHash('sha256').update(`userland\n${folder}`).digest('hex');
  const server = createServer((connection) => connection.destroy());
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') return reject(error);
      const message = 'Another process is changing the userland right now. Wait until it is done, then try again.';
      reject(new ToolFailure('busy', message, { cause: error }));
    });
    server.listen(`\0handrail-${name}`, () => {
      server.unref();
      resolve(() => new Promise((done) => void server.close(() => done())));
    });
  });
}
