/** Errors as OpenAI writes them. https://platform.openai.com/docs/guides/error-codes */
import type { ErrorName } from './turn.ts';

type Shape = { readonly status: number; readonly type: string; readonly code: string | null; readonly message: string };

const shapes: Readonly<Record<ErrorName, Shape>> = {
  auth: { status: 401, type: 'invalid_request_error', code: 'invalid_api_key', message: 'Incorrect API key provided.' },
  quota: {
    status: 429,
    type: 'insufficient_quota',
    code: 'insufficient_quota',
    message: 'You exceeded your current quota, please check your plan and billing details.',
  },
  rate_limit: {
    status: 429,
    type: 'requests',
    code: 'rate_limit_exceeded',
    message: 'Rate limit reached for requests per min (RPM): Limit 3, Used 3, Requested 1.',
  },
  overloaded: {
    status: 503,
    type: 'server_error',
    code: null,
    message: 'The engine is currently overloaded, please try again later',
  },
  server: {
    status: 500,
    type: 'server_error',
    code: null,
    message: 'The server had an error while processing your request. Sorry about that!',
  },
  context_overflow: {
    status: 400,
    type: 'invalid_request_error',
    code: 'context_length_exceeded',
    message:
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130012 tokens. Please reduce the length of the messages.",
  },
  unknown_model: {
    status: 404,
    type: 'invalid_request_error',
    code: 'model_not_found',
    message: 'The model `nope` does not exist or you do not have access to it.',
  },
  bad_request: { status: 400, type: 'invalid_request_error', code: null, message: 'Invalid value.' },
  refused: {
    status: 400,
    type: 'invalid_request_error',
    code: 'content_filter',
    message: "The response was filtered due to the prompt triggering the provider's content management policy.",
  },
};

export function openAiError(name: ErrorName, message?: string): { status: number; body: unknown } {
  const shape = shapes[name];
  const error = { message: message ?? shape.message, type: shape.type, param: null, code: shape.code };
  return { status: shape.status, body: { error } };
}
