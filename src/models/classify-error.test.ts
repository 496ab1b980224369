import { expect, it } from 'vitest';
import { readAnthropicError } from './anthropic/read-anthropic-error.ts';
import { toModelFailure } from './classify-error.ts';
import { readGeminiError } from './gemini/read-gemini-error.ts';
import { readOpenAiError } from './read-openai-error.ts';

const asked = { service: 'test', modelId: 'm', host: 'h:1', keyName: 'A_KEY', key: undefined };
const readers = { openai: readOpenAiError, anthropic: readAnthropicError, gemini: readGeminiError };

/** Bodies as servers in use write them. */
const cases: readonly (readonly [dialect: keyof typeof readers, status: number, body: unknown, kind: string])[] = [
  // llama.cpp
  ['openai', 400, { error: { code: 400, message: 'the request exceeds the available context size. try increasing it', type: 'exceed_context_size_error', n_ctx: 4096 } }, 'context_overflow'],
  ['openai', 503, { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } }, 'overloaded'],
  // Ollama
  ['openai', 404, { error: { message: 'model "nope" not found, try pulling it first', type: 'api_error', param: null, code: null } }, 'unknown_model'],
  ['openai', 400, { error: 'registry.ollama.ai/library/gemma:2b does not support tools' }, 'bad_request'],
  // LM Studio
  ['openai', 400, { error: "The number of tokens to keep from the initial prompt is greater than the context length. Try to load the model with a larger context length." }, 'context_overflow'],
  ['openai', 404, { error: { message: 'Invalid model identifier "x".', code: 'model_not_found' } }, 'unknown_model'],
  // vLLM, old and new
  ['openai', 400, { object: 'error', message: "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens", type: 'BadRequestError', code: 400 }, 'context_overflow'],
  ['openai', 404, { error: { message: 'The model `x` does not exist.', type: 'NotFoundError', param: 'model', code: 404 } }, 'unknown_model'],
  // OpenRouter
  ['openai', 402, { error: { message: 'Insufficient credits. Add more using https://openrouter.ai/credits', code: 402 } }, 'quota'],
  ['openai', 400, { error: { message: 'x/y is not a valid model ID', code: 400 } }, 'bad_request'],
  // Azure
  ['openai', 400, { error: { message: 'The response was filtered', code: 'content_filter', status: 400, innererror: {} } }, 'refused'],
  ['openai', 401, { statusCode: 401, message: 'Unauthorized. Access token is missing.', code: 'x' }, 'auth'],
  // Groq, Mistral, FastAPI in front of something
  ['openai', 413, { error: { message: 'Request too large for model', type: 'tokens', code: 'rate_limit_exceeded' } }, 'rate_limit'],
  ['openai', 422, { object: 'error', message: { detail: [{ msg: 'Extra inputs are not permitted' }] }, type: 'invalid_request_error' }, 'bad_request'],
  ['openai', 422, { detail: [{ msg: 'field required' }] }, 'bad_request'],
  ['openai', 401, { detail: 'Not authenticated' }, 'auth'],
  ['openai', 500, 'upstream connect error', 'overloaded'],
  ['openai', 400, null, 'bad_request'],
  ['openai', 400, {}, 'bad_request'],
  ['anthropic', 400, { type: 'error', error: { type: 'invalid_request_error', message: 'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000' } }, 'context_overflow'],
  ['anthropic', 400, { type: 'error', error: { type: 'invalid_request_error', message: 'Your credit balance is too low to access the Anthropic API.' } }, 'quota'],
  ['anthropic', 413, { type: 'error', error: { type: 'request_too_large', message: 'Request exceeds the maximum size' } }, 'context_overflow'],
  ['anthropic', 403, { type: 'error', error: { type: 'permission_error', message: 'no' } }, 'auth'],
  ['anthropic', 529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'overloaded'],
  ['gemini', 403, [{ error: { code: 403, message: 'Method doesn’t allow unregistered callers', status: 'PERMISSION_DENIED' } }], 'auth'],
  ['gemini', 404, { error: { code: 404, message: 'models/x is not found', status: 'NOT_FOUND' } }, 'unknown_model'],
  ['gemini', 500, { error: { code: 500, message: 'Internal error', status: 'INTERNAL' } }, 'overloaded'],
]; // prettier-ignore

it.each(cases)('%s %s %j is %s', (dialect, status, body, kind) => {
  const found = readers[dialect](body);
  expect(toModelFailure({ message: '', ...found, status }, asked).kind).toBe(kind);
});

it('reads the wait that Gemini asks for', () => {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' }];
  const error = { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'slow down', details };
  expect(readGeminiError({ error })?.retryAfterMs).toBe(34_500);
});

it('takes an error event without a status for the server’s trouble, unless it says more', () => {
  const kindOf = (message: string) => toModelFailure({ message }, asked).kind;
  expect(kindOf('something broke')).toBe('overloaded');
  expect(kindOf('model "x" not found')).toBe('unknown_model');
  expect(kindOf('prompt is too long: 3 > 2')).toBe('context_overflow');
});

it('says what happened and what to try', () => {
  const failure = toModelFailure({ message: 'invalid x-api-key', kind: 'auth', status: 401 }, asked);
  expect(failure.message).toBe(
    'test at h:1 refused the request (401): invalid x-api-key. Check the key in A_KEY; `handrail secrets set A_KEY` stores a new one.',
  );
});
