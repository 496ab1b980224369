/** Requests to the server of the web app, byte by byte as a test wants them: any Host, any Origin, any cookie, any body. */
import { request as httpRequest } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

export type WebAnswered = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Parsed; undefined where it was no JSON. */
  readonly body: unknown;
};

export type SentFrame = { readonly id: number | undefined; readonly data: unknown };

export type WebStream = {
  readonly status: number;
  /** So far. */
  frames(): readonly SentFrame[];
  /** The first frame that fits, past or to come. Rejects when the stream ends without it. */
  waitFor<Data = unknown>(fits: (data: Data, frame: SentFrame) => boolean): Promise<Data>;
  /** Resolves when the server has ended it, or `close` has. */
  readonly ended: Promise<void>;
  close(): void;
};

export type SendOptions = {
  /** Undefined leaves a header out that is usually sent. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** As it is, instead of JSON. */
  readonly raw?: string | Buffer;
};

export type WebClient = {
  readonly url: string;
  readonly port: number;
  readonly cookie: string | undefined;
  send(method: string, path: string, body?: unknown, options?: SendOptions): Promise<WebAnswered>;
  /** Sends, fails the test on anything but 2xx, and gives the body. */
  need<Body>(method: string, path: string, body?: unknown): Promise<Body>;
  follow(path: string, options?: SendOptions): Promise<WebStream>;
  /** The same server with another cookie; undefined: none. */
  withCookie(cookie: string | undefined): WebClient;
};

export function createWebClient(url: string, cookie?: string): WebClient {
  const port = Number(new URL(url).port);

  function open(method: string, path: string, body: unknown, options: SendOptions): Promise<IncomingMessage> {
    const sent = options.raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const headers: Record<string, unknown> = {
      host: `127.0.0.1:${port}`,
      ...(method === 'GET' || method === 'HEAD' ? {} : { origin: `http://127.0.0.1:${port}` }),
      ...(cookie === undefined ? {} : { cookie }),
      ...(sent === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }),
      ...options.headers,
    };
    for (const name of Object.keys(headers)) if (headers[name] === undefined) delete headers[name];
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        {
          host: '127.0.0.1',
          port,
          method,
          path,
          headers: headers as OutgoingHttpHeaders,
          setHost: false,
          agent: false,
        },
        resolve,
      );
      request.on('error', reject);
      request.end(sent);
    });
  }

  const client: WebClient = {
    ...{ url, port, cookie },
    async send(method, path, body, options = {}) {
      const response = await open(method, path, body, options);
      const received = await text(response);
      return { status: response.statusCode ?? 0, headers: response.headers, text: received, body: parse(received) };
    },
    async need<Body>(method: string, path: string, body?: unknown): Promise<Body> {
      const { status, text: said, body: given } = await client.send(method, path, body);
      if (status < 200 || status > 299) throw new Error(`${method} ${path} was answered ${status}: ${said}`);
      return given as Body;
    },
    follow: async (path, options = {}) => readStream(await open('GET', path, undefined, options)),
    withCookie: (other) => createWebClient(url, other),
  };
  return client;
}

/** Opens the one-time link as a browser does. */
export async function signIn(link: string): Promise<WebClient> {
  const { origin, pathname } = new URL(link);
  const { status, headers } = await createWebClient(`${origin}/`).send('GET', pathname);
  const cookie = headers['set-cookie']?.[0]?.split(';')[0];
  if (status !== 303 || cookie === undefined) throw new Error(`The link was answered ${status}.`);
  return createWebClient(`${origin}/`, cookie);
}

/** What a client sends that no library would: the bytes, and the first line of the answer. */
export function sendBytes(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port });
    let received = '';
    socket.setEncoding('latin1').on('data', (more: string) => {
      received += more;
      if (received.includes('\r\n')) socket.destroy();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(received.split('\r\n')[0] ?? ''));
    socket.write(bytes);
  });
}

function parse(received: string): unknown {
  try {
    return JSON.parse(received);
  } catch {
    return undefined;
  }
}

function readStream(response: IncomingMessage): WebStream {
  const frames: SentFrame[] = [];
  const watchers = new Set<() => void>();
  const changed = (): void => watchers.forEach((watcher) => watcher());
  let unread = '';
  response.setEncoding('utf8').on('data', (more: string) => {
    const parts = (unread + more).split('\n\n');
    unread = parts.pop() ?? '';
    for (const part of parts) {
      const frame = readFrame(part);
      if (frame !== undefined) frames.push(frame);
    }
    changed();
  });
  let isOver = false;
  const ended = new Promise<void>((resolve) => {
    // A server that is killed breaks the connection, which is an end as well.
    response.on('error', () => undefined);
    response.on('close', () => {
      isOver = true;
      changed();
      resolve();
    });
  });
  const close = (): void => void response.destroy();
  onTestFinished(close);
  return {
    status: response.statusCode ?? 0,
    frames: () => frames,
    ended,
    close,
    waitFor<Data>(fits: (data: Data, frame: SentFrame) => boolean) {
      return new Promise<Data>((resolve, reject) => {
        const watcher = (): void => {
          const found = frames.find((frame) => fits(frame.data as Data, frame));
          if (found === undefined && !isOver) return;
          watchers.delete(watcher);
          if (found !== undefined) resolve(found.data as Data);
          else reject(new Error(`The stream ended without it: ${JSON.stringify(frames).slice(0, 2_000)}`));
        };
        watchers.add(watcher);
        watcher();
      });
    },
  };
}

/** https://html.spec.whatwg.org/multipage/server-sent-events.html, as far as we send it. */
function readFrame(part: string): SentFrame | undefined {
  const lines = part.split('\n');
  const field = (name: string): string | undefined =>
    lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const data = field('data');
  if (data === undefined) return undefined;
  const id = field('id');
  return { id: id === undefined ? undefined : Number(id), data: JSON.parse(data) as unknown };
}
