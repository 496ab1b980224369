/** Reads an error as Anthropic writes one. https://docs.anthropic.com/en/api/errors */
import type { ModelFailureKind } from '../../contract/failure.ts';
import type { ProviderError } from '../classify-error.ts';
import { asRecord, asText } from '../json-fields.ts';

const kinds: Readonly<Record<string, ModelFailureKind>> = {
  authentication_error: 'auth',
  permission_error: 'auth',
  billing_error: 'quota',
  rate_limit_error: 'rate_limit',
  overloaded_error: 'overloaded',
  api_error: 'overloaded',
  timeout_error: 'overloaded',
  not_found_error: 'unknown_model',
  request_too_large: 'context_overflow',
};

export function readAnthropicError(body: unknown): ProviderError | undefined {
  if (typeof body === 'string') return { message: body };
  const record = asRecord(body);
  const error = record?.error ?? record?.detail;
  if (typeof error === 'string') return { message: error };
  const fields = asRecord(error);
  if (!fields) return undefined;
  const type = asText(fields.type) ?? '';
  return {
    message: asText(fields.message) ?? JSON.stringify(fields),
    kind: Object.hasOwn(kinds, type) ? kinds[type] : undefined,
    // In the middle of a stream no status tells; only a request that could not be read is surely final.
    status: type === 'invalid_request_error' ? 400 : undefined,
  };
}
