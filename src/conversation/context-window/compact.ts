/** When older messages become a summary, which ones, and whether the summary is worth taking their place. */
import { estimateTokens } from '../../base/estimate-tokens.ts';
import { truncateMiddle } from '../../base/truncate-middle.ts';
import type { Recorder } from '../../contract/event.ts';
import { summaryOf, type ContextEntry } from '../context-list.ts';
import type { ConversationContext } from '../fold-context.ts';
import type { ContextWindowParts } from './create-context-window.ts';
import { type SummaryResult, summarise } from './summarise.ts';

/** So many exchanges with the user stay word for word. */
const keptExchanges = 4;
/** Less than this share of the window is not worth a request. */
const leastOldShare = 0.05;
/** How much the context has to grow, as a share of the window, before a summary is asked for again. */
const growthShare = { afterSuccess: 0.1, afterFailure: 0.2 };
/** A summary that saves less than a quarter of what it replaces is none. */
const mostKeptShare = 0.75;
/** The most of the window that a summary may take; a longer one is cut in its middle. */
const mostSummaryShare = 0.2;
const words = { shareOfWindow: 0.05, least: 150, most: 1_500 };

export type CompactionParts = ContextWindowParts & {
  /** The model's window in our own tokens, and how many of them the request for the summary may take. */
  readonly windowTokens: number;
  readonly mostTokens: number;
};

/** True when the context is a summary and the last exchanges now. Asks only when that is of use and was not just tried in vain. */
export async function compact(parts: CompactionParts, record: Recorder, signal: AbortSignal): Promise<boolean> {
  const { context, model, budget, windowTokens, mostTokens } = parts;
  const plan = planOf(context.entries);
  if (sizeOf(plan.old) < windowTokens * leastOldShare || !hasGrown(context, windowTokens)) return false;
  await record({ type: 'note', text: 'The conversation fills its window: the older part is being summarised.' });
  const startedAt = performance.now();
  const earlier = summaryOf(context.entries);
  const request = {
    model,
    budget,
    earlier,
    messages: plan.old.map(({ message }) => message),
    mostTokens,
    maxWords: Math.round(Math.min(Math.max(windowTokens * words.shareOfWindow, words.least), words.most)),
  };
  const result = await summarise(request, record, signal);
  const judged = judge(result, sizeOf(plan.old) + estimateTokens(earlier ?? ''), windowTokens);
  const { model: answeredBy, usage, costUsd } = result;
  const durationMs = Math.round(performance.now() - startedAt);
  const spent = { model: answeredBy, usage, durationMs, ...(costUsd === undefined ? {} : { costUsd }) };
  if ('problem' in judged) {
    const text = `The older part could not be summarised: ${judged.problem} Nothing was left out for that.`;
    await record({ type: 'compaction-failed', text, ...spent });
    return false;
  }
  await record({ type: 'compaction', summary: judged.summary, keepFromSeq: plan.keepFromSeq, ...spent });
  return true;
}

function hasGrown({ entries, lastCompaction: last }: ConversationContext, windowTokens: number): boolean {
  if (last === undefined) return true;
  const share = last.hasFailed ? growthShare.afterFailure : growthShare.afterSuccess;
  return sizeOf(entries) - last.size >= windowTokens * share;
}

function planOf(entries: readonly ContextEntry[]) {
  const keepFromSeq = entries.filter(({ kind }) => kind === 'exchange').at(-keptExchanges)?.seq ?? 0;
  const old = entries.filter(({ kind, seq }) => (kind === 'exchange' || kind === 'message') && seq < keepFromSeq);
  return { keepFromSeq, old };
}

function judge(
  { text, problem }: SummaryResult,
  replacedTokens: number,
  windowTokens: number,
): { readonly summary: string } | { readonly problem: string } {
  if (text === undefined) return { problem };
  const tokens = estimateTokens(text);
  if (tokens > replacedTokens * mostKeptShare) {
    return { problem: 'The summary was not much shorter than what it should replace.' };
  }
  const most = windowTokens * mostSummaryShare;
  if (tokens <= most) return { summary: text };
  const maxChars = Math.floor((text.length * most) / tokens);
  return { summary: truncateMiddle(text, maxChars, (cut) => `\n[... ${cut} characters left out ...]\n`) };
}

const sizeOf = (entries: readonly ContextEntry[]): number =>
  entries.reduce((sum, { size }) => sum + size.textTokens, 0);
