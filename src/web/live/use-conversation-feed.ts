/** The feed of a conversation for as long as a component is drawn. */
import { useEffect, useMemo } from 'react';
import { useApp, useStore } from '../app/use-app.ts';
import { createConversationFeed, type ConversationFeed } from './create-conversation-feed.ts';

export function useConversationFeed(conversationId: string): ConversationFeed {
  const { api, live, streams } = useApp();
  const feed = useMemo(() => createConversationFeed({ api, streams }, conversationId), [api, streams, conversationId]);
  useEffect(() => {
    feed.open();
    return feed.close;
  }, [feed]);
  const isLive = useStore(live.connection).kind === 'live';
  useEffect(() => {
    const { load, failure } = feed.state.get();
    // Opened while the server was away.
    if (isLive && load === 'failed' && failure?.code === 'offline') feed.retry();
  }, [feed, isLive]);
  return feed;
}
