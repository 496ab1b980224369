/**
 * One connection per stream for any number of readers, each from where it is: a browser opens six connections to one server
 * (HTTP/1.1), for all of its tabs together. Runs in the worker that they share.
 */
import { createStreamFollower, type StreamFollower, type StreamState } from '../api/follow-stream.ts';
import { createNoticeMemory, type NoticeMemory } from './notice-memory.ts';

export type HubReader = {
  readonly path: string;
  /** Only what is behind this number. Undefined: the stream's items have none, and begin with the state of things. */
  readonly after: number | undefined;
  /** Items as the server sent them, JSON. */
  take(items: readonly string[]): void;
  tell(state: StreamState): void;
};

export type StreamHub = {
  join(reader: HubReader): { retry(): void; leave(): void };
};

type Seat = { readonly reader: HubReader; cursor: number; waiting: string[] };

type Channel = {
  readonly seats: Set<Seat>;
  readonly memory: NoticeMemory;
  follower: StreamFollower | undefined;
  state: StreamState;
  /** The number of the newest item of this connection. */
  last: number;
  /** The last items, without gaps up to `last`. */
  recent: { readonly id: number; readonly data: string }[];
};

/** Enough for a tab that has just read the conversation, and little for a browser to keep. */
const maxRecent = 400;

export function createStreamHub(fetch: typeof globalThis.fetch): StreamHub {
  const channels = new Map<string, Channel>();

  function open(path: string, after: number | undefined): Channel {
    const channel: Channel = {
      ...{ seats: new Set<Seat>(), memory: createNoticeMemory(), follower: undefined },
      ...{ state: { kind: 'connecting' }, last: after ?? 0, recent: [] },
    };
    channels.set(path, channel);
    channel.follower = createStreamFollower(fetch, {
      path,
      ...(after === undefined ? {} : { lastEventId: () => String(channel.last) }),
      onMessage: ({ id, data }) => hand(channel, id === '' ? undefined : Number(id), data),
      onState(state) {
        channel.state = state;
        for (const { reader } of channel.seats) reader.tell(state);
      },
    });
    return channel;
  }

  return {
    join(reader) {
      const { path, after } = reader;
      const channel = channels.get(path) ?? open(path, after);
      const seat: Seat = { reader, cursor: after ?? 0, waiting: [] };
      channel.seats.add(seat);
      reader.tell(channel.state);
      catchUp(channel, seat);
      return {
        retry: () => channel.follower?.retry(),
        leave() {
          channel.seats.delete(seat);
          if (channel.seats.size > 0 || channels.get(path) !== channel) return;
          channels.delete(path);
          channel.follower?.close();
        },
      };
    },
  };
}

function hand(channel: Channel, id: number | undefined, data: string): void {
  if (id === undefined) channel.memory.take(data);
  else {
    channel.last = id;
    channel.recent.push({ id, data });
    if (channel.recent.length > maxRecent) channel.recent.splice(0, maxRecent / 2);
  }
  for (const seat of channel.seats) {
    // A connection that was begun anew for a reader further back repeats what others have.
    if (id !== undefined && id <= seat.cursor) continue;
    seat.cursor = id ?? 0;
    push(seat, data);
  }
}

/** What came in one piece goes on in one piece. */
function push(seat: Seat, data: string): void {
  if (seat.waiting.push(data) > 1) return;
  queueMicrotask(() => {
    const items = seat.waiting;
    seat.waiting = [];
    seat.reader.take(items);
  });
}

function catchUp(channel: Channel, seat: Seat): void {
  const { after } = seat.reader;
  // Whoever was refused may have signed in since.
  if (channel.state.kind === 'refused') return channel.follower?.retry();
  if (after === undefined) {
    const snapshot = channel.memory.snapshot();
    if (snapshot !== undefined) push(seat, snapshot);
    return;
  }
  if (after >= channel.last) return;
  if ((channel.recent[0]?.id ?? Infinity) > after + 1) {
    channel.last = after;
    channel.recent = [];
    return channel.follower?.retry();
  }
  for (const { id, data } of channel.recent) {
    if (id <= seat.cursor) continue;
    seat.cursor = id;
    push(seat, data);
  }
}
