/** What to leave out of a context that no longer fits: the oldest first, a call always together with its result. */
import { type ContextEntry, shorten } from '../context-list.ts';

export type Trim = { readonly keepFromSeq: number; readonly maxResultChars?: number };

export type TrimGoal = {
  /** Tokens that the messages should take after it, so that many rounds fit behind. */
  readonly goal: number;
  /** Tokens that they may take at most. */
  readonly most: number;
  tokensOf(entry: Pick<ContextEntry, 'size'>): number;
};

/** Lengths that results are cut to when even the last round does not fit. */
const resultLengths = [16_000, 8_000, 4_000, 2_000, 1_000, 400, 200] as const;

/** Undefined: nothing that could be left out is left. */
export function chooseTrim(entries: readonly ContextEntry[], bounds: TrimGoal): Trim | undefined {
  const { most, tokensOf } = bounds;
  const cuts = cutsOf(entries).map((at) => ({ keepFromSeq: entries[at]?.seq ?? 0 }));
  const last = cuts.at(-1);
  if (last === undefined) return undefined;
  const takes = (trim: Trim) => sum(whatStays(entries, trim).map(tokensOf));
  const least = takes(last);
  // Where the last round and what the user said take most of the window, half of the rest is kept free.
  const goal = Math.max(bounds.goal, (least + most) / 2);
  const shortened = resultLengths.map((maxResultChars) => ({ ...last, maxResultChars }));
  const nothing = { keepFromSeq: Number.MAX_SAFE_INTEGER, maxResultChars: 200 };
  const best =
    cuts.find((trim) => takes(trim) <= Math.min(goal, most)) ??
    [last].find(() => least <= most) ??
    shortened.find((trim) => takes(trim) <= bounds.goal) ??
    shortened.find((trim) => takes(trim) <= most) ??
    [nothing].find((trim) => takes(trim) <= most);
  return best !== undefined && takes(best) < sum(entries.map(tokensOf)) ? best : undefined;
}

/** As the context's list does it. */
function whatStays(entries: readonly ContextEntry[], trim: Trim): readonly ContextEntry[] {
  const last = entries.findLast(({ kind }) => kind === 'exchange');
  const kept = entries.filter(
    (entry) => entry.kind === 'summary' || entry === last || (entry.kind !== 'mark' && entry.seq >= trim.keepFromSeq),
  );
  const { maxResultChars } = trim;
  if (maxResultChars === undefined) return kept;
  return kept.map((entry) => shorten(entry, maxResultChars));
}

/**
 * Where the context may be cut: before a message with no call open. Never behind the last response of the model: what it has
 * just done stays.
 */
function cutsOf(entries: readonly ContextEntry[]): readonly number[] {
  const open = new Set<string>();
  const cuts: number[] = [];
  const latest = entries.findLastIndex(({ message, kind }) => message.role === 'assistant' || kind === 'exchange');
  for (const [at, { message, kind }] of entries.entries()) {
    // A call that never got a result is answered by the dialect; what follows does not wait for it.
    if (kind === 'exchange') open.clear();
    const isOwn = kind === 'exchange' || kind === 'message';
    if (isOwn && open.size === 0 && message.role !== 'tool' && at <= latest) cuts.push(at);
    if (message.role === 'assistant') {
      for (const part of message.parts) if (part.type === 'call') open.add(part.callId);
    } else if (message.role === 'tool') {
      for (const { callId } of message.results) open.delete(callId);
    }
  }
  return cuts;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
