/** The rows of every table, as kysely knows them. Column types that exist on both databases only: text and integer. */

export type ConversationRow = {
  id: string;
  owner_id: string;
  title: string;
  workspace: string;
  /** 0 or 1: SQLite has no boolean. */
  is_throwaway: number;
  created_at: string;
  updated_at: string;
};

export type EventRow = {
  conversation_id: string;
  seq: number;
  owner_id: string;
  turn_id: string;
  type: string;
  at: string;
  /** The event without the fields above, as JSON text. */
  body: string;
};

export type GrantRow = {
  id: string;
  owner_id: string;
  tool: string;
  pattern: string;
  scope: string;
  conversation_id: string | null;
  origin: string;
  created_at: string;
};

export type SchemaVersionRow = {
  version: number;
  owner_id: string;
  name: string;
  applied_at: string;
};

export type Tables = {
  conversations: ConversationRow;
  events: EventRow;
  grants: GrantRow;
  schema_versions: SchemaVersionRow;
};
