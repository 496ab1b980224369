/** A page's side of a terminal's socket, byte by byte as a test wants it. */
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { TerminalPageMessage, TerminalServerMessage, WebTerminal } from '../../src/contract/web-terminals.ts';
import type { WebClient } from './web-client.ts';

export type SocketTry = {
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Confirms nothing, as a page that does not draw. */
  readonly isBlind?: boolean;
};

export type OpenedSocket = {
  readonly socket: WebSocket;
  /** Printed since the last `begin`: the end of it. */
  text(): string;
  /** Bytes that came, in all. */
  bytes(): number;
  messages(): readonly TerminalServerMessage[];
  say(message: TerminalPageMessage): void;
  type(text: string): void;
  /** The code with which it was closed. */
  readonly closed: Promise<number>;
};

export const openTerminal = (client: WebClient, conversation?: string): Promise<WebTerminal> =>
  client.need('POST', '/api/terminals', {
    ...(conversation === undefined ? { kind: 'temporary' } : { kind: 'session', conversation }),
    ...{ columns: 80, rows: 24 },
  });

const keptBytes = 64 * 1024;

/** Resolves with the status of the refusal, or with the open socket. */
export function trySocket(
  client: WebClient,
  { conversation, name }: WebTerminal,
  { path = `/api/terminals/${conversation}/${name}/socket`, headers = {}, isBlind = false }: SocketTry = {},
): Promise<number | OpenedSocket> {
  const { origin = `http://127.0.0.1:${client.port}`, ...others } = headers;
  const socket = new WebSocket(`ws://127.0.0.1:${client.port}${path}`, {
    headers: {
      ...(origin === 'absent' ? {} : { origin }),
      ...(client.cookie === undefined ? {} : { cookie: client.cookie }),
      ...others,
    },
  });
  onTestFinished(() => socket.terminate());
  const messages: TerminalServerMessage[] = [];
  let shown = Buffer.alloc(0);
  let [shownBytes, total] = [0, 0];
  const say = (message: TerminalPageMessage): void => socket.send(JSON.stringify(message));
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (!isBinary) {
      const message = JSON.parse(data.toString()) as TerminalServerMessage;
      messages.push(message);
      if (message.type === 'begin') [shown, shownBytes] = [Buffer.alloc(0), 0];
      return;
    }
    total += data.length;
    shownBytes += data.length;
    shown = Buffer.concat([shown, data]).subarray(-keptBytes);
    if (!isBlind) say({ type: 'seen', bytes: shownBytes });
  });
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  return new Promise((resolve) => {
    socket.on('unexpected-response', (request, response) => {
      resolve(response.statusCode ?? 0);
      request.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('open', () =>
      resolve({
        ...{ socket, closed, say },
        text: () => shown.toString(),
        bytes: () => total,
        messages: () => messages,
        type: (text) => socket.send(Buffer.from(text)),
      }),
    );
  });
}

export async function needSocket(
  client: WebClient,
  terminal: WebTerminal,
  options: SocketTry = {},
): Promise<OpenedSocket> {
  const opened = await trySocket(client, terminal, options);
  if (typeof opened === 'number') throw new Error(`The socket was refused: ${opened}.`);
  return opened;
}
