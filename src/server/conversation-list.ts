/** Conversations as pages see them, and word of those that other processes make or change. */
import type { Handrail } from '../contract/handrail.ts';
import type { Conversation } from '../contract/storage.ts';
import type { WebConversation } from '../contract/web-api.ts';
import type { Notices } from './notices.ts';
import type { Removals } from './removals.ts';
import { RequestFailure } from './request-failure.ts';
import type { RunningWork } from './running-work.ts';

export type ConversationList = {
  /** Rejects with RequestFailure('not_found'), also while it is being removed. */
  find(id: string): Promise<Conversation>;
  shown(conversation: Conversation): WebConversation;
  /** Tells the pages how it is now. */
  tell(id: string): Promise<void>;
  /** Before a page follows: what changes from now on is told, whoever changes it. */
  watch(): Promise<void>;
  close(): void;
};

type ListParts = {
  readonly handrail: Handrail;
  readonly work: Pick<RunningWork, 'isRunning'>;
  readonly removals: Pick<Removals, 'has'>;
  readonly notices: Notices;
};

/** How many of the newest are compared: whatever was just used is among them. */
const watched = 20;

export function createConversationList(parts: ListParts, { pollMs = 2_000 } = {}): ConversationList {
  const { handrail, notices } = parts;
  let before: ReadonlyMap<string, string> | undefined;
  const timer = setInterval(() => {
    if (notices.followers() === 0) {
      before = undefined;
      return;
    }
    look().catch(() => {
      // A busy database: the next look finds it.
    });
  }, pollMs);

  function shown(conversation: Conversation): WebConversation {
    const { id, title, workspace, createdAt, updatedAt, isPinned = false, kind, branchedFrom } = conversation;
    return {
      ...{ id, title, workspace, createdAt, updatedAt, isPinned, isRunning: parts.work.isRunning(id) },
      ...(kind === undefined ? {} : { kind }),
      ...(branchedFrom === undefined ? {} : { branchedFrom }),
    };
  }

  async function look(): Promise<void> {
    const newest = await handrail.conversations.list({ limit: watched });
    const now = new Map(newest.map((each) => [each.id, JSON.stringify(each)]));
    const known = before;
    before = now;
    if (known === undefined) return;
    for (const each of newest) {
      if (parts.removals.has(each.id) || known.get(each.id) === now.get(each.id)) continue;
      notices.publish({ type: 'conversation', conversation: shown(each) });
    }
  }

  return {
    shown,
    async find(id) {
      const found = parts.removals.has(id) ? undefined : await handrail.conversations.get(id);
      if (found !== undefined) return found;
      throw new RequestFailure('not_found', `There is no conversation ${id}. It may have been removed.`);
    },
    async tell(id) {
      const found = await handrail.conversations.get(id);
      if (found !== undefined) notices.publish({ type: 'conversation', conversation: shown(found) });
    },
    async watch() {
      if (before === undefined) await look();
    },
    close: () => clearInterval(timer),
  };
}
