/** One conversation on screen: its last events at once, then whatever is appended, by whichever process. */
import type { JournalEvent } from '../../contract/event.ts';
import type { ServerApi } from '../api/server-api.ts';
import type { StreamFollower, StreamState } from '../api/follow-stream.ts';
import { RequestFailure } from '../api/request.ts';
import { foldEvents, putBefore } from '../chat/fold-screen.ts';
import { type ChatScreen, emptyScreen } from '../chat/screen.ts';
import { createStore, type Store } from './create-store.ts';
import type { Streams } from './create-streams.ts';

export type FeedState = {
  readonly screen: ChatScreen;
  /** `failed`: with `failure`. */
  readonly load: 'loading' | 'ready' | 'failed';
  readonly failure?: RequestFailure;
  readonly hasEarlier: boolean;
  readonly isLoadingEarlier: boolean;
  readonly connection: StreamState;
};

export type ConversationFeed = {
  readonly state: Pick<Store<FeedState>, 'get' | 'subscribe'>;
  /** Reads and follows; after `close` anew. */
  open(): void;
  loadEarlier(): Promise<void>;
  retry(): void;
  close(): void;
};

/** What fills the screen several times over. */
const pageEvents = 400;
/** Drawn while somebody scrolls: few enough not to be felt. */
const earlierEvents = 150;

export function createConversationFeed(
  parts: { readonly api: ServerApi; readonly streams: Streams },
  conversationId: string,
): ConversationFeed {
  const { api, streams } = parts;
  const state = createStore<FeedState>({
    screen: emptyScreen,
    load: 'loading',
    hasEarlier: false,
    isLoadingEarlier: false,
    connection: { kind: 'connecting' },
  });
  /** All that is on screen, in order: folded anew when earlier ones come before it. */
  let events: readonly JournalEvent[] = [];
  let firstSeq = 0;
  let arrived: JournalEvent[] = [];
  let frame = 0;
  let follower: StreamFollower | undefined;
  let isClosed = false;

  /** Many deltas a frame are one change. */
  function flush(): void {
    frame = 0;
    const news = arrived;
    arrived = [];
    events = [...events, ...news];
    state.change((before) => ({ ...before, screen: foldEvents(before.screen, news) }));
  }

  function take(event: JournalEvent): void {
    arrived.push(event);
    // A hidden tab gets no frames; its title and notifications still follow.
    if (frame === 0) frame = document.hidden ? window.setTimeout(flush, 200) : requestAnimationFrame(flush);
  }

  function follow(): void {
    follower = streams.follow({
      path: `/api/conversations/${encodeURIComponent(conversationId)}/stream`,
      after: () => arrived.at(-1)?.seq ?? state.get().screen.lastSeq,
      onData: (data) => take(data as JournalEvent),
      onState: (connection) => state.change((before) => ({ ...before, connection })),
    });
  }

  async function load(): Promise<void> {
    try {
      const page = await api.conversations.events(conversationId, { limit: pageEvents, whole: '1', before: farAway });
      if (isClosed) return;
      events = page.events;
      firstSeq = page.firstSeq;
      const screen = { ...foldEvents(emptyScreen, events), lastSeq: page.reachesSeq };
      state.change((before) => ({ ...before, screen, load: 'ready', hasEarlier: firstSeq > 1 }));
      follow();
    } catch (error) {
      const failure = error instanceof RequestFailure ? error : new RequestFailure('failed', String(error));
      if (!isClosed) state.change((before) => ({ ...before, load: 'failed', failure }));
    }
  }

  async function loadEarlier(): Promise<void> {
    if (state.get().isLoadingEarlier || firstSeq <= 1) return;
    state.change((before) => ({ ...before, isLoadingEarlier: true }));
    const page = await api.conversations
      .events(conversationId, { limit: earlierEvents, whole: '1', before: firstSeq })
      .catch(() => undefined);
    if (isClosed) return;
    if (page !== undefined) {
      events = [...page.events, ...events];
      firstSeq = page.firstSeq;
    }
    state.change((before) => {
      const screen = page === undefined ? before.screen : putBefore(before.screen, page.events, events);
      return { ...before, screen, hasEarlier: firstSeq > 1, isLoadingEarlier: false };
    });
  }

  return {
    state,
    open() {
      isClosed = false;
      if (state.get().load === 'ready') follow();
      else void load();
    },
    loadEarlier,
    retry() {
      if (follower !== undefined) return follower.retry();
      state.change((before) => ({ ...before, load: 'loading' }));
      void load();
    },
    close() {
      isClosed = true;
      follower?.close();
    },
  };
}

/** `before` the end of time: the last events. */
const farAway = Number.MAX_SAFE_INTEGER;
