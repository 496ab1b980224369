/** One process works in a conversation at a time; its claim ends with it, however it ends. */
import { createHash } from 'node:crypto';
import { createServer } from 'node:net';
import { ToolFailure } from '../../contract/failure.ts';
import { findOwner } from './find-owner.ts';

/** Gives up the claim. */
export type Release = () => Promise<void>;

/**
 * `place` names the database, so that two installations do not meet. Rejects with ToolFailure('busy'), which says who has it,
 * while another process, or another turn of this one, holds the conversation.
 *
 * The claim is a name in the kernel's abstract socket space (unix(7)): the kernel frees it with the process, so that a kill
 * leaves nothing to clean up and a claim is never stale. It holds on one machine; across machines the database must.
 * Whoever connects to it is told the number of the process.
 */
export function ownConversation(place: string, conversationId: string): Promise<Release> {
  const hash = createHash('sha256').update(`${place}\n${conversationId}`).digest('hex');
  const name = `\0handrail-${hash}`;
  const server = createServer((connection) => {
    // Somebody who asks and goes at once is no fault of ours.
    connection.on('error', () => undefined);
    connection.end(`${process.pid}\n`);
  });
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') return reject(error);
      void findOwner(name).then((owner) => {
        const message = `${owner} is working in the conversation ${conversationId}. Wait until its turn has ended, or stop it, then try again.`;
        reject(new ToolFailure('busy', message, { cause: error }));
      });
    });
    server.listen(name, () => {
      // A claim alone is no reason to stay.
      server.unref();
      resolve(() => new Promise((done) => void server.close(() => done())));
    });
  });
}
