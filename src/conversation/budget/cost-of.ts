/** What a request takes: before it is sent, as much as it may; afterwards, what its provider says, as far as that can be. */
import type { Expense } from '../../contract/budget.ts';
import type { AssistantMessage } from '../../contract/message.ts';
import type { ModelInfo, Usage } from '../../contract/model.ts';

const perMillion = 1e6;
/** Of usual text and JSON. */
const charsPerToken = 4;

export type Amount = { readonly tokens: number; /** Zero where the price is unknown. */ readonly usd: number };

export function mostOf({ model, estimatedInputTokens, maxOutputTokens }: Expense): Amount {
  const usage = { inputTokens: estimatedInputTokens, outputTokens: maxOutputTokens, cachedInputTokens: 0 };
  return { tokens: estimatedInputTokens + maxOutputTokens, usd: costOf(model, usage) ?? 0 };
}

/** Undefined when the price is unknown. */
export function costOf(model: ModelInfo, usage: Omit<Usage, 'reasoningTokens'>): number | undefined {
  if (model.price === undefined) return undefined;
  const { input, output, cachedInput = input, cacheWrite = input } = model.price;
  const cached = Math.min(usage.cachedInputTokens, usage.inputTokens);
  const written = Math.min(usage.cacheWriteTokens ?? 0, usage.inputTokens - cached);
  const plain = usage.inputTokens - cached - written;
  const total = plain * input + cached * cachedInput + written * cacheWrite + usage.outputTokens * output;
  return total / perMillion;
}

/**
 * Some servers count nothing, and what cannot be a count has become zero on the way here. No request takes nothing: where a
 * count is missing, ours stands in its place.
 */
export function withEstimates(
  usage: Usage,
  { estimatedInputTokens }: Pick<Expense, 'estimatedInputTokens'>,
  message: AssistantMessage | undefined,
): { readonly usage: Usage; readonly isEstimated: boolean } {
  const written = Math.ceil(countChars(message) / charsPerToken);
  const inputTokens = usage.inputTokens > 0 ? usage.inputTokens : estimatedInputTokens;
  const outputTokens = usage.outputTokens > 0 ? usage.outputTokens : written;
  const isEstimated = inputTokens !== usage.inputTokens || outputTokens !== usage.outputTokens;
  return { usage: { ...usage, inputTokens, outputTokens }, isEstimated };
}

function countChars(message: AssistantMessage | undefined): number {
  const lengths = message?.parts.map((part) =>
    part.type === 'call' ? part.tool.length + part.input.length : part.text.length,
  );
  return lengths?.reduce((sum, length) => sum + length, 0) ?? 0;
}
