/**
 * The write boundary: a storage in which no secret is ever kept. Everything that is shown from the journal has passed here, too.
 */
import type { Redactor, RedactorSource } from '../contract/redaction.ts';
import type { Conversation, Storage } from '../contract/storage.ts';
import { redactEvents } from './redacted-events.ts';

export function withRedaction(storage: Storage, redactor: RedactorSource): Storage {
  const { conversations, events, grants } = storage;
  return {
    ...storage,
    conversations: {
      ...conversations,
      create: async (conversation) => conversations.create(redactTitle(await redactor(), conversation)),
      createBranch: async (conversation) => conversations.createBranch(redactTitle(await redactor(), conversation)),
      update: async (id, change) => conversations.update(id, redactTitle(await redactor(), change)),
    },
    events: redactEvents(events, redactor),
    grants: {
      ...grants,
      add: async (grant) => grants.add((await redactor()).redactAll(grant)),
      // What is asked for is compared with it as it was.
      list: async (conversationId) => (await redactor()).restoreAll(await grants.list(conversationId)),
    },
  };
}

/** A title is cut anywhere; half a secret at its end is none that could be recognised. */
function redactTitle<Change extends Partial<Pick<Conversation, 'title'>>>(redactor: Redactor, change: Change): Change {
  if (change.title === undefined) return change;
  const isCut = change.title.endsWith('…');
  const title = isCut
    ? `${redactor.redactStream().next(change.title.slice(0, -1)).text}…`
    : redactor.redact(change.title);
  return { ...change, title };
}
