/** Cuts the middle out of a text that is too long, so that its beginning and its end both stay. */

/**
 * At most `maxChars` characters, marker included. `marker` receives how many characters were left out. A surrogate pair is
 * never split.
 */
export function truncateMiddle(text: string, maxChars: number, marker: (cutChars: number) => string): string {
  if (text.length <= maxChars) return text;
  // The marker's own length depends on the figure in it, which has at most as many digits as the text's length.
  const room = Math.max(0, maxChars - marker(text.length).length);
  const headEnd = beforePair(text, endOfWord(text, Math.ceil(room / 2), room));
  const tailStart = afterPair(text, startOfWord(text, text.length - Math.floor(room / 2), room));
  return text.slice(0, headEnd) + marker(tailStart - headEnd) + text.slice(tailStart);
}

/** How far a cut moves to fall between two words. */
const maxMoveChars = 128;
/** Below this the characters are worth more than whole words. */
const minRoomChars = 1_000;

/** A cut within a word would leave half a key, which nobody recognises as one. */
function endOfWord(text: string, end: number, room: number): number {
  if (room < minRoomChars) return end;
  for (let at = end; at > end - maxMoveChars; at -= 1) if (isSpace(text.charCodeAt(at))) return at;
  return end;
}

function startOfWord(text: string, start: number, room: number): number {
  if (room < minRoomChars) return start;
  for (let at = start; at < start + maxMoveChars; at += 1) if (isSpace(text.charCodeAt(at - 1))) return at;
  return start;
}

const isSpace = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d);

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

function beforePair(text: string, at: number): number {
  return isLowSurrogate(text.charCodeAt(at)) ? at - 1 : at;
}

function afterPair(text: string, at: number): number {
  return isLowSurrogate(text.charCodeAt(at)) ? at + 1 : at;
}
