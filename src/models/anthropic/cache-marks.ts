/** Marks how far Anthropic may cache a request: at most four marks, set so that the next request finds what this one stored. */
import type { LanguageModelV4CallOptions, LanguageModelV4Message, SharedV4ProviderOptions } from '@ai-sdk/provider';

const mark: SharedV4ProviderOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/**
 * Tools, system, the last message, and the message that was last in the request before: the provider looks back only some
 * twenty blocks from a mark, which one round of many calls can exceed.
 */
export function withCacheMarks(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const prompt = [...options.prompt];
  const last = prompt.length - 1;
  markAt(prompt, last);
  const lastAnswer = prompt.findLastIndex((message) => message.role === 'assistant');
  if (lastAnswer > 0) markAt(prompt, lastAnswer - 1);
  if (prompt[0]?.role === 'system') markAt(prompt, 0);
  const tools = options.tools?.map((tool, at, all) =>
    at === all.length - 1 && tool.type === 'function' ? { ...tool, providerOptions: mark } : tool,
  );
  return { ...options, prompt, ...(tools && { tools }) };
}

function markAt(prompt: LanguageModelV4Message[], at: number): void {
  const message = prompt[at];
  // Converted messages are kept for later requests: mark a copy.
  if (message) prompt[at] = { ...message, providerOptions: mark };
}
