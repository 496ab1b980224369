/** The contexts of the conversations that were used last: a turn reads only what was written since the one before. */
import type { Conversation, EventStore } from '../contract/storage.ts';
import { type ConversationContext, createContext } from './fold-context.ts';

export type ContextCache = {
  /** Up to date with the journal. One turn at a time may use it, and feeds it with what it writes. */
  open(conversation: Pick<Conversation, 'id' | 'createdAt'>): Promise<ConversationContext>;
};

/** Each holds a whole conversation in memory. */
const maxKept = 4;

export function createContextCache(events: EventStore): ContextCache {
  const kept = new Map<string, ConversationContext>();
  return {
    async open({ id, createdAt }) {
      // An id may be given again after its conversation was removed.
      const key = `${id} ${createdAt}`;
      const context = kept.get(key) ?? createContext();
      for (const event of await events.readForModel(id, { afterSeq: context.lastSeq })) context.add(event);
      kept.delete(key);
      kept.set(key, context);
      for (const oldest of [...kept.keys()].slice(0, -maxKept)) kept.delete(oldest);
      return context;
    },
  };
}
