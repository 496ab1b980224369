/** Live conversations: any number of readers follow one, each from where it was, without loss and without repeat. */
import type { JournalEvent } from '../contract/event.ts';
import type { Handrail } from '../contract/handrail.ts';
import { frameOf, type Follower } from './sse.ts';
import { createWake, type Wake } from './wake.ts';

export type EventFeeds = {
  /** An event that this process has written. */
  push(event: JournalEvent): void;
  /** Events behind `after`: those that are kept first, then live ones, whoever writes them. */
  follow(conversationId: string, after: number): Promise<Follower>;
  /** How many pages show it. */
  followers(conversationId: string): number;
  /** The conversation is gone. */
  end(conversationId: string): void;
  close(): void;
};

type Feed = {
  /** The newest event that is known. */
  known: number;
  /** The last events, without gaps up to `known`; each is written as a frame only once. */
  recent: { readonly seq: number; readonly frame: string }[];
  /** Counts what has changed. */
  changes: number;
  followers: number;
  isEnded: boolean;
  readonly wake: Wake;
  timer?: NodeJS.Timeout;
};

const maxRecent = 512;
const pageEvents = 500;

export function createEventFeeds(
  source: Pick<Handrail['conversations'], 'events' | 'lastSeq'>,
  { pollMs = 400 }: { readonly pollMs?: number } = {},
): EventFeeds {
  const feeds = new Map<string, Feed>();

  function push(event: JournalEvent): void {
    const feed = feeds.get(event.conversationId);
    if (feed === undefined || event.seq <= feed.known) return;
    // What lies between is read from the journal by whoever needs it.
    if (event.seq !== feed.known + 1) feed.recent = [];
    feed.known = event.seq;
    feed.recent.push({ seq: event.seq, frame: frameOf(event, event.seq) });
    if (feed.recent.length > maxRecent) feed.recent.splice(0, maxRecent / 2);
    changed(feed);
  }

  async function look(id: string, feed: Feed): Promise<void> {
    for (;;) {
      const events = await source.events(id, { afterSeq: feed.known, limit: pageEvents });
      events.forEach(push);
      if (events.length < pageEvents || feed.isEnded) return;
    }
  }

  /** Other processes write into the same journal and do not tell us. */
  function watch(id: string, feed: Feed): void {
    let isLooking = false;
    feed.timer = setInterval(() => {
      if (isLooking) return;
      isLooking = true;
      look(id, feed)
        .catch(() => {
          // A database that is busy is looked at again the next time.
        })
        .finally(() => (isLooking = false));
    }, pollMs);
  }

  function open(id: string): Feed {
    const existing = feeds.get(id);
    if (existing !== undefined) return existing;
    const feed: Feed = { known: 0, recent: [], changes: 0, followers: 0, isEnded: false, wake: createWake() };
    feeds.set(id, feed);
    watch(id, feed);
    return feed;
  }

  function leave(id: string, feed: Feed): void {
    feed.followers -= 1;
    if (feed.followers === 0) end(id);
  }

  function end(id: string): void {
    const feed = feeds.get(id);
    if (feed === undefined) return;
    feeds.delete(id);
    clearInterval(feed.timer);
    feed.isEnded = true;
    changed(feed);
  }

  return {
    push,
    end,
    async follow(id, after) {
      const feed = open(id);
      feed.followers += 1;
      const lastSeq = await source.lastSeq(id).catch((error: unknown) => {
        leave(id, feed);
        throw error;
      });
      if (lastSeq > feed.known) Object.assign(feed, { known: lastSeq, recent: [] });
      // A place behind the end would wait for ever.
      return createFollower(feed, Math.min(after, feed.known), {
        read: (afterSeq) => source.events(id, { afterSeq, limit: pageEvents }),
        leave: () => leave(id, feed),
      });
    },
    followers: (id) => feeds.get(id)?.followers ?? 0,
    close() {
      for (const id of [...feeds.keys()]) end(id);
    },
  };
}

function createFollower(
  feed: Feed,
  after: number,
  at: { readonly read: (afterSeq: number) => Promise<readonly JournalEvent[]>; readonly leave: () => void },
): Follower {
  let cursor = after;
  let isClosed = false;

  async function framesBehind(): Promise<Feed['recent']> {
    const first = feed.recent[0]?.seq;
    if (first !== undefined && first <= cursor + 1) return feed.recent.slice(cursor + 1 - first);
    if (cursor >= feed.known) return [];
    return (await at.read(cursor)).map((event) => ({ seq: event.seq, frame: frameOf(event, event.seq) }));
  }

  return {
    async next(maxMs) {
      for (;;) {
        if (feed.isEnded || isClosed) return undefined;
        const before = feed.changes;
        const frames = await framesBehind();
        const last = frames.at(-1);
        if (last !== undefined) {
          cursor = last.seq;
          return frames.map(({ frame }) => frame);
        }
        if (feed.changes === before && !(await feed.wake.wait(maxMs))) return [];
      }
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      if (!feed.isEnded) at.leave();
    },
  };
}

function changed(feed: Feed): void {
  feed.changes += 1;
  feed.wake.wake();
}
