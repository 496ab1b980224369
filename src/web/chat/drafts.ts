/** What was typed and not sent, kept per conversation in this browser: a reload or a closed tab loses nothing. */

export type Drafts = {
  get(conversationId: string | undefined): string;
  set(conversationId: string | undefined, text: string): void;
};

const keyOf = (conversationId: string | undefined): string => `handrail.draft.${conversationId ?? 'new'}`;

export function createDrafts(storage: Storage): Drafts {
  return {
    get(conversationId) {
      return storage.getItem(keyOf(conversationId)) ?? '';
    },
    set(conversationId, text) {
      try {
        if (text === '') storage.removeItem(keyOf(conversationId));
        else storage.setItem(keyOf(conversationId), text);
      } catch {
        // Full or forbidden: the text stays in the field, which is all that can be done.
      }
    },
  };
}
