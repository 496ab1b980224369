/** Asks mirrors over HTTP and HTTPS: every address is looked at before it is dialled, and a redirect may not give TLS up. */
import type { IncomingMessage } from 'node:http';
import { ToolFailure } from '../../contract/failure.ts';

export type Address = { readonly address: string; readonly family: 4 | 6 };

/** The addresses of a host that may be dialled. Rejects with ToolFailure when it has none. */
export type VetHost = (host: string, port: number) => Promise<readonly Address[]>;

export type MirrorClientOptions = {
  readonly vetHost: VetHost;
  /** Certificates to trust instead of Node's own. */
  readonly ca?: string;
  /** Without an answer, or without a further byte, for this long. Default 20 s. */
  readonly idleMs?: number;
};

export type MirrorAnswer = { readonly status: number; readonly url: URL; readonly message: IncomingMessage };

export type MirrorClient = {
  /** Rejects with ToolFailure('unavailable' | 'denied' | 'cancelled'). The caller reads or destroys the message. */
  get(url: URL, options: { readonly from?: number; readonly signal: AbortSignal }): Promise<MirrorAnswer>;
  /** A small text. Rejects likewise, also for every status but 200. */
  text(url: URL, signal: AbortSignal): Promise<string>;
};

const maxRedirects = 5;
const maxTextBytes = 1024 * 1024;

export function createMirrorClient(options: MirrorClientOptions): MirrorClient {
  async function get(
    url: URL,
    request: { readonly from?: number; readonly signal: AbortSignal },
  ): Promise<MirrorAnswer> {
    let current = url;
    for (let hop = 0; hop <= maxRedirects; hop += 1) {
      const message = await dial(current, request.from, request.signal, options);
      const status = message.statusCode ?? 0;
      const location = message.headers.location;
      if (![301, 302, 303, 307, 308].includes(status) || location === undefined)
        return { status, url: current, message };
      message.destroy();
      current = followRedirect(location, current);
    }
    throw new ToolFailure('unavailable', `${url.host} redirects in a circle`);
  }

  return {
    get,
    async text(url, signal) {
      const { status, message } = await get(url, { signal });
      if (status !== 200) {
        message.destroy();
        throw new ToolFailure('unavailable', `${url.host} answered ${status} for ${url.pathname}`);
      }
      const chunks: Buffer[] = [];
      let bytes = 0;
      await receive(message, url, (chunk) => {
        bytes += chunk.length;
        if (bytes > maxTextBytes) {
          throw new ToolFailure('unavailable', `${url.host} sent far more than a list for ${url.pathname}`);
        }
        chunks.push(chunk);
      });
      return Buffer.concat(chunks).toString('utf8');
    },
  };
}

/**
 * The body, piece by piece as it arrives: what came before the connection broke is not lost in a buffer. What `onChunk` throws
 * ends it. Rejects with ToolFailure('unavailable' | 'cancelled').
 */
export function receive(message: IncomingMessage, url: URL, onChunk: (chunk: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      message.destroy();
      reject(connectionFailure(url, error));
    };
    message.on('data', (chunk: Buffer) => {
      try {
        onChunk(chunk);
      } catch (error) {
        message.destroy();
        reject(error);
      }
    });
    message.on('end', () => resolve());
    message.on('error', fail);
    message.on('close', () => fail(new Error('the connection broke')));
  });
}

function followRedirect(location: string, from: URL): URL {
  const next = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (next === undefined || !/^https?:$/.test(next.protocol)) {
    throw new ToolFailure('unavailable', `${from.host} redirects to something that is no web address`);
  }
  if (from.protocol === 'https:' && next.protocol !== 'https:') {
    throw new ToolFailure('denied', `${from.host} redirects from https to plain http (${next.host})`);
  }
  return next;
}

async function dial(
  url: URL,
  from: number | undefined,
  signal: AbortSignal,
  { vetHost, ca, idleMs = 20_000 }: MirrorClientOptions,
): Promise<IncomingMessage> {
  const isSecure = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port || (isSecure ? 443 : 80));
  const addresses = await vetHost(host, port);
  const { request } = isSecure ? await import('node:https') : await import('node:http');
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => reject(signal.aborted ? cancelled() : connectionFailure(url, error));
    const outgoing = request(
      url,
      {
        agent: false,
        signal,
        timeout: idleMs,
        // Exactly the addresses that were looked at: no second question to the name server.
        lookup: (_name, asked, callback) =>
          asked.all === true
            ? callback(null, [...addresses])
            : callback(null, addresses[0]?.address ?? '', addresses[0]?.family),
        headers: {
          'user-agent': 'handrail',
          accept: '*/*',
          'accept-encoding': 'identity',
          ...(from === undefined || from === 0 ? {} : { range: `bytes=${from}-` }),
        },
        ...(isSecure && ca !== undefined ? { ca } : {}),
      },
      resolve,
    );
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer for ${idleMs / 1000} s`)));
    outgoing.on('error', fail);
    outgoing.end();
  });
}

function connectionFailure(url: URL, error: unknown): ToolFailure {
  if (error instanceof ToolFailure) return error;
  if (error instanceof Error && error.name === 'AbortError') return cancelled(error);
  const known = error as { readonly code?: string; readonly message?: string; readonly errors?: readonly Error[] };
  const why = known.message || known.errors?.[0]?.message || known.code || String(error);
  return new ToolFailure('unavailable', `${url.host}: ${why}`, { cause: error });
}

const cancelled = (cause?: unknown): ToolFailure =>
  new ToolFailure('cancelled', 'The download was stopped.', { cause });
