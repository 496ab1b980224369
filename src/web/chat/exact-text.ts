/** Text of which every character is shown: hidden ones as escapes, counted. What is shown is what is there. Pure. */

export type ExactPiece = {
  readonly text: string;
  /** It stands for a character that would not be seen, or for a run of spaces that would push others out of sight. */
  readonly isEscape: boolean;
};

export type ExactText = {
  readonly pieces: readonly ExactPiece[];
  readonly characters: number;
  readonly bytes: number;
  /** Hidden characters; line ends and tabs apart. */
  readonly hidden: number;
};

// The same classes as base/escape-invisible, which a test holds: controls, bidirectional and zero-width characters, tags, lone
// surrogates, private use, other spaces, variation selectors.
const classes = String.raw`\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u115f\u1160\u3164\uffa0\ufe00-\ufe0f\u{e0100}-\u{e01ef}`;
const hiddenOrRun = new RegExp(String.raw`(?![\n\t])[${classes}]| {17,}|\n{5,}`, 'gu');

export function exactText(text: string): ExactText {
  const pieces: ExactPiece[] = [];
  let hidden = 0;
  let at = 0;
  for (const match of text.matchAll(hiddenOrRun)) {
    if (match.index > at) pieces.push({ text: text.slice(at, match.index), isEscape: false });
    at = match.index + match[0].length;
    const shown = showHidden(match[0]);
    if (!shown.isRun) hidden += 1;
    const last = pieces.at(-1);
    if (last?.isEscape === true && !shown.isRun) pieces.splice(-1, 1, { ...last, text: last.text + shown.text });
    else pieces.push({ text: shown.text, isEscape: true });
  }
  if (at < text.length) pieces.push({ text: text.slice(at), isEscape: false });
  return { pieces, characters: [...text].length, bytes: new TextEncoder().encode(text).length, hidden };
}

/** One line of a summary or a name, with its hidden characters shown. */
export const exactLine = (text: string): string =>
  exactText(text.replaceAll('\n', ' ⏎ '))
    .pieces.map((piece) => piece.text)
    .join('');

function showHidden(found: string): { readonly text: string; readonly isRun: boolean } {
  if (found.startsWith(' ')) return { text: `␠×${found.length}`, isRun: true };
  if (found.startsWith('\n')) return { text: `\n⏎×${found.length}\n`, isRun: true };
  if (found === '\r') return { text: '\\r', isRun: false };
  const code = found.codePointAt(0) ?? 0;
  const digits = code.toString(16);
  if (code <= 0xff) return { text: `\\x${digits.padStart(2, '0')}`, isRun: false };
  return { text: code <= 0xffff ? `\\u${digits.padStart(4, '0')}` : `\\u{${digits}}`, isRun: false };
}
