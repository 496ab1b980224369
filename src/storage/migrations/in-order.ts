/** Every migration, oldest first. The version of a database is how many of them it has seen; none is ever changed. */
import type { Migration } from '../migrate.ts';
import { firstTables } from './0001-conversations-events-grants.ts';
import { grantUse } from './0002-grant-use.ts';
import { ledger } from './0004-ledger.ts';
import { pinnedConversations } from './0005-pinned-conversations.ts';
import { conversationKind } from './0006-conversation-kind.ts';
import { branches } from './0007-branches.ts';
import { spending } from './0003-spending.ts';

export const migrationsInOrder: readonly Migration[] = [
  firstTables,
  grantUse,
  spending,
  ledger,
  pinnedConversations,
  conversationKind,
  branches,
];
