/**
 * The way out of a sandbox that no descriptor of ours can be handed into or out of: a run of Node inside listens as our
 * listener does elsewhere, and carries every connection to a socket of ours that both sides see (unix(7)). It decides nothing.
 */
import { insideFile, insidePort } from './inside-places.ts';
import { type BeforeProgram, nodeGuards } from './listener-command.ts';

/**
 * Signals that are meant for commands reach it too (kill(2), -1). Half-open, because a program that has said all it wants to
 * say still waits for the answer.
 */
export const forwardScript = `'use strict';
const net = require('net');
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
const listener = net.createServer({ allowHalfOpen: true }, (client) => {
  const way = net.connect({ path: process.argv[2], allowHalfOpen: true });
  client.on('error', () => way.destroy());
  way.on('error', () => client.destroy());
  client.pipe(way).pipe(client);
});
listener.listen(${insidePort}, '127.0.0.1', 511, () => process.stdout.write('ready\\n'));
`;

/** Nobody else is there yet, and /tmp is this sandbox's own. */
const readyPipe = '/tmp/.handrail-net-ready';

/** By which the first process knows it: it is nothing that a command has left. */
export const forwarderVariable = 'HANDRAIL_FORWARDER';

/** Runs before the program, and keeps none of its descriptors. A POSIX shell names no others than those of one digit. */
export function forwardCommand(
  wanted: {
    /** What starts our Node inside. */
    readonly node: readonly string[];
    /** As it is seen inside. */
    readonly socket: string;
    readonly program: readonly string[];
  } & Pick<BeforeProgram, 'shell'>,
): string[] {
  const { node, socket, shell, program } = wanted;
  const none = [3, 4, 5, 6, 7, 8, 9].map((handle) => `${handle}>&-`).join(' ');
  const script = `if mkfifo -m 600 ${readyPipe}; then
${nodeGuards} ${[...node, insideFile('forward.cjs'), socket].join(' ')} </dev/null >${readyPipe} 2>/dev/null ${none} &
export ${forwarderVariable}=$!
read -r handrail_ready <${readyPipe}
rm -f ${readyPipe}
fi
exec "$@"`;
  return [...shell, '-c', script, 'sh', ...program];
}
