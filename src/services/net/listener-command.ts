/**
 * The listener inside a sandbox: a short run of Node opens it in the sandbox's own network namespace and hands it over to us
 * by Node's IPC channel (unix(7), SCM_RIGHTS), before anything else runs there. After that nothing of ours is inside, and
 * every connection is accepted in our process. No program of the machine is needed for it.
 */
import { insideFile, insidePort } from './inside-places.ts';

/**
 * CommonJS, since that starts faster. It ends when the channel is closed: we have the listener then, or want none. A port that
 * is taken ends it too, and there is no network.
 */
export const listenScript = `'use strict';
process.once('disconnect', () => process.exit());
const listener = require('net').createServer();
listener.listen(${insidePort}, '127.0.0.1', 511, () => process.send('listener', listener));
`;

/**
 * Runs before the program and hides both descriptors from it. Single digits: a POSIX shell redirects no others.
 * The dynamic loader is named too, since a userland may have another C library, or none that Node knows.
 */
export function listenerCommand(wanted: {
  /** An open file: Node's program. Its path need not exist inside. */
  readonly nodeHandle: number;
  readonly channelHandle: number;
  /** The file name of our own loader among what is shown inside; undefined for a program without one. */
  readonly loader: string | undefined;
  readonly program: readonly string[];
}): string[] {
  const { nodeHandle, channelHandle, loader, program } = wanted;
  const start = loader === undefined ? '' : `${insideFile(`lib/${loader}`)} --library-path ${insideFile('lib')} `;
  const script = `NODE_CHANNEL_FD=${channelHandle} ${start}/proc/self/fd/${nodeHandle} ${insideFile('listen.cjs')} </dev/null >/dev/null 2>&1; exec "$@" ${nodeHandle}<&- ${channelHandle}<&-`;
  return ['/bin/sh', '-c', script, 'sh', ...program];
}
