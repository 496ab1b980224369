/** Cuts the middle out of a text that is too long, so that its beginning and its end both stay. */

/**
 * At most `maxChars` characters, marker included. `marker` receives how many characters were left out. A surrogate pair is
 * never split.
 */
export function truncateMiddle(text: string, maxChars: number, marker: (cutChars: number) => string): string {
  if (text.length <= maxChars) return text;
  // The marker's own length depends on the figure in it, which has at most as many digits as the text's length.
  const room = Math.max(0, maxChars - marker(text.length).length);
  const headEnd = beforePair(text, Math.ceil(room / 2));
  const tailStart = afterPair(text, text.length - Math.floor(room / 2));
  return text.slice(0, headEnd) + marker(tailStart - headEnd) + text.slice(tailStart);
}

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

function beforePair(text: string, at: number): number {
  return isLowSurrogate(text.charCodeAt(at)) ? at - 1 : at;
}

function afterPair(text: string, at: number): number {
  return isLowSurrogate(text.charCodeAt(at)) ? at + 1 : at;
}
