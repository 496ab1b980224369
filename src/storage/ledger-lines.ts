/** Writes the ledger's lines: what the journal's events about a call become, in the transaction that writes these. */
import { type CompiledQuery, sql } from 'kysely';
import type { EventBody } from '../contract/event.ts';
import { compileStatement } from './compiled-statement.ts';
import type { Database } from './database.ts';
import { encodeStoredText } from './stored-text.ts';

type NewEvent = EventBody & { readonly at: string };
type Start = Extract<NewEvent, { type: 'tool-start' }>;
type End = Extract<NewEvent, { type: 'tool-end' }>;
export type LinePlace = { readonly conversationId: string; readonly turnId: string; readonly seq: number };

/** Undefined: the event is not about a call. */
export type LedgerLine = (event: NewEvent, place: LinePlace) => CompiledQuery | undefined;

const maxInputChars = 2_000;
const maxHeadChars = 1_000;

export function createLedgerLine(database: Database, owner: string): LedgerLine {
  const start = compileStart(database);
  const end = compileEnd(database);
  const keyOf = (event: Start | End, { conversationId, turnId, seq }: LinePlace) =>
    [encodeStoredText(conversationId), encodeStoredText(event.callId), owner, seq, encodeStoredText(turnId)] as const;
  return (event, place) => {
    if (event.type === 'tool-start') return start(...keyOf(event, place), ...startValues(event));
    if (event.type === 'tool-end') return end(...keyOf(event, place), ...endValues(event));
    return undefined;
  };
}

/** A call that runs again after a crash has no end any more. */
function compileStart({ kysely }: Database) {
  return compileStatement(
    kysely,
    sql`insert into calls (conversation_id, call_id, owner_id, seq, turn_id, origin, tool, effect, summary, input, started_at)
      values (${''}, ${''}, ${''}, ${0}, ${''}, ${''}, ${''}, ${''}, ${''}, ${''}, ${''})
      on conflict (conversation_id, call_id) do update set seq = excluded.seq, turn_id = excluded.turn_id,
        origin = excluded.origin, tool = excluded.tool, effect = excluded.effect, summary = excluded.summary,
        input = excluded.input, started_at = excluded.started_at, ended_at = null, duration_ms = null, verdict = null,
        reason = null, is_ok = null, error_code = null, result_bytes = null, result_head = null`,
  );
}

/** A call that never began, because the program was killed before, has an end all the same. */
function compileEnd({ kysely }: Database) {
  return compileStatement(
    kysely,
    sql`insert into calls (conversation_id, call_id, owner_id, seq, turn_id, origin, tool, effect, summary, input, started_at,
        ended_at, duration_ms, verdict, reason, is_ok, error_code, result_bytes, result_head)
      values (${''}, ${''}, ${''}, ${0}, ${''}, 'model', ${''}, 'read', '', '', ${''},
        ${''}, ${0}, ${''}, ${''}, ${0}, ${''}, ${0}, ${''})
      on conflict (conversation_id, call_id) do update set ended_at = excluded.ended_at, duration_ms = excluded.duration_ms,
        verdict = excluded.verdict, reason = excluded.reason, is_ok = excluded.is_ok, error_code = excluded.error_code,
        result_bytes = excluded.result_bytes, result_head = excluded.result_head`,
  );
}

function startValues({ origin, tool, effect, summary, input, at }: Start): readonly string[] {
  return [origin, stored(tool), effect, stored(summary), stored(input), at];
}

function endValues({ tool, at, durationMs, decision, outcome }: End): readonly (string | number | null)[] {
  const { ok, text, error, artifact } = outcome;
  const bytes = artifact?.bytes ?? Buffer.byteLength(text);
  const { verdict, reason } = decision;
  const result = [ok ? 1 : 0, error === undefined ? null : stored(error.code), bytes, stored(text, maxHeadChars)];
  return [stored(tool), at, at, Math.round(durationMs), verdict, stored(reason), ...result];
}

const stored = (text: string, maxChars = maxInputChars): string => encodeStoredText(text.slice(0, maxChars));
