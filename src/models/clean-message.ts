/** Makes a provider's own words fit to show: one short line without markup, control characters or the key. */

const maxChars = 500;
/** Shapes that keys of the usual providers have, for a server that quotes one that is not ours. */
const keyShapes = /\b(?:sk-[A-Za-z0-9_-]{12,}|AIza[A-Za-z0-9_-]{20,}|gsk_[A-Za-z0-9]{20,}|xai-[A-Za-z0-9]{20,})/g;

export function cleanMessage(text: string, key: string | undefined): string {
  const plain = withoutKey(text.slice(0, 20_000), key)
    .replace(/<(script|style|head)\b[\s\S]*?<\/\1\s*>/gi, ' ')
    .replace(/<[a-z!/][^<>]*>/gi, ' ')
    // Control, format (bidirectional overrides) and line-separator characters could forge what a terminal shows.
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return plain.length <= maxChars ? plain : `${plain.slice(0, maxChars - 1).toWellFormed()}…`;
}

export function withoutKey(text: string, key: string | undefined): string {
  let result = text;
  if (key) for (const form of new Set([key, encodeURIComponent(key)])) result = result.replaceAll(form, '[key]');
  return result.replace(keyShapes, '[key]');
}
