/** OpenAI's Responses API, without state on the server: each request carries the whole history, reasoning encrypted. */
import type { Connection, DialectRules, OpenModel } from '../dialect.ts';
import { createGrowingBody } from '../growing-body.ts';
import { asRecord, asText } from '../json-fields.ts';
import { readOpenAiError } from '../read-openai-error.ts';

export const rules: DialectRules = {
  prompt: { arguments: 'text', resultImages: 'native', marksErrors: false, reasoning: 'always' },
  readError: readOpenAiError,
  isIgnorable(event) {
    const type = asText(asRecord(event)?.type) ?? '';
    return !/\.(?:delta|done|completed|incomplete|failed)$|output_item/.test(type);
  },
};

/** Models that do not reason refuse to be asked for encrypted reasoning. */
const plainModelShape = /^(?:ft:)?(?:gpt-3|gpt-4|chatgpt-4|gpt-5(?:\.\d+)?-chat)/;

export async function open({ modelId, baseUrl, key, fetch }: Connection): Promise<OpenModel> {
  // The package's main entry makes a provider when it is imported, and throws where OPENAI_BASE_URL is set but empty.
  const { OpenAIResponsesLanguageModel } = await import('@ai-sdk/openai/internal');
  const headers = key === undefined ? {} : { Authorization: `Bearer ${key}` };
  const body = createGrowingBody(fetch, { listKey: 'input', hasSystemInList: true });
  const model = new OpenAIResponsesLanguageModel(modelId, {
    provider: 'openai.responses',
    url: ({ path }) => `${baseUrl}${path}`,
    headers: () => headers,
    fetch: body.fetch,
  });
  const include = plainModelShape.test(modelId) ? {} : { include: ['reasoning.encrypted_content'] };
  return {
    model,
    prepare: (options) => ({
      ...body.prepare(options),
      // Left out, the API makes every optional parameter of a tool mandatory (strict mode).
      ...(options.tools && {
        tools: options.tools.map((tool) => (tool.type === 'function' ? { ...tool, strict: false } : tool)),
      }),
      providerOptions: { openai: { store: false, ...include } },
    }),
  };
}
