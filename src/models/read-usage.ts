/** Reads the SDK's usage into ours: zero where a provider reports nothing or what cannot be, never NaN. */
import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import type { Usage } from '../contract/model.ts';

/** No model takes or gives more in one request. */
const mostTokens = 20_000_000;

export function readUsage(usage: LanguageModelV4Usage): Usage {
  return {
    inputTokens: toCount(usage.inputTokens?.total),
    outputTokens: toCount(usage.outputTokens?.total),
    cachedInputTokens: toCount(usage.inputTokens?.cacheRead),
    reasoningTokens: toCount(usage.outputTokens?.reasoning),
  };
}

function toCount(value: unknown): number {
  return typeof value === 'number' && value > 0 && value <= mostTokens ? Math.round(value) : 0;
}
