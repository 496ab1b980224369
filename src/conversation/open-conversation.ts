/** Finds or makes a conversation. Its workspace is fixed when it is made. */
import { MisuseFailure, ToolFailure } from '../contract/failure.ts';
import type { Conversation, ConversationStore } from '../contract/storage.ts';

/** Letters, digits, dot, dash and underscore: an id is also a folder's name. */
const idPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

export type ConversationRequest = {
  readonly id: string;
  readonly title: string;
  readonly workspace: string;
  readonly isThrowaway: boolean;
  readonly now: Date;
};

/** Rejects with MisuseFailure for an id that is none and for another workspace than the conversation's own. */
export async function openConversation(store: ConversationStore, request: ConversationRequest): Promise<Conversation> {
  if (!idPattern.test(request.id)) {
    throw new MisuseFailure(
      `"${request.id}" is no conversation id. Use letters, digits, ".", "-" and "_", at most 128, beginning with a letter or digit.`,
    );
  }
  const existing = request.isThrowaway ? undefined : await store.get(request.id);
  if (existing !== undefined) return checkWorkspace(existing, request);
  const at = request.now.toISOString();
  const { id, title, workspace, isThrowaway } = request;
  const made: Conversation = { id, title, workspace, isThrowaway, createdAt: at, updatedAt: at };
  try {
    await store.create(made);
    return made;
  } catch (error) {
    // Another first call of the same conversation was quicker.
    const other = error instanceof ToolFailure && error.code === 'conflict' ? await store.get(id) : undefined;
    if (other === undefined) throw error;
    return checkWorkspace(other, request);
  }
}

function checkWorkspace(existing: Conversation, request: ConversationRequest): Conversation {
  if (existing.workspace === request.workspace) return existing;
  throw new MisuseFailure(
    `The conversation ${request.id} belongs to the workspace ${existing.workspace}, not to ${request.workspace}. Go there, or name another conversation.`,
  );
}
