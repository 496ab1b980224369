/** The streams of this tab: by the worker that all tabs share, or by connections of its own where browsers have none. */
import { createStreamFollower, type StreamFollower, type StreamState } from '../api/follow-stream.ts';
import { receivedState, type ToTab, type ToWorker } from './stream-messages.ts';

export type StreamWish = {
  readonly path: string;
  /** The number of the newest item that is known. Omitted: the stream's items have none. */
  readonly after?: () => number;
  readonly onData: (data: unknown) => void;
  readonly onState: (state: StreamState) => void;
  /** Also while nobody looks at the tab, where that takes no connection from another one. Omitted: false. */
  readonly staysWhileHidden?: boolean;
};

export type Streams = { follow(wish: StreamWish): StreamFollower };

/** Undefined: this browser has none. */
export type StartWorker = () => Pick<SharedWorker, 'port' | 'addEventListener'> | undefined;

/** A tab that nobody looks at gives its connections back, and catches up when it is looked at again. */
const hiddenMs = 10_000;
const aliveMs = 30_000;

export function createStreams(fetch: typeof globalThis.fetch, startWorker: StartWorker): Streams {
  const own: Streams = { follow: (wish) => whileLookedAt(() => followAlone(fetch, wish)) };
  const worker = startWorker();
  if (worker === undefined) return own;
  const shared = shareStreams(worker, own);
  return {
    follow: (wish) => (wish.staysWhileHidden === true ? shared.follow(wish) : whileLookedAt(() => shared.follow(wish))),
  };
}

function followAlone(fetch: typeof globalThis.fetch, { path, after, onData, onState }: StreamWish): StreamFollower {
  return createStreamFollower(fetch, {
    ...{ path, onState },
    ...(after === undefined ? {} : { lastEventId: () => String(after()) }),
    onMessage: ({ data }) => onData(JSON.parse(data)),
  });
}

type Seat = { readonly wish: StreamWish; own?: StreamFollower };

function shareStreams(worker: NonNullable<ReturnType<StartWorker>>, own: Streams): Streams {
  const { port } = worker;
  const seats = new Map<number, Seat>();
  let count = 0;
  let isBroken = false;
  const post = (message: ToWorker): void => port.postMessage(message);

  function join(number: number, seat: Seat): void {
    const { path, after } = seat.wish;
    if (isBroken) seat.own = own.follow(seat.wish);
    else post({ type: 'join', seat: number, path, after: after?.() });
  }

  function joinAll(): void {
    for (const [number, seat] of seats) {
      // Whoever reads more than the stream reads it anew when it is live again.
      seat.wish.onState({ kind: 'connecting' });
      join(number, seat);
    }
  }

  port.onmessage = ({ data }) => {
    const message = data as ToTab;
    if (message.type === 'forgotten') return joinAll();
    const wish = seats.get(message.seat)?.wish;
    if (message.type === 'state') wish?.onState(receivedState(message.state));
    else for (const item of message.items) wish?.onData(JSON.parse(item));
  };
  // It could not be loaded: a tab can do without.
  worker.addEventListener('error', () => {
    if (isBroken) return;
    isBroken = true;
    joinAll();
  });
  window.addEventListener('pagehide', () => post({ type: 'bye' }));
  // Out of the browser's store of pages, by its "back" button.
  window.addEventListener('pageshow', (event) => event.persisted && joinAll());
  window.setInterval(() => post({ type: 'alive' }), aliveMs);

  return {
    follow(wish) {
      const number = (count += 1);
      const seat: Seat = { wish };
      seats.set(number, seat);
      join(number, seat);
      return {
        retry: () => (seat.own === undefined ? post({ type: 'retry', seat: number }) : seat.own.retry()),
        close() {
          seats.delete(number);
          if (seat.own === undefined) post({ type: 'leave', seat: number });
          else seat.own.close();
        },
      };
    },
  };
}

function whileLookedAt(follow: () => StreamFollower): StreamFollower {
  let current: StreamFollower | undefined = follow();
  let timer = 0;
  const look = (): void => {
    window.clearTimeout(timer);
    if (!document.hidden) current ??= follow();
    else
      timer = window.setTimeout(() => {
        current?.close();
        current = undefined;
      }, hiddenMs);
  };
  document.addEventListener('visibilitychange', look);
  look();
  return {
    retry: () => current?.retry(),
    close() {
      document.removeEventListener('visibilitychange', look);
      window.clearTimeout(timer);
      current?.close();
      current = undefined;
    },
  };
}
