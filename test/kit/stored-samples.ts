/** What a test puts into a store. */
import type { EventBody } from '../../src/contract/event.ts';
import type { Grant } from '../../src/contract/permission.ts';
import type { Conversation, Storage } from '../../src/contract/storage.ts';

/** When all of it happened. */
export const storedAt = '2026-03-04T05:06:07.008Z';

export function aConversation(id: string): Conversation {
  return { id, title: `title of ${id}`, workspace: '/w', isThrowaway: false, createdAt: storedAt, updatedAt: storedAt };
}

export function aGrant(id: string): Grant {
  return {
    id,
    tool: 'a_tool',
    pattern: '/w/**',
    scope: 'always',
    conversationId: undefined,
    origin: 'terminal',
    createdAt: storedAt,
  };
}

export const note = (text: string): EventBody => ({ type: 'note', text });

export function toolEnd(data: Record<string, unknown>): EventBody {
  const decision = { verdict: 'allow', reason: 'a test' } as const;
  return {
    type: 'tool-end',
    callId: 'k',
    tool: 'a_tool',
    outcome: { ok: true, text: '', data },
    decision,
    durationMs: 1,
  };
}

export async function append(
  storage: Storage,
  conversationId: string,
  afterSeq: number,
  bodies: readonly EventBody[],
  durable = false,
) {
  return storage.events.append(
    bodies.map((body) => ({ ...body, at: storedAt })),
    { conversationId, turnId: 'turn', afterSeq, durable },
  );
}
