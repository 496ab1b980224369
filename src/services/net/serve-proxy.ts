/** The proxy on one port: HTTP and SOCKS are told apart by the first byte of a connection. */
import type { Server as HttpServer } from 'node:http';
import type { Server, Socket } from 'node:net';
import type { Reach } from './reach-host.ts';
import { serveSocks } from './serve-socks.ts';
import { describeTarget, type Target } from './read-target.ts';
import { tunnel } from './tunnel.ts';

export type ProxyOptions = Pick<Reach, 'reach' | 'mayName'> & {
  /** A tunnel's TLS asked for another host than the tunnel was made for. */
  readonly onForeignName: (target: Target, name: string) => void;
  /** Default 200. */
  readonly maxConnections?: number;
  /** Default 10 s for the first byte. */
  readonly firstByteMs?: number;
  /** Default an hour: shells of other machines stay open for long without a word. */
  readonly idleMs?: number;
};

export type Proxy = {
  /** Serves what this listener accepts, until it is stopped: then all its connections end with it. */
  serve(listener: Server): { stop(): void };
};

export function createProxy(options: ProxyOptions): Proxy {
  const { maxConnections = 200, firstByteMs = 10_000, idleMs = 3_600_000 } = options;
  let count = 0;
  const onConnected = (client: Socket, server: Socket, target: Target): void => {
    const guard = {
      mayName: options.mayName,
      onForeignName: (name: string) => options.onForeignName(target, name),
    };
    tunnel({ client, server, target }, guard);
  };
  const front = { reach: options.reach, onConnected };
  let http: Promise<HttpServer> | undefined;

  /** Not before the first connection: Node's module takes longer to load than a shell takes to start. */
  async function serveHttp(client: Socket): Promise<void> {
    http ??= import('./serve-http.ts').then(({ createHttpFront }) => createHttpFront(front));
    (await http).emit('connection', client);
  }

  function accept(client: Socket): void {
    client.on('error', () => client.destroy());
    if (count >= maxConnections) {
      client.end(`HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    count += 1;
    client.once('close', () => (count -= 1));
    client.setNoDelay(true);
    client.setTimeout(firstByteMs, () => client.destroy());
    client.once('readable', () => {
      const first = client.read() as Buffer | null;
      if (first === null || first[0] === undefined) return void client.destroy();
      client.setTimeout(idleMs, () => client.destroy());
      client.unshift(first);
      if (first[0] === 4 || first[0] === 5) serveSocks(client, first[0], front).catch(() => client.destroy());
      else serveHttp(client).catch(() => client.destroy());
    });
  }

  return {
    serve(listener) {
      const clients = new Set<Socket>();
      // A program that has said all it wants to say still waits for the answer.
      Object.assign(listener, { allowHalfOpen: true });
      listener.on('connection', (client: Socket) => {
        clients.add(client);
        client.once('close', () => clients.delete(client));
        accept(client);
      });
      return {
        stop() {
          listener.close();
          for (const client of clients) client.destroy();
        },
      };
    },
  };
}

/** What a person reads about it. */
export function foreignNameText(target: Target, name: string): string {
  return `the encrypted connection to ${describeTarget(target)} asked for ${name} inside`;
}
