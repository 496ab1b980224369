/** Reads the SDK's usage into ours: zero where a provider reports nothing or what cannot be, and no part more than the whole. */
import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import type { Usage } from '../contract/model.ts';

/** No model takes or gives more in one request. */
const mostTokens = 20_000_000;

export function readUsage(usage: LanguageModelV4Usage): Usage {
  const inputTokens = toCount(usage.inputTokens?.total);
  const outputTokens = toCount(usage.outputTokens?.total);
  const cachedInputTokens = Math.min(toCount(usage.inputTokens?.cacheRead), inputTokens);
  const cacheWriteTokens = Math.min(toCount(usage.inputTokens?.cacheWrite), inputTokens - cachedInputTokens);
  return {
    inputTokens,
    outputTokens,
    cachedInputTokens,
    reasoningTokens: Math.min(toCount(usage.outputTokens?.reasoning), outputTokens),
    ...(cacheWriteTokens === 0 ? {} : { cacheWriteTokens }),
  };
}

function toCount(value: unknown): number {
  return typeof value === 'number' && value > 0 && value <= mostTokens ? Math.round(value) : 0;
}
