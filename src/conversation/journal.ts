/** One conversation's journal: events are written first and shown afterwards, in one order. */
import type { EventBody, JournalEvent, Recorder } from '../contract/event.ts';
import { ToolFailure } from '../contract/failure.ts';
import type { EventStore } from '../contract/storage.ts';

/** Enough for a crowd of parallel writers; a store that always says conflict is broken. */
const appendAttempts = 50;

export type Journal = {
  /** Bound to one turn. */
  recorder(turnId: string): Recorder;
};

export type JournalOptions = {
  readonly store: EventStore;
  readonly conversationId: string;
  /** The last position that is written; 0 for a new conversation. */
  readonly lastSeq: number;
  readonly now: () => Date;
  /** Sees every event behind `lastSeq` in order, those of other writers too. */
  readonly follow?: (event: JournalEvent) => void;
  readonly onEvent?: (event: JournalEvent) => void;
};

/** Appends queue up behind one another; a failed append fails every later one, so that no gap can arise. */
export function createJournal(options: JournalOptions): Journal {
  const { store, conversationId, now, follow, onEvent } = options;
  let lastSeq = options.lastSeq;
  let queue: Promise<void> = Promise.resolve();

  async function append(turnId: string, event: EventBody, durable: boolean): Promise<void> {
    const stamped = { ...event, at: now().toISOString() };
    for (const each of await appendBehindOthers(stamped, turnId, durable)) {
      lastSeq = each.seq;
      follow?.(store.forModel(each));
      onEvent?.(each);
    }
  }

  /** A call typed in another window may have written here since: then this event goes behind that one. */
  async function appendBehindOthers(event: EventBody & { readonly at: string }, turnId: string, durable: boolean) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await store.append([event], { conversationId, turnId, afterSeq: lastSeq, durable });
      } catch (error) {
        if (!(error instanceof ToolFailure && error.code === 'conflict') || attempt === appendAttempts) throw error;
        for (const each of await store.readForModel(conversationId, { afterSeq: lastSeq })) {
          lastSeq = each.seq;
          follow?.(each);
        }
      }
    }
  }

  return {
    recorder: (turnId) => (event, given) => {
      const next = queue.then(() => append(turnId, event, given?.durable ?? false));
      queue = next;
      // The caller sees the rejection; the queue's own copy of it must not count as unhandled.
      next.catch(() => undefined);
      return next;
    },
  };
}
