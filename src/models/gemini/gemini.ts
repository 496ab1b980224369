/** Google's Gemini API, `streamGenerateContent`. */
import { randomUUID } from 'node:crypto';
import type { Connection, DialectRules, OpenModel } from '../dialect.ts';
import { createGrowingBody } from '../growing-body.ts';
import { asRecord } from '../json-fields.ts';
import { readGeminiError } from './read-gemini-error.ts';

export const rules: DialectRules = {
  prompt: {
    arguments: 'object',
    // Only Gemini 3 and later take images in a result; for older ones the SDK leaves the result itself out when it has no
    // text, and the count of results no longer fits the calls.
    resultImages: 'moved',
    marksErrors: true,
    reasoning: 'always',
  },
  readError: readGeminiError,
  isIgnorable: (event) => asRecord(event)?.candidates === undefined,
};

/** Models that think, and send a summary of it when asked; older ones refuse the question. */
const thinkingShape = /(?:^|\/)gemini-(?:2\.5-(?:pro|flash)|[3-9])(?!.*(?:image|tts|audio|live))/;

export async function open({ modelId, baseUrl, key, fetch }: Connection): Promise<OpenModel> {
  const { GoogleLanguageModel } = await import('@ai-sdk/google/internal');
  const headers = key === undefined ? {} : { 'x-goog-api-key': key };
  const body = createGrowingBody(fetch, { listKey: 'contents', hasSystemInList: false });
  const model = new GoogleLanguageModel(modelId, {
    provider: 'google.generative-ai',
    baseURL: baseUrl,
    headers: () => headers,
    generateId: () => randomUUID(),
    fetch: body.fetch,
  });
  const thinking = thinkingShape.test(modelId)
    ? { providerOptions: { google: { thinkingConfig: { includeThoughts: true } } } }
    : {};
  return { model, prepare: (options) => ({ ...body.prepare(options), ...thinking }) };
}
