/**
 * Text as it lies in a text column. Postgres refuses U+0000, and UTF-8 has no form for half a surrogate pair, so both are
 * escaped, and the backslash with them. All other text is stored as it is. The form of a text is unique: columns compare.
 */

const needsEscape = /[\0\\]|\p{Surrogate}/u;
const escapable = /[\0\\]|\p{Surrogate}/gu;
const escaped = /\\(\\|u[0-9a-f]{4})/g;

export function encodeStoredText(text: string): string {
  if (!needsEscape.test(text)) return text;
  return text.replace(escapable, (character) =>
    character === '\\' ? '\\\\' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

export function decodeStoredText(stored: string): string {
  if (!stored.includes('\\')) return stored;
  return stored.replace(escaped, (_, code: string) =>
    code === '\\' ? '\\' : String.fromCharCode(Number.parseInt(code.slice(1), 16)),
  );
}
