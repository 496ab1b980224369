/** A call's arguments as they go back to a provider: a JSON object in any case, also when the model had written broken JSON. */

/** Key under which text that is no JSON object is sent back, so that the model sees what it wrote. */
const brokenKey = 'invalid_arguments';
/** The SDKs walk through arguments by recursion, and so do providers; no tool takes anything near it. */
const maxDepth = 200;
const loneSurrogateEscape = /\\u[dD][89a-fA-F]/;
/** The SDK's parser refuses these keys and would send the text twice encoded. */
const refusedKeys = /__proto__|constructor|\\u/;

export type WireInput = { readonly object: Readonly<Record<string, unknown>>; readonly text: string | undefined };

/** `text` is the model's own text where it can be sent byte for byte. */
export function toWireInput(input: string): WireInput {
  const trimmed = input.trim();
  if (trimmed === '') return { object: {}, text: '{}' };
  let value: unknown;
  try {
    value = JSON.parse(input);
  } catch {
    return { object: { [brokenKey]: input.toWellFormed() }, text: undefined };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isDeeper(value, maxDepth)) {
    return { object: { [brokenKey]: input.toWellFormed() }, text: undefined };
  }
  const isWellFormed = input.isWellFormed() && !loneSurrogateEscape.test(input);
  const object = (isWellFormed ? value : toWellFormed(value)) as Record<string, unknown>;
  return { object, text: isWellFormed && !refusedKeys.test(input) ? input : undefined };
}

function isDeeper(value: unknown, than: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return than === 0 || Object.values(value).some((each) => isDeeper(each, than - 1));
}

/** Providers refuse a request that holds half of a surrogate pair. */
function toWellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(toWellFormed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key.toWellFormed(), toWellFormed(each)]));
}
