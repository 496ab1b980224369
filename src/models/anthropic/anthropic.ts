/** Anthropic's Messages API. */
import type { Connection, DialectRules, OpenModel } from '../dialect.ts';
import { asRecord, asText } from '../json-fields.ts';
import { withCacheMarks } from './cache-marks.ts';
import { readAnthropicError } from './read-anthropic-error.ts';

export const rules: DialectRules = {
  prompt: { arguments: 'object', resultImages: 'native', marksErrors: true, reasoning: 'always' },
  readError: readAnthropicError,
  isIgnorable(event) {
    // "New event types may be added, and your code should handle unknown event types gracefully."
    // https://docs.anthropic.com/en/docs/build-with-claude/streaming
    return !/^(?:message_|content_block_)/.test(asText(asRecord(event)?.type) ?? '');
  },
};

/** The API wants a limit in each request; a very large one makes it refuse a long conversation that would fit. */
const defaultOutputTokens = 32_000;

export async function open({ modelId, info, baseUrl, key, fetch }: Connection): Promise<OpenModel> {
  // The package's main entry makes a provider when it is imported, and throws where ANTHROPIC_BASE_URL is set but empty.
  const { AnthropicLanguageModel } = await import('@ai-sdk/anthropic/internal');
  const headers = { 'anthropic-version': '2023-06-01', ...(key !== undefined && { 'x-api-key': key }) };
  const model = new AnthropicLanguageModel(modelId, {
    provider: 'anthropic.messages',
    baseURL: baseUrl,
    headers: () => headers,
    fetch,
    supportedUrls: () => ({}),
    // Both would add beta headers, which gateways that only speak the stable API refuse.
    supportsNativeStructuredOutput: false,
    supportsStrictTools: false,
  });
  return {
    model,
    prepare: (options) => ({
      ...withCacheMarks(options),
      maxOutputTokens: options.maxOutputTokens ?? Math.min(info.maxOutputTokens, defaultOutputTokens),
      // Eager streaming of arguments adds a field to each tool and lets broken JSON through.
      providerOptions: { anthropic: { toolStreaming: false } },
    }),
  };
}
