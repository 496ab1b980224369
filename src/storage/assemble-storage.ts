/** Migrates an open database and puts the stores on it. */
import type { Storage } from '../contract/storage.ts';
import { createConversationStore } from './conversations.ts';
import type { Database } from './database.ts';
import { createEventStore } from './events.ts';
import { createGrantStore } from './grants.ts';
import { createLedgerStore } from './ledger.ts';
import { createSpendingStore } from './spending.ts';
import { migrate } from './migrate.ts';
import { migrationsInOrder } from './migrations/in-order.ts';
import { withSetupFailures } from './storage-failure.ts';

/** One installation has one owner; every row says so already, for the day when there are several. */
const localOwner = 'owner';

/** Closes the database when the migration fails. */
export async function assembleStorage(database: Database, migrations = migrationsInOrder): Promise<Storage> {
  try {
    await withSetupFailures(database.explain, async () => migrate(database, migrations));
  } catch (error) {
    await database.close();
    throw error;
  }
  return {
    place: database.place,
    conversations: createConversationStore(database, localOwner),
    events: createEventStore(database, localOwner),
    grants: createGrantStore(database, localOwner),
    ledger: createLedgerStore(database, localOwner),
    spending: createSpendingStore(database, localOwner),
    upkeep: () => database.upkeep?.(),
    close: async () => database.close(),
  };
}
