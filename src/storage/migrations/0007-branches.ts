/** Which conversation one was branched off from, and before which of its events. */
import type { Migration } from '../migrate.ts';

export const branches: Migration = {
  name: '0007-branches',
  up: async (database, text) => {
    // No foreign key: a branch stays when the conversation that it came from is removed.
    await database.schema.alterTable('conversations').addColumn('branched_from', text).execute();
    await database.schema.alterTable('conversations').addColumn('branched_before', 'integer').execute();
  },
};
