/** Makes every character of a foreign text visible and harmless for a terminal: what is shown is what is there. */

/**
 * Control characters (C0, DEL, C1), bidirectional and zero-width characters, Unicode spaces other than the plain one,
 * variation selectors, tags and lone surrogates become `\x1b`, `\u202e`, `\u{e0041}` and the like. Newline and tab stay
 * where `keep` is 'lines' (the default); with 'nothing' they are escaped too.
 */
export function escapeInvisible(text: string, keep: 'lines' | 'nothing' = 'lines'): string {
  return text.replace(keep === 'lines' ? hiddenButLines : hidden, escapeOne);
}

/** How many characters `escapeInvisible` would have to show. */
export function countInvisible(text: string): number {
  return text.match(hiddenButLines)?.length ?? 0;
}

// Cc: controls; Cf: format (bidi, zero width, tags, BOM); Zl, Zp, Zs but the plain space; Cs: lone surrogates; Co: private use.
const classes = String.raw`\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u115f\u1160\u3164\uffa0\ufe00-\ufe0f\u{e0100}-\u{e01ef}`;
const hidden = new RegExp(`[${classes}]`, 'gu');
const hiddenButLines = new RegExp(`(?![\\n\\t])[${classes}]`, 'gu');

function escapeOne(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\t') return '\\t';
  if (character === '\r') return '\\r';
  const code = character.codePointAt(0) ?? 0;
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${code.toString(16).padStart(4, '0')}` : `\\u{${code.toString(16)}}`;
}
