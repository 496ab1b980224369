/** Carries bytes both ways between a program and the host it reached, after a look at the name its TLS asks for. */
import type { Socket } from 'node:net';
import { readClientHello } from './read-client-hello.ts';
import type { Reach } from './reach-host.ts';
import { isProblem, readTarget, type Target } from './read-target.ts';

export type TunnelEnds = { readonly client: Socket; readonly server: Socket; readonly target: Target };

export type TunnelGuard = {
  readonly mayName: Reach['mayName'];
  /** The name inside is another one, and not allowed. */
  onForeignName(name: string): void;
};

/** A library sends its first message in one or two packets, and waits for nothing in between. */
const maxHelloBytes = 64 * 1024;
/** RFC 8446, 6: fatal, unrecognized_name. */
const unrecognizedName = Buffer.from([0x15, 3, 1, 0, 2, 2, 112]);

/** Returns at once. Either end's error or close ends the other; one direction may end before the other (RFC 9293, 3.6). */
export function tunnel(ends: TunnelEnds, guard: TunnelGuard): void {
  const { client, server } = ends;
  const endBoth = (): void => {
    client.destroy();
    server.destroy();
  };
  for (const socket of [client, server]) socket.on('error', endBoth).on('close', endBoth);
  server.pipe(client);
  let held = Buffer.alloc(0);
  const take = (chunk: Buffer): void => {
    held = Buffer.concat([held, chunk]);
    const hello = readClientHello(held);
    if (hello.kind === 'incomplete' && held.length < maxHelloBytes) return;
    client.off('data', take).off('end', letThrough).pause();
    if (hello.kind !== 'hello' || hello.serverName === undefined) return letThrough();
    void checkName(hello.serverName, ends.target, guard).then((isAllowed) => {
      if (isAllowed) return letThrough();
      client.end(unrecognizedName);
      server.destroy();
    }, endBoth);
  };
  function letThrough(): void {
    client.off('data', take).off('end', letThrough);
    if (held.length > 0) server.write(held);
    if (client.readableEnded) server.end();
    else client.pipe(server);
  }
  client.on('data', take).on('end', letThrough);
  client.resume();
}

async function checkName(serverName: string, target: Target, guard: TunnelGuard): Promise<boolean> {
  const named = readTarget(serverName, target.port);
  if (!isProblem(named) && (await guard.mayName(named, target))) return true;
  guard.onForeignName(isProblem(named) ? 'a name that is none' : named.host);
  return false;
}
