/** Reads an error as OpenAI and the many servers that copy it write one; used by both OpenAI dialects. */
import type { ModelFailureKind } from '../contract/failure.ts';
import type { ProviderError } from './classify-error.ts';
import { asNumber, asRecord, asText } from './json-fields.ts';

/** https://platform.openai.com/docs/guides/error-codes, and what llama.cpp, vLLM, OpenRouter and Azure add. */
const kinds: Readonly<Record<string, ModelFailureKind>> = {
  invalid_api_key: 'auth',
  authentication_error: 'auth',
  invalid_authentication: 'auth',
  permission_error: 'auth',
  insufficient_quota: 'quota',
  billing_hard_limit_reached: 'quota',
  billing_not_active: 'quota',
  rate_limit_exceeded: 'rate_limit',
  rate_limit_error: 'rate_limit',
  tokens: 'rate_limit',
  requests: 'rate_limit',
  server_error: 'overloaded',
  internal_server_error: 'overloaded',
  overloaded_error: 'overloaded',
  engine_overloaded: 'overloaded',
  unavailable_error: 'overloaded',
  vector_store_timeout: 'overloaded',
  context_length_exceeded: 'context_overflow',
  exceed_context_size_error: 'context_overflow',
  string_above_max_length: 'context_overflow',
  model_not_found: 'unknown_model',
  content_filter: 'refused',
  content_policy_violation: 'refused',
  invalid_prompt: 'refused',
};

export function readOpenAiError(body: unknown): ProviderError | undefined {
  if (typeof body === 'string') return { message: body };
  const record = asRecord(body);
  if (!record) return undefined;
  const response = asRecord(record.response);
  const error = record.error ?? response?.error ?? record.detail ?? (isBareError(record) ? record : undefined);
  if (error === undefined || error === null) return undefined;
  if (typeof error === 'string') return { message: error };
  const fields = asRecord(error) ?? asRecord(Array.isArray(error) ? error[0] : undefined) ?? {};
  const inner = asRecord(fields.error);
  const code = fields.code ?? inner?.code;
  const type = asText(fields.type) ?? asText(inner?.type);
  const message = asText(fields.message) ?? asText(inner?.message) ?? asText(fields.msg) ?? JSON.stringify(error);
  return { message, kind: findKind(asText(code), type), status: readStatus(code) };
}

/** `{object: 'error', message}` of older vLLM, and the Responses event `{type: 'error', code, message}`. */
function isBareError(record: Readonly<Record<string, unknown>>): boolean {
  return (
    asText(record.message) !== undefined && (record.object === 'error' || record.type === 'error' || 'code' in record)
  );
}

function findKind(code: string | undefined, type: string | undefined): ModelFailureKind | undefined {
  for (const name of [code, type]) if (name && Object.hasOwn(kinds, name)) return kinds[name];
  return undefined;
}

/** Servers that copy OpenAI put the HTTP status into `code`. */
function readStatus(code: unknown): number | undefined {
  const status = asNumber(code);
  return status !== undefined && status >= 400 && status < 600 ? status : undefined;
}
