/** The server of the web app: guards before everything, then the table of routes, then static files. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { MisuseFailure, SetupFailure } from '../contract/failure.ts';
import { answerRoute, refusalResponse, requireSession, type Answering } from './answer-route.ts';
import type { Guards, GuardedRequest } from './guards.ts';
import { refusal, refusalOf, type Refusal } from './request-failure.ts';
import type { Route } from './route.ts';
import { setSecurityHeaders } from './security-headers.ts';
import type { StaticFiles } from './static-files.ts';

export type ServedParts = {
  readonly routes: readonly Route[];
  readonly guards: Guards;
  readonly files: StaticFiles;
  /** What an upgrade leads to, once the guards have let it pass. Rejects with what is to be answered. */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void>;
  readonly onProblem: (line: string) => void;
};

type Ready = Pick<ServedParts, 'guards' | 'upgrade' | 'onProblem'> & {
  readonly answer: ReturnType<typeof getRequestListener>;
};

/** `parts` are asked for once the port is known. Rejects with MisuseFailure or SetupFailure when it cannot be had. */
export async function listen(
  place: { readonly host: string; readonly port: number },
  partsFor: (port: number) => ServedParts,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const ready = Promise.withResolvers<Ready>();
  // Whoever sends slowly on purpose holds a connection no longer than this.
  const server = createServer({
    headersTimeout: 10_000,
    requestTimeout: 120_000,
    keepAliveTimeout: 10_000,
    connectionsCheckingInterval: 5_000,
  });
  server.maxConnections = 512;
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    setSecurityHeaders(response);
    void ready.promise.then(({ guards, answer }) => {
      const refused = refuse(guards, request);
      if (refused !== undefined) return sendRefusal(response, refused);
      return answer(request, response);
    });
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Whoever has gone already needs no answer.
    socket.on('error', () => undefined);
    void ready.promise.then(({ guards, upgrade, onProblem }) => {
      const refused = refuse(guards, request);
      if (refused !== undefined) return refuseUpgrade(socket, refused);
      return upgrade(request, socket, head).catch((error: unknown) =>
        refuseUpgrade(socket, refusalOf(error, onProblem)),
      );
    });
  });
  const port = await startListening(server, place);
  const parts = partsFor(port);
  const answer = getRequestListener(createApp(parts).fetch, { overrideGlobalObjects: false });
  ready.resolve({ ...parts, answer });
  return { port, close: () => closeServer(server) };
}

function createApp({ routes, files, ...answering }: Omit<ServedParts, 'upgrade'>): Hono {
  const app = new Hono();
  for (const route of routes) {
    app.on(route.method, route.path, (context) =>
      answerRoute(route, context.req.raw, context.req.param() as Record<string, string>, answering),
    );
  }
  app.all('/api/*', (context) => noRoute(context.req.header('cookie'), answering));
  app.get('*', (context) => files(context.req.raw));
  app.notFound(() => refusalResponse(refusal('not_found', 'There is nothing under this address.')));
  app.onError((error) => refusalResponse(refusalOf(error, answering.onProblem)));
  return app;
}

/** Which addresses there are is nobody's business without a session. */
function noRoute(cookies: string | undefined, { guards, onProblem }: Answering): Response {
  try {
    requireSession(guards, cookies);
    return refusalResponse(refusal('not_found', 'There is no such address.'));
  } catch (error) {
    return refusalResponse(refusalOf(error, onProblem));
  }
}

function refuse(guards: Guards, request: GuardedRequest): Refusal | undefined {
  return guards.host(request) ?? guards.origin(request) ?? guards.site(request);
}

function sendRefusal(response: ServerResponse, { status, body }: Refusal): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    // What else comes on this connection is of the same kind.
    connection: 'close',
  });
  response.end(JSON.stringify(body));
}

function refuseUpgrade(socket: Duplex, { status, body }: Refusal): void {
  const text = JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}

function startListening(server: Server, { host, port }: { readonly host: string; readonly port: number }) {
  return new Promise<number>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenFailure(error, host, port)));
    server.listen({ host, port, exclusive: true }, () => resolve((server.address() as AddressInfo).port));
  });
}

function listenFailure(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const { code = error.message } = error;
  if (code === 'EADDRINUSE')
    return new SetupFailure(
      `Port ${port} at ${host} is in use, maybe by another \`handrail serve\`. End that one, or take another: --port ${port + 1}, or --port 0 for any that is free.`,
      { cause: error },
    );
  if (code === 'EACCES')
    return new SetupFailure(`Port ${port} may be used by root only. Take one above 1023: --port 4747.`, {
      cause: error,
    });
  if (code === 'EADDRNOTAVAIL')
    return new MisuseFailure(`${host} is no address of this machine. \`ip address\` lists those.`, { cause: error });
  return new SetupFailure(`The server cannot listen at ${host}, port ${port} (${code}).`, { cause: error });
}

/** Streams have been ended by whoever made them; what is left has had its time. */
async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), 1_000);
  await closed;
  clearTimeout(timer);
}
