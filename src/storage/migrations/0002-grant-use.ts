/** Until when an allowance holds, and how often and when it was used. */
import type { Migration } from '../migrate.ts';

export const grantUse: Migration = {
  name: '0002-grant-use',
  up: async (database, text) => {
    await database.schema.alterTable('grants').addColumn('expires_at', text).execute();
    await database.schema.alterTable('grants').addColumn('used_at', text).execute();
    await database.schema
      .alterTable('grants')
      .addColumn('uses', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
