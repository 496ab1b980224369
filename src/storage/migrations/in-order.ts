/** Every migration, oldest first. The version of a database is how many of them it has seen; none is ever changed. */
import type { Migration } from '../migrate.ts';
import { firstTables } from './0001-conversations-events-grants.ts';

export const migrationsInOrder: readonly Migration[] = [firstTables];
