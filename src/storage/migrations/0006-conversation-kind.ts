/** What a conversation is: a chat, or one screen after the other. */
import type { Migration } from '../migrate.ts';

export const conversationKind: Migration = {
  name: '0006-conversation-kind',
  up: async (database, text) => {
    await database.schema
      .alterTable('conversations')
      .addColumn('kind', text, (column) => column.notNull().defaultTo('chat'))
      .execute();
  },
};
