/** Follows what happens around the open conversation, and says whether the server can be reached. */
import type { WebNotice } from '../../contract/web-api.ts';
import type { StreamState } from '../api/follow-stream.ts';
import { createStore, type Store } from './create-store.ts';
import type { Streams } from './create-streams.ts';
import { foldNotice, type LiveState, nothingKnown } from './fold-notices.ts';

export type Live = {
  readonly state: Pick<Store<LiveState>, 'get' | 'subscribe'>;
  readonly connection: Pick<Store<StreamState>, 'get' | 'subscribe'>;
  retry(): void;
  close(): void;
};

export function createLive(streams: Streams): Live {
  const state = createStore(nothingKnown);
  const connection = createStore<StreamState>({ kind: 'connecting' });
  const follower = streams.follow({
    path: '/api/stream',
    // Whoever looks elsewhere wants to hear of a question.
    staysWhileHidden: true,
    onData: (data) => state.change((before) => foldNotice(before, data as WebNotice)),
    onState: connection.set,
  });
  // A machine that slept or changed networks learns of it at once.
  const retry = (): void => {
    if (connection.get().kind === 'waiting') follower.retry();
  };
  window.addEventListener('online', retry);
  return {
    state,
    connection,
    retry: follower.retry,
    close() {
      window.removeEventListener('online', retry);
      follower.close();
    },
  };
}
