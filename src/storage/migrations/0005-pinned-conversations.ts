/** Conversations that stay on top of the list. */
import type { Migration } from '../migrate.ts';

export const pinnedConversations: Migration = {
  name: '0005-pinned-conversations',
  up: async (database) => {
    await database.schema
      .alterTable('conversations')
      .addColumn('is_pinned', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
