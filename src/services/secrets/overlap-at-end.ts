/** How far the end of a text is the beginning of a word. */

/** The length of the longest end of the text that the word begins with and goes on after. */
export type OverlapAtEnd = (text: string) => number;

/** Linear in the word's length, however long the text is (Knuth, Morris and Pratt, 1977). */
export function createOverlapAtEnd(word: string): OverlapAtEnd {
  let back: Uint32Array | undefined;
  return (text) => {
    back ??= borders(word);
    let matched = 0;
    for (let at = Math.max(0, text.length - word.length + 1); at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      while (matched > 0 && code !== word.charCodeAt(matched)) matched = back[matched - 1] ?? 0;
      if (code === word.charCodeAt(matched)) matched += 1;
    }
    return matched;
  };
}

/** For each beginning of the word: how long its longest end is that it also begins with. */
function borders(word: string): Uint32Array {
  const lengths = new Uint32Array(word.length);
  let matched = 0;
  for (let at = 1; at < word.length; at += 1) {
    while (matched > 0 && word.charCodeAt(at) !== word.charCodeAt(matched)) matched = lengths[matched - 1] ?? 0;
    if (word.charCodeAt(at) === word.charCodeAt(matched)) matched += 1;
    lengths[at] = matched;
  }
  return lengths;
}
