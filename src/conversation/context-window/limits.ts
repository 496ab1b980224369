/** How much of a model's window a request may take. */
import type { ModelInfo } from '../../contract/model.ts';

export type WindowLimits = {
  /** Above this, older messages become a summary. */
  readonly compactAbove: number;
  /** Above this, messages are left out. */
  readonly trimAbove: number;
  /** What trimming leaves, so that the history then only grows for many rounds. */
  readonly trimTo: number;
  /** Above this there would be no room for an answer at all. */
  readonly failAbove: number;
};

const compactionShare = 0.7;
/** A longest answer that takes more than this of the window is never reserved whole: then a quarter is. */
const mostAnswerShare = 0.35;
const usualAnswerShare = 0.25;
const leastAnswerShare = 1 / 16;

export function limitsOf({
  contextWindow,
  maxOutputTokens,
}: Pick<ModelInfo, 'contextWindow' | 'maxOutputTokens'>): WindowLimits {
  const isReserved = maxOutputTokens <= contextWindow * mostAnswerShare;
  const forAnswer = isReserved ? maxOutputTokens : contextWindow * usualAnswerShare;
  const trimAbove = Math.floor(contextWindow - forAnswer);
  return {
    compactAbove: Math.min(Math.floor(contextWindow * compactionShare), trimAbove),
    trimAbove,
    trimTo: Math.floor(contextWindow / 2),
    failAbove: Math.floor(contextWindow * (1 - leastAnswerShare)),
  };
}
