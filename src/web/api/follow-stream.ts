/** Follows a stream of the server for as long as it is wanted: reconnects by itself, without loss and without repeat. */
import { failureOf, type RequestFailure } from './request.ts';
import { readStream, type StreamMessage } from './read-stream.ts';

export type StreamState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** `nextTryAtMs`: of the clock. `retry()` does not wait for it. */
  | { readonly kind: 'waiting'; readonly nextTryAtMs: number }
  /** The server said no; trying again would not help. */
  | { readonly kind: 'refused'; readonly failure: RequestFailure };

export type StreamFollower = { retry(): void; close(): void };

export type StreamOptions = {
  readonly path: string;
  /** Sent with each connect. Omitted: the stream starts anew each time. */
  readonly lastEventId?: () => string;
  readonly onMessage: (message: StreamMessage) => void;
  readonly onState: (state: StreamState) => void;
};

/** The server sends a sign of life every 15 seconds. */
const silenceMs = 40_000;
const longestWaitMs = 15_000;

/** Needs no page: it also runs in the worker that all tabs share. */
export function createStreamFollower(fetch: typeof globalThis.fetch, options: StreamOptions): StreamFollower {
  let current = new AbortController();
  let failures = 0;
  let timer: Timer;
  let isClosed = false;

  async function connect(): Promise<void> {
    const connection = new AbortController();
    current = connection;
    clearTimeout(timer);
    options.onState({ kind: 'connecting' });
    const silence = createSilenceTimer(() => connection.abort());
    const refusal = await readOnce(connection.signal, silence.start).catch(() => undefined);
    silence.stop();
    // Another connection may have been begun meanwhile.
    if (isClosed || current !== connection) return;
    if (refusal !== undefined) return options.onState({ kind: 'refused', failure: refusal });
    const waitMs = Math.min(longestWaitMs, 500 * 2 ** failures) * (0.75 + Math.random() / 4);
    failures += 1;
    options.onState({ kind: 'waiting', nextTryAtMs: Date.now() + waitMs });
    timer = setTimeout(() => void connect(), waitMs);
  }

  /** Resolves when the stream has ended; with a failure when there is no use in another try. */
  async function readOnce(signal: AbortSignal, onSign: () => void): Promise<RequestFailure | undefined> {
    const id = options.lastEventId?.();
    const response = await fetch(options.path, {
      headers: { accept: 'text/event-stream', ...(id === undefined ? {} : { 'last-event-id': id }) },
      cache: 'no-store',
      signal,
    });
    if (!response.ok || response.body === null) {
      const failure = failureOf(response.status, await response.json().catch(() => undefined));
      return response.status >= 500 || response.status === 429 ? undefined : failure;
    }
    failures = 0;
    onSign();
    options.onState({ kind: 'live' });
    await readStream(response.body, {
      onSign,
      // What an aborted connection still holds is read again by the one that followed it.
      onMessage: (message) => signal.aborted || options.onMessage(message),
    });
    return undefined;
  }

  void connect();
  return {
    retry() {
      if (isClosed) return;
      failures = 0;
      current.abort();
      void connect();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      current.abort();
    },
  };
}

type Timer = ReturnType<typeof setTimeout> | undefined;

function createSilenceTimer(onSilence: () => void): { start(): void; stop(): void } {
  let timer: Timer;
  const stop = (): void => clearTimeout(timer);
  return {
    start() {
      stop();
      timer = setTimeout(onSilence, silenceMs);
    },
    stop,
  };
}
