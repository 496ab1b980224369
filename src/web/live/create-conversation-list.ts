/** The conversations in the sidebar: read once per search, kept new by the server's notices. */
import type { WebConversation } from '../../contract/web-api.ts';
import type { ServerApi } from '../api/server-api.ts';
import { RequestFailure } from '../api/request.ts';
import type { Live } from './create-live.ts';
import { createStore, type Store } from './create-store.ts';
import { applyChanges } from './fold-notices.ts';

export type Removed = { readonly conversation: WebConversation; readonly undoUntilMs: number };

export type ListState = {
  readonly search: string;
  readonly load: 'loading' | 'ready' | 'failed';
  readonly conversations: readonly WebConversation[];
  /** Undefined: there are no more. */
  readonly nextOffset: number | undefined;
  /** Deleted a moment ago: can be taken back. */
  readonly removed: Removed | undefined;
  /** The last thing that could not be done, in words. */
  readonly problem: string;
};

export type ConversationList = {
  readonly state: Pick<Store<ListState>, 'get' | 'subscribe'>;
  search(text: string): void;
  more(): Promise<void>;
  reload(): Promise<void>;
  rename(id: string, title: string): Promise<void>;
  pin(id: string, isPinned: boolean): Promise<void>;
  remove(conversation: WebConversation): Promise<void>;
  undo(): Promise<void>;
  dismiss(): void;
};

const pageSize = 50;

export function createConversationList(api: ServerApi, live: Live): ConversationList {
  const state = createStore<ListState>({
    search: '',
    load: 'loading',
    conversations: [],
    nextOffset: undefined,
    removed: undefined,
    problem: '',
  });
  const change = (part: Partial<ListState>): void => state.change((before) => ({ ...before, ...part }));
  let reads = 0;

  async function read(offset: number): Promise<void> {
    reads += 1;
    const mine = reads;
    const { search } = state.get();
    try {
      const page = await api.conversations.list({ search, limit: pageSize, ...(offset === 0 ? {} : { offset }) });
      if (mine !== reads) return;
      const before = offset === 0 ? [] : state.get().conversations;
      const known = new Set(before.map((each) => each.id));
      const conversations = [...before, ...page.conversations.filter((each) => !known.has(each.id))];
      change({ conversations, nextOffset: page.nextOffset, load: 'ready' });
    } catch {
      // The connection line says why; the list says that it can be read again.
      if (mine === reads) change({ load: 'failed' });
    }
  }

  function put(conversation: WebConversation | undefined, id: string): void {
    const changed = new Map([[id, conversation]]);
    const { search, conversations } = state.get();
    change({ conversations: applyChanges(conversations, changed, (each) => isFound(each, search)) });
  }

  async function attempt(action: () => Promise<void>): Promise<void> {
    change({ problem: '' });
    await action().catch((error: unknown) =>
      change({ problem: error instanceof RequestFailure ? error.message : String(error) }),
    );
  }

  let seen = live.state.get().changed;
  live.state.subscribe(() => {
    const { changed } = live.state.get();
    if (changed === seen) return;
    const news = [...changed].filter(([id, conversation]) => seen.get(id) !== conversation || !seen.has(id));
    seen = changed;
    for (const [id, conversation] of news) put(conversation, id);
  });

  return {
    state,
    search(text) {
      change({ search: text });
      void read(0);
    },
    async more() {
      const { nextOffset } = state.get();
      if (nextOffset !== undefined) await read(nextOffset);
    },
    reload: () => read(0),
    rename: (id, title) => attempt(async () => put(await api.conversations.change(id, { title }), id)),
    pin: (id, isPinned) => attempt(async () => put(await api.conversations.change(id, { isPinned }), id)),
    remove: (conversation) =>
      attempt(async () => {
        const { undoUntil } = await api.conversations.remove(conversation.id);
        put(undefined, conversation.id);
        change({ removed: { conversation, undoUntilMs: Date.parse(undoUntil) } });
      }),
    undo: () =>
      attempt(async () => {
        const { removed } = state.get();
        if (removed === undefined) return;
        change({ removed: undefined });
        put(await api.conversations.restore(removed.conversation.id), removed.conversation.id);
      }),
    dismiss: () => change({ removed: undefined, problem: '' }),
  };
}

function isFound(conversation: WebConversation, search: string): boolean {
  const wanted = search.trim().toLowerCase();
  return `${conversation.title}\n${conversation.workspace}`.toLowerCase().includes(wanted);
}
