/** What models have cost, added up, and what is reserved for requests that are under way. */
import type { Migration } from '../migrate.ts';

export const spending: Migration = {
  name: '0003-spending',
  up: async (database, text) => {
    // No foreign keys: what a removed conversation has cost stays part of its day.
    await database.schema
      .createTable('spending')
      .addColumn('owner_id', text, (column) => column.notNull().defaultTo('owner'))
      .addColumn('day', text, (column) => column.notNull())
      .addColumn('conversation_id', text, (column) => column.notNull())
      .addColumn('scope_id', text, (column) => column.notNull())
      .addColumn('model', text, (column) => column.notNull())
      .addColumn('requests', 'bigint', (column) => column.notNull())
      .addColumn('unpriced_requests', 'bigint', (column) => column.notNull())
      .addColumn('input_tokens', 'bigint', (column) => column.notNull())
      .addColumn('output_tokens', 'bigint', (column) => column.notNull())
      .addColumn('cached_input_tokens', 'bigint', (column) => column.notNull())
      .addColumn('usd_nanos', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('spending_account', ['owner_id', 'day', 'conversation_id', 'scope_id', 'model'])
      .execute();
    for (const column of ['conversation_id', 'scope_id'] as const) {
      await database.schema.createIndex(`spending_by_${column}`).on('spending').columns(['owner_id', column]).execute();
    }
    await database.schema
      .createTable('spending_reservations')
      .addColumn('id', text, (column) => column.primaryKey().notNull())
      .addColumn('owner_id', text, (column) => column.notNull().defaultTo('owner'))
      .addColumn('day', text, (column) => column.notNull())
      .addColumn('conversation_id', text, (column) => column.notNull())
      .addColumn('scope_id', text, (column) => column.notNull())
      .addColumn('tokens', 'bigint', (column) => column.notNull())
      .addColumn('usd_nanos', 'bigint', (column) => column.notNull())
      .addColumn('holder', text, (column) => column.notNull())
      .addColumn('expires_at', text, (column) => column.notNull())
      .execute();
  },
};
