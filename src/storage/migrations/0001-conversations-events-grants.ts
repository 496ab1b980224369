/** The first tables: conversations, their events, and grants. */
import type { Migration } from '../migrate.ts';

export const firstTables: Migration = {
  name: '0001-conversations-events-grants',
  up: async (database, text) => {
    await database.schema
      .createTable('conversations')
      .addColumn('id', text, (column) => column.primaryKey().notNull())
      .addColumn('owner_id', text, (column) => column.notNull().defaultTo('owner'))
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('workspace', text, (column) => column.notNull())
      .addColumn('is_throwaway', 'integer', (column) => column.notNull())
      .addColumn('created_at', text, (column) => column.notNull())
      .addColumn('updated_at', text, (column) => column.notNull())
      .execute();
    await database.schema
      .createIndex('conversations_by_use')
      .on('conversations')
      .columns(['owner_id', 'is_throwaway', 'updated_at'])
      .execute();
    await database.schema
      .createTable('events')
      .addColumn('conversation_id', text, (column) =>
        column.notNull().references('conversations.id').onDelete('cascade'),
      )
      .addColumn('seq', 'integer', (column) => column.notNull())
      .addColumn('owner_id', text, (column) => column.notNull().defaultTo('owner'))
      .addColumn('turn_id', text, (column) => column.notNull())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('at', text, (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('events_position', ['conversation_id', 'seq'])
      .execute();
    await database.schema
      .createTable('grants')
      .addColumn('id', text, (column) => column.primaryKey().notNull())
      .addColumn('owner_id', text, (column) => column.notNull().defaultTo('owner'))
      .addColumn('tool', 'text', (column) => column.notNull())
      .addColumn('pattern', 'text', (column) => column.notNull())
      .addColumn('scope', 'text', (column) => column.notNull())
      .addColumn('conversation_id', text, (column) => column.references('conversations.id').onDelete('cascade'))
      .addColumn('origin', 'text', (column) => column.notNull())
      .addColumn('created_at', text, (column) => column.notNull())
      .execute();
    await database.schema
      .createIndex('grants_by_conversation')
      .on('grants')
      .columns(['owner_id', 'conversation_id'])
      .execute();
  },
};
