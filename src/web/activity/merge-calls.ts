/** Keeps the calls on screen new: what has changed in its place, what has come on top. Pure. */
import type { LedgerEntry } from '../../contract/ledger.ts';

export const keyOf = ({ conversationId, callId }: Pick<LedgerEntry, 'conversationId' | 'callId'>): string =>
  JSON.stringify([conversationId, callId]);

/** From when on the server is asked again: the oldest one that had not ended, else the newest. Undefined: from the beginning. */
export function lookFrom(known: readonly LedgerEntry[]): string | undefined {
  return known.findLast((each) => each.end === undefined)?.startedAt ?? known[0]?.startedAt;
}

/** `fresh`: all that fit since `from`, newest first; undefined: all. Those that are gone by then do not fit any more. */
export function mergeCalls(
  known: readonly LedgerEntry[],
  fresh: readonly LedgerEntry[],
  from: string | undefined,
): { readonly calls: readonly LedgerEntry[]; readonly added: readonly LedgerEntry[] } {
  const byKey = new Map(fresh.map((each) => [keyOf(each), each]));
  const isOver = ({ startedAt, end }: LedgerEntry): boolean =>
    end === undefined && (from === undefined || startedAt >= from);
  const calls = known.flatMap((each) => {
    const now = byKey.get(keyOf(each));
    if (now === undefined) return isOver(each) ? [] : [each];
    return [isSame(each, now) ? each : now];
  });
  const before = new Set(known.map(keyOf));
  return { calls, added: fresh.filter((each) => !before.has(keyOf(each))) };
}

/** An object that is the same is not drawn again. */
const isSame = (one: LedgerEntry, other: LedgerEntry): boolean =>
  one.end?.at === other.end?.at && one.costUsd === other.costUsd && one.startedAt === other.startedAt;

/** The next page, without what has slipped into it. */
export function appendCalls(known: readonly LedgerEntry[], page: readonly LedgerEntry[]): readonly LedgerEntry[] {
  const before = new Set(known.map(keyOf));
  return [...known, ...page.filter((each) => !before.has(keyOf(each)))];
}
