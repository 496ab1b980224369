/** The rows of every table, as kysely knows them. Column types that exist on both databases only: text and integer. */
import type { Generated } from 'kysely';

export type ConversationRow = {
  id: string;
  owner_id: string;
  title: string;
  workspace: string;
  /** 0 or 1: SQLite has no boolean. */
  is_throwaway: number;
  created_at: string;
  updated_at: string;
  /** 0 or 1. */
  is_pinned: Generated<number>;
  /** 'chat' or 'interactive'. */
  kind: Generated<string>;
  /** Null, and the next with it: it is no branch. */
  branched_from: string | null;
  branched_before: number | null;
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
  expires_at: string | null;
  used_at: string | null;
  uses: number;
};

export type SpendingRow = {
  owner_id: string;
  day: string;
  conversation_id: string;
  /** Empty where nothing but the conversation and the day counts. */
  scope_id: string;
  model: string;
  requests: number;
  unpriced_requests: number;
  input_tokens: number;
  output_tokens: number;
  cached_input_tokens: number;
  /** Billionths of a dollar: sums of them are exact. */
  usd_nanos: number;
};

export type SpendingReservationRow = {
  id: string;
  owner_id: string;
  day: string;
  conversation_id: string;
  scope_id: string;
  tokens: number;
  usd_nanos: number;
  /** The process whose request it is for. */
  holder: string;
  expires_at: string;
};

export type CallRow = {
  conversation_id: string;
  call_id: string;
  owner_id: string;
  /** Where the journal says that it began. */
  seq: number;
  turn_id: string;
  origin: string;
  tool: string;
  effect: string;
  summary: string;
  input: string;
  started_at: string;
  /** Null, and the rest with it: it has not ended. */
  ended_at: string | null;
  duration_ms: number | null;
  verdict: string | null;
  reason: string | null;
  is_ok: number | null;
  error_code: string | null;
  result_bytes: number | null;
  result_head: string | null;
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
  spending: SpendingRow;
  spending_reservations: SpendingReservationRow;
  calls: CallRow;
  schema_versions: SchemaVersionRow;
};
