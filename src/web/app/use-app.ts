/** What every page may use, made once by start-page.tsx. */
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { WebState } from '../../contract/web-api.ts';
import type { Request } from '../api/request.ts';
import type { ServerApi } from '../api/server-api.ts';
import type { Store } from '../live/create-store.ts';
import type { ConversationList } from '../live/create-conversation-list.ts';
import type { Streams } from '../live/create-streams.ts';
import type { Live } from '../live/create-live.ts';
import type { Drafts } from '../chat/drafts.ts';
import type { Speaker } from '../speech/create-speaker.ts';
import type { Notifier } from '../notify/create-notifier.ts';
import type { Navigation } from './navigation.ts';

export type App = {
  readonly api: ServerApi;
  /** For what a page alone asks of the server. */
  readonly request: Request;
  readonly fetch: typeof globalThis.fetch;
  readonly streams: Streams;
  readonly live: Live;
  readonly list: ConversationList;
  readonly navigation: Navigation;
  readonly drafts: Drafts;
  readonly speaker: Speaker;
  readonly notifier: Notifier;
  /** On wide pages: the sidebar stands beside the page. */
  readonly isSidebarShown: Store<boolean>;
  /** Single letters act, each where it is said: in a focused question, in a list. */
  readonly letterKeys: Store<boolean>;
  /** On wide pages: the panel "This run" stands beside the chat. */
  readonly isRunDocked: Store<boolean>;
  /** Undefined until it was read. */
  readonly serverState: Store<WebState | undefined>;
};

export const AppContext = createContext<App | undefined>(undefined);

export function useApp(): App {
  const app = useContext(AppContext);
  if (app === undefined) throw new Error('This part of the page is drawn outside of the app.');
  return app;
}

export function useStore<Value>(store: Pick<Store<Value>, 'get' | 'subscribe'>): Value {
  return useSyncExternalStore(store.subscribe, store.get);
}
