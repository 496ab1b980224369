/** Chat Completions, as OpenAI began it and as nearly every other server speaks it. */
import type { Connection, DialectRules, OpenModel } from '../dialect.ts';
import { createGrowingBody } from '../growing-body.ts';
import { asRecord } from '../json-fields.ts';
import { readOpenAiError } from '../read-openai-error.ts';
import { createUsageFallback } from './usage-fallback.ts';
import { createEndWatch } from './watch-end.ts';

export const rules: DialectRules = {
  prompt: {
    arguments: 'text',
    // The SDK would send the image's base64 as text inside the result.
    resultImages: 'moved',
    marksErrors: false,
    // DeepSeek and Kimi want the reasoning back with the calls it led to; DeepSeek's R1 refuses any other.
    reasoning: 'with-calls',
  },
  readError: readOpenAiError,
  isIgnorable(event) {
    const choices = asRecord(event)?.choices;
    return !Array.isArray(choices) || choices.length === 0;
  },
};

/** Not `openaiCompatible`: fields under that name would be copied into the request. */
const namespace = 'chat';
/** OpenAI's own newer models refuse `max_tokens`. */
const newLimitShape = /^(?:o\d|gpt-(?:[5-9]|\d\d))/;

export async function open({ modelId, baseUrl, key, fetch }: Connection): Promise<OpenModel> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const body = createGrowingBody(fetch, { listKey: 'messages', hasSystemInList: true });
  const watch = createEndWatch(createUsageFallback(body.fetch));
  const provider = createOpenAICompatible({
    name: namespace,
    baseURL: baseUrl,
    ...(key !== undefined && { apiKey: key }),
    fetch: watch.fetch,
    includeUsage: true,
    transformRequestBody: (body) => {
      if (body.max_tokens === undefined || !newLimitShape.test(modelId)) return body;
      const { max_tokens: limit, ...rest } = body;
      return { ...rest, max_completion_tokens: limit };
    },
  });
  return {
    model: provider.chatModel(modelId),
    prepare: body.prepare,
    sawEnd: watch.sawEnd,
  };
}
