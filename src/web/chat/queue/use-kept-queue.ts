/**
 * The server forgets what waits when it is started anew; pages keep a copy of the text and bring it back, held, so that a person
 * decides. Every tab may do so: the messages keep their ids, and the server takes each once.
 */
import { useEffect } from 'react';
import type { WebQueuedMessage } from '../../../contract/web-api.ts';
import { useApp, useStore } from '../../app/use-app.ts';

type Kept = { readonly serverId: string; readonly messages: readonly Pick<WebQueuedMessage, 'id' | 'text'>[] };

export function useKeptQueue(conversationId: string): void {
  const { api, live } = useApp();
  const { isKnown, queues, serverId } = useStore(live.state);
  const queue = queues.get(conversationId);
  useEffect(() => {
    if (!isKnown) return;
    const name = `handrail.queue.${conversationId}`;
    const kept = readKept(localStorage.getItem(name));
    const lost = kept !== undefined && kept.serverId !== serverId ? kept.messages : [];
    for (const { id, text } of lost) {
      // What cannot be brought back, for example because it has no text, was lost with the server.
      if (text !== '') void api.conversations.queue(conversationId, { id, text, isHeld: true }).catch(() => undefined);
    }
    // Until the server says that it has them again, the copy stays.
    const messages = [...lost, ...(queue?.messages ?? [])].map(({ id, text }) => ({ id, text }));
    if (messages.length === 0) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify({ serverId, messages } satisfies Kept));
  }, [api, conversationId, isKnown, queue, serverId]);
}

function readKept(text: string | null): Kept | undefined {
  try {
    return text === null ? undefined : (JSON.parse(text) as Kept);
  } catch {
    // Written by something else: there is nothing to bring back.
    return undefined;
  }
}
