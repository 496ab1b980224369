/** SOCKS 5 (RFC 1928) and 4a, as far as they connect: no authentication, no listening, no datagrams. */
import type { Socket } from 'node:net';
import { readExactly } from './read-exactly.ts';
import type { Reached } from './reach-host.ts';
import { isProblem, readTarget, type Target, type TargetProblem } from './read-target.ts';

export type SocksFront = {
  reach(target: Target): Promise<Reached>;
  onConnected(client: Socket, server: Socket, target: Target): void;
};

type Version = {
  /** The request, read to its end; a number is the reply code of a refusal. */
  read(client: Socket): Promise<Target | TargetProblem | number>;
  reply(code: number): Buffer;
  readonly codes: { readonly ok: number; readonly notAllowed: number; readonly failed: number };
};

/** RFC 1928, 6. The address bound is nobody's business. */
const version5: Version = {
  read: readRequest5,
  reply: (code) => Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0]),
  codes: { ok: 0, notAllowed: 2, failed: 4 },
};
const version4: Version = {
  read: readRequest4,
  reply: (code) => Buffer.from([0, code, 0, 0, 0, 0, 0, 0]),
  codes: { ok: 90, notAllowed: 91, failed: 91 },
};

/** Rejects when the client breaks off or breaks the protocol; the caller destroys it then. */
export async function serveSocks(client: Socket, firstByte: number, front: SocksFront): Promise<void> {
  const version = firstByte === 5 ? version5 : version4;
  const target = await version.read(client);
  if (typeof target === 'number') return void client.end(version.reply(target));
  if (isProblem(target)) return void client.end(version.reply(version.codes.notAllowed));
  const reached = await front.reach(target);
  if ('socket' in reached) {
    if (client.destroyed) return void reached.socket.destroy();
    client.write(version.reply(version.codes.ok));
    return front.onConnected(client, reached.socket, target);
  }
  client.end(version.reply('refusal' in reached ? version.codes.notAllowed : version.codes.failed));
}

const connectCommand = 1;
const commandNotSupported = 7;
const addressNotSupported = 8;

async function readRequest5(client: Socket): Promise<Target | TargetProblem | number> {
  const [, methodCount = 0] = await readExactly(client, 2);
  const methods = await readExactly(client, methodCount);
  if (!methods.includes(0)) {
    client.end(Buffer.from([5, 0xff]));
    throw new Error('no acceptable SOCKS method');
  }
  client.write(Buffer.from([5, 0]));
  const [version, command, , kind] = await readExactly(client, 4);
  if (version !== 5) throw new Error('not SOCKS 5');
  const host = await readHost5(client, kind);
  if (host === undefined) return addressNotSupported;
  const port = (await readExactly(client, 2)).readUInt16BE(0);
  return command === connectCommand ? readTarget(host, port) : commandNotSupported;
}

async function readHost5(client: Socket, kind: number | undefined): Promise<string | undefined> {
  if (kind === 1) return [...(await readExactly(client, 4))].join('.');
  if (kind === 4) {
    const bytes = await readExactly(client, 16);
    return Array.from({ length: 8 }, (_, group) => bytes.readUInt16BE(group * 2).toString(16)).join(':');
  }
  if (kind !== 3) return undefined;
  const [length = 0] = await readExactly(client, 1);
  // A name is bytes; what is not UTF-8 is no name and is refused as one.
  return (await readExactly(client, length)).toString('utf8');
}

const maxFieldBytes = 256;

/** An address 0.0.0.x asks for the name that follows (SOCKS 4a). */
async function readRequest4(client: Socket): Promise<Target | TargetProblem | number> {
  const head = await readExactly(client, 8);
  await readText(client);
  const port = head.readUInt16BE(2);
  const isNamed = head[4] === 0 && head[5] === 0 && head[6] === 0 && head[7] !== 0;
  const host = isNamed ? await readText(client) : [...head.subarray(4)].join('.');
  return head[1] === connectCommand ? readTarget(host, port) : version4.codes.notAllowed;
}

async function readText(client: Socket): Promise<string> {
  const bytes: number[] = [];
  for (;;) {
    const [byte = 0] = await readExactly(client, 1);
    if (byte === 0) return Buffer.from(bytes).toString('utf8');
    if (bytes.push(byte) > maxFieldBytes) throw new Error('a SOCKS field is too long');
  }
}
