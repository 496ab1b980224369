/**
 * What people wrote while a turn ran: sent in order, each when the turn before it has ended. In memory only, since a message may
 * name a secret that must not lie on a disk as it is; pages keep theirs and bring them back to a new server.
 */
import type { TurnEndReason } from '../contract/event.ts';
import type { WebNewQueuedMessage, WebQueue, WebQueuedMessage } from '../contract/web-api.ts';
import { RequestFailure } from './request-failure.ts';

export type MessageQueue = {
  /** Adds it, or changes nothing when it is there already. Sent at once where no turn runs, unless it is held. */
  add(conversationId: string, message: WebNewQueuedMessage): void;
  /** Rejects with RequestFailure('not_found') for what was sent or removed, as `remove` does. */
  change(conversationId: string, id: string, text: string): void;
  remove(conversationId: string, id: string): void;
  /** What was held is sent. */
  release(conversationId: string): void;
  /** A turn is over. Undefined: nobody knows how it ended. */
  turnEnded(conversationId: string, reason: TurnEndReason | undefined): void;
  /** The conversation is gone. */
  drop(conversationId: string): void;
  all(): readonly WebQueue[];
};

export type QueueParts = {
  hasTurn(conversationId: string): boolean;
  /** Resolves when the turn has begun. */
  send(conversationId: string, message: WebNewQueuedMessage): Promise<void>;
  changed(queue: WebQueue): void;
};

type Waiting = { readonly messages: WebNewQueuedMessage[]; isHeld: boolean; isSending: boolean; problem: string };

const maxMessages = 20;

/** After these a person would say something else than what waits. */
const holds: ReadonlySet<TurnEndReason | undefined> = new Set(['stopped', 'failed', 'budget', undefined]);

export function createMessageQueue(parts: QueueParts): MessageQueue {
  const queues = new Map<string, Waiting>();

  function open(id: string): Waiting {
    const waiting = queues.get(id) ?? { messages: [], isHeld: false, isSending: false, problem: '' };
    queues.set(id, waiting);
    return waiting;
  }

  function tell(id: string): void {
    const waiting = queues.get(id);
    if (waiting?.messages.length === 0 && !waiting.isSending) queues.delete(id);
    parts.changed(shown(id, waiting));
  }

  async function sendNext(id: string): Promise<void> {
    const waiting = queues.get(id);
    const [next] = waiting?.messages ?? [];
    if (waiting === undefined || next === undefined) return;
    if (waiting.isHeld || waiting.isSending || parts.hasTurn(id)) return;
    waiting.isSending = true;
    try {
      await parts.send(id, next);
      waiting.messages.splice(waiting.messages.indexOf(next), 1);
    } catch (error) {
      waiting.isHeld = true;
      waiting.problem = error instanceof Error ? error.message : String(error);
    }
    waiting.isSending = false;
    tell(id);
    // The turn may have ended already.
    await sendNext(id);
  }

  function find(id: string, messageId: string): { readonly waiting: Waiting; readonly at: number } {
    const waiting = queues.get(id);
    const at = waiting?.messages.findIndex((each) => each.id === messageId) ?? -1;
    if (waiting === undefined || at === -1 || (waiting.isSending && at === 0))
      throw new RequestFailure('not_found', 'It does not wait any more: it was sent, or removed on another page.');
    return { waiting, at };
  }

  return {
    add(id, message) {
      const waiting = open(id);
      if (waiting.messages.some((each) => each.id === message.id)) return;
      if (waiting.messages.length >= maxMessages)
        throw new RequestFailure('too_many', `${maxMessages} messages wait already. Remove one, or wait for a turn.`);
      waiting.messages.push(message);
      if (message.isHeld === true) waiting.isHeld = true;
      tell(id);
      void sendNext(id);
    },
    change(id, messageId, text) {
      const { waiting, at } = find(id, messageId);
      const message = waiting.messages[at];
      if (message !== undefined) waiting.messages[at] = { ...message, text };
      tell(id);
    },
    remove(id, messageId) {
      const { waiting, at } = find(id, messageId);
      waiting.messages.splice(at, 1);
      tell(id);
    },
    release(id) {
      const waiting = queues.get(id);
      if (waiting === undefined) return;
      Object.assign(waiting, { isHeld: false, problem: '' });
      tell(id);
      void sendNext(id);
    },
    turnEnded(id, reason) {
      const waiting = queues.get(id);
      if (waiting === undefined) return;
      if (holds.has(reason)) {
        waiting.isHeld = true;
        tell(id);
      } else void sendNext(id);
    },
    drop(id) {
      if (!queues.delete(id)) return;
      parts.changed(shown(id, undefined));
    },
    all: () => [...queues].map(([id, waiting]) => shown(id, waiting)),
  };
}

function shown(conversationId: string, waiting: Waiting | undefined): WebQueue {
  const { messages = [], isHeld = false, problem = '' } = waiting ?? {};
  const shownMessages = messages.map(({ id, text, images = [] }): WebQueuedMessage => ({
    id,
    text,
    images: images.length,
  }));
  return { conversationId, messages: shownMessages, isHeld, ...(problem === '' ? {} : { problem }) };
}
