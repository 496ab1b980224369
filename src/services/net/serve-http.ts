/** The HTTP side of the proxy (RFC 9110, 9112): tunnels by CONNECT, and requests that name their whole address. */
import {
  createServer,
  type IncomingMessage,
  request as httpRequest,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream';
import type { Refusal } from './decide-host.ts';
import { forwardedHeaders, hasBody } from './forwarded-headers.ts';
import type { Reached } from './reach-host.ts';
import { bracketed, describeTarget, isProblem, readAuthority, type Target } from './read-target.ts';

export type HttpFront = {
  reach(target: Target): Promise<Reached>;
  onConnected(client: Socket, server: Socket, target: Target): void;
};

const maxHeaderSize = 64 * 1024;

/** Never listens: connections are handed to it. Each request is decided on by itself, also on a connection that stays open. */
export function createHttpFront(front: HttpFront): Server {
  const server = createServer({ maxHeaderSize, keepAliveTimeout: 60_000, requireHostHeader: false });
  server.on('request', (request, response) => {
    forward(front, request, response).catch(() => response.destroy());
  });
  server.on('connect', (request, client, head) => {
    connectTunnel(front, request, client as Socket, head).catch(() => client.destroy());
  });
  server.on('clientError', (_error, client: Duplex) => {
    client.on('error', () => client.destroy());
    if (client.writable) answerTunnel(client as Socket, 400, 'Handrail: this request cannot be read.\n');
  });
  return server;
}

async function connectTunnel(front: HttpFront, request: IncomingMessage, client: Socket, head: Buffer): Promise<void> {
  client.on('error', () => client.destroy());
  const target = readAuthority(request.url ?? '');
  if (isProblem(target)) return answerTunnel(client, 400, badTarget(request.url ?? '', target.problem));
  const reached = await front.reach(target);
  if ('refusal' in reached) return answerTunnel(client, 403, refusalText(target, reached.refusal));
  if ('failure' in reached) return answerTunnel(client, 502, `Handrail: ${reached.failure}.\n`);
  if (client.destroyed) return void reached.socket.destroy();
  client.write('HTTP/1.1 200 Connection established\r\n\r\n');
  if (head.length > 0) client.unshift(head);
  front.onConnected(client, reached.socket, target);
}

function answerTunnel(client: Socket, status: number, text: string): void {
  const body = Buffer.from(text);
  const reason = status === 403 ? 'Forbidden' : status === 400 ? 'Bad Request' : 'Bad Gateway';
  const head = [`HTTP/1.1 ${status} ${reason}`, ...plainHeaders(body).map(([name, value]) => `${name}: ${value}`)];
  client.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]));
}

const plainHeaders = (body: Buffer): [string, string][] => [
  ['content-type', 'text/plain; charset=utf-8'],
  ['content-length', `${body.length}`],
  ['connection', 'close'],
];

async function forward(front: HttpFront, request: IncomingMessage, response: ServerResponse): Promise<void> {
  request.on('error', () => response.destroy());
  const read = readAbsoluteForm(request.url ?? '');
  if ('problem' in read) return answer(response, 400, badTarget(request.url ?? '', read.problem));
  const { target, path } = read;
  const reached = await front.reach(target);
  if ('refusal' in reached) return answer(response, 403, refusalText(target, reached.refusal));
  if ('failure' in reached) return answer(response, 502, `Handrail: ${reached.failure}.\n`);
  const { socket } = reached;
  if (response.destroyed) return void socket.destroy();
  const host = target.port === 80 ? bracketed(target.host) : describeTarget(target);
  const outgoing = httpRequest({
    createConnection: () => socket,
    method: request.method,
    path,
    // The address decides, not the header beside it (RFC 9112, 3.2.2).
    headers: { ...forwardedHeaders(request.rawHeaders, hasBody(request) ? request.headers : undefined), Host: host },
    setHost: false,
    maxHeaderSize,
  });
  response.once('close', () => socket.destroy());
  outgoing.once('response', (incoming) => giveBack(incoming, response));
  outgoing.once('error', (error: NodeJS.ErrnoException) => {
    if (response.headersSent) response.destroy();
    else answer(response, 502, `Handrail: ${describeTarget(target)} broke off (${error.code ?? error.message}).\n`);
  });
  request.pipe(outgoing);
}

function giveBack(incoming: IncomingMessage, response: ServerResponse): void {
  response.writeHead(incoming.statusCode ?? 502, incoming.statusMessage, forwardedHeaders(incoming.rawHeaders));
  pipeline(incoming, response, (error) => {
    if (error) response.destroy();
  });
}

function answer(response: ServerResponse, status: number, text: string): void {
  const body = Buffer.from(text);
  response.writeHead(status, Object.fromEntries(plainHeaders(body)));
  response.end(body);
}

/** Only http: what is encrypted comes as a tunnel, and everything else by SOCKS. Who logs in by the address gets no say. */
function readAbsoluteForm(url: string): { target: Target; path: string } | { problem: string } {
  const match = /^http:\/\/([^/?#]*)([^#]*)/i.exec(url);
  if (match === null) {
    const isOther = /^[a-z][a-z0-9+.-]*:\/\//i.test(url);
    return {
      problem: isOther
        ? 'only http addresses are forwarded; https goes by CONNECT, everything else by SOCKS 5'
        : 'this is a proxy: requests name their whole address',
    };
  }
  const authority = match[1] ?? '';
  const target = readAuthority(authority.slice(authority.lastIndexOf('@') + 1), 80);
  if (isProblem(target)) return target;
  const path = match[2] ?? '';
  return { target, path: path.startsWith('/') ? path : `/${path}` };
}

/** Only the host is said again: an address may hold a key. */
function badTarget(url: string, problem: string): string {
  const host = /^(?:[a-z]+:\/\/)?([^/?#]{0,120})/i.exec(url)?.[1] ?? '';
  return `Handrail: "${host.replace(/^.*@/, '')}" cannot be reached: ${problem}.\n`;
}

function refusalText(target: Target, { reason, advice }: Refusal): string {
  return `Handrail: ${describeTarget(target)} was not reached: ${reason}. ${advice}\n`;
}
