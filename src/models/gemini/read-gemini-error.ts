/** Reads an error as Gemini writes one: Google's Status message in JSON. https://google.aip.dev/193 */
import type { ModelFailureKind } from '../../contract/failure.ts';
import type { ProviderError } from '../classify-error.ts';
import { asNumber, asRecord, asText } from '../json-fields.ts';

const kinds: Readonly<Record<string, ModelFailureKind>> = {
  UNAUTHENTICATED: 'auth',
  PERMISSION_DENIED: 'auth',
  NOT_FOUND: 'unknown_model',
  RESOURCE_EXHAUSTED: 'rate_limit',
  UNAVAILABLE: 'overloaded',
  INTERNAL: 'overloaded',
  UNKNOWN: 'overloaded',
  DEADLINE_EXCEEDED: 'overloaded',
  ABORTED: 'overloaded',
};

export function readGeminiError(body: unknown): ProviderError | undefined {
  if (typeof body === 'string') return { message: body };
  // Some answers are an array of one.
  const record = asRecord(Array.isArray(body) ? body[0] : body);
  const error = record?.error;
  if (typeof error === 'string') return { message: error };
  const fields = asRecord(error);
  if (!fields) return undefined;
  const name = asText(fields.status) ?? '';
  const details = Array.isArray(fields.details) ? fields.details.map(asRecord) : [];
  const isKeyBad = details.some((detail) => detail?.reason === 'API_KEY_INVALID');
  return {
    message: asText(fields.message) ?? JSON.stringify(fields),
    kind: isKeyBad ? 'auth' : Object.hasOwn(kinds, name) ? kinds[name] : undefined,
    status: asNumber(fields.code),
    retryAfterMs: details.map((detail) => readDelay(detail?.retryDelay)).find((delay) => delay !== undefined),
  };
}

/** google.protobuf.Duration: `34s`, `1.5s`. */
function readDelay(value: unknown): number | undefined {
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(asText(value) ?? '')?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}
