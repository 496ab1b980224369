/** Reads the SDK's usage into ours: zero where a provider reports nothing, never NaN. */
import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import type { Usage } from '../contract/model.ts';

export function readUsage(usage: LanguageModelV4Usage): Usage {
  return {
    inputTokens: toCount(usage.inputTokens?.total),
    outputTokens: toCount(usage.outputTokens?.total),
    cachedInputTokens: toCount(usage.inputTokens?.cacheRead),
    reasoningTokens: toCount(usage.outputTokens?.reasoning),
  };
}

function toCount(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}
