/** The network of commands as the program makes it, with names that lead to servers of the test, on a listener of the test. */
import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createNetwork,
  type Network,
  type NetworkOptions,
  type NetworkSettings,
} from '../../src/services/net/create-network.ts';

/** Of this process. */
const networkWorldPrefix = `handrail-network-${process.pid}-`;

/** What the worlds of this process have left behind, for the end of a test file. */
export function leftOfNetworkWorlds(): readonly string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(networkWorldPrefix));
}

export type NetworkWorldOptions = Partial<Omit<NetworkOptions, 'settings'>> & {
  readonly settings?: Partial<NetworkSettings>;
  /** What names resolve to. */
  readonly names?: Readonly<Record<string, readonly string[]>>;
};

export type NetworkWorld = {
  readonly network: Network;
  readonly contactFile: string;
  /** Names that were looked up, in order. */
  readonly lookedUp: readonly string[];
  /** Change what holds from now on. */
  readonly settings: { -readonly [Key in keyof NetworkSettings]: NetworkSettings[Key] };
  /** Serves a conversation's proxy on a port of this machine. */
  openProxy(conversationId?: string): Promise<number>;
  close(): Promise<void>;
};

export function openNetworkWorld(options: NetworkWorldOptions = {}): NetworkWorld {
  const base = realpathSync(mkdtempSync(join(tmpdir(), networkWorldPrefix)));
  const contactFile = join(base, 'contacts.jsonl');
  const lookedUp: string[] = [];
  const listeners: Server[] = [];
  const settings: NetworkWorld['settings'] = { mode: 'on', allow: [], deny: [], allowPrivate: [], ...options.settings };
  const network = createNetwork({
    packages: { hosts: () => Promise.resolve([]), setup: () => ({ variables: {}, npmrc: '' }) },
    contactFile,
    lookUp(name) {
      lookedUp.push(name);
      const found = options.names?.[name];
      return found === undefined ? Promise.reject(new Error('ENOTFOUND')) : Promise.resolve(found);
    },
    ...options,
    settings: () => settings,
  });
  return {
    network,
    contactFile,
    lookedUp,
    settings,
    async openProxy(conversationId = 'conversation') {
      const listener = createServer();
      listeners.push(listener);
      await new Promise<void>((resolve) => void listener.listen(0, '127.0.0.1', resolve));
      const { port } = listener.address() as AddressInfo;
      network.enter(conversationId).wayOut?.serve(listener);
      return port;
    },
    async close() {
      await network.close();
      for (const listener of listeners) listener.close();
      rmSync(base, { recursive: true });
    },
  };
}

/** Says `text` to the proxy and gives back what came until it closed, or until `isEnough`. */
export function talk(
  port: number,
  text: string | Buffer,
  isEnough = (_got: string): boolean => false,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' });
    let got = '';
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      got += chunk.toString('latin1');
      if (isEnough(got)) socket.destroy();
    });
    socket.on('close', () => resolve(got));
    socket.write(text);
  });
}

/** A tunnel that stands, or the answer of the proxy when it does not. */
export function openTunnel(port: number, target: string): Promise<Socket | string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' });
    let got = '';
    const take = (chunk: Buffer): void => {
      got += chunk.toString('latin1');
      if (!got.includes('\r\n\r\n') || !got.startsWith('HTTP/1.1 200')) return;
      socket.off('data', take).off('close', refused).pause();
      const rest = got.slice(got.indexOf('\r\n\r\n') + 4);
      if (rest !== '') socket.unshift(Buffer.from(rest, 'latin1'));
      resolve(socket);
    };
    const refused = (): void => resolve(got);
    socket.on('error', reject).on('data', take).on('close', refused);
    socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
  });
}

/** A SOCKS 5 request by name; resolves with the reply code, and the connection when it stands. */
export function socksConnect(
  port: number,
  host: string,
  targetPort: number,
): Promise<{ code: number; socket: Socket }> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' });
    let got = Buffer.alloc(0);
    const take = (chunk: Buffer): void => {
      got = Buffer.concat([got, chunk]);
      if (got.length < 12) return;
      socket.off('data', take).pause();
      resolve({ code: got[3] ?? -1, socket });
    };
    socket.on('error', reject).on('data', take);
    socket.on('close', () => resolve({ code: got[3] ?? -1, socket }));
    const name = Buffer.from(host);
    const tail = Buffer.from([targetPort >> 8, targetPort & 0xff]);
    socket.write(Buffer.concat([Buffer.from([5, 1, 0, 5, 1, 0, 3, name.length]), name, tail]));
  });
}

export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
