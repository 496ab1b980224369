/** How far the end of one text is the beginning of another. */

/** The length of the longest end of `text` that `word` begins with and goes on after. Linear (Knuth, Morris and Pratt, 1977). */
export function overlapAtEnd(text: string, word: string): number {
  const window = text.slice(-(word.length - 1) || text.length);
  if (word.length < 2) return 0;
  const back = borders(word);
  let matched = 0;
  for (const character of window.split('')) {
    while (matched > 0 && character !== word[matched]) matched = back[matched - 1] ?? 0;
    if (character === word[matched]) matched += 1;
  }
  return matched;
}

/** For each beginning of the word: how long its longest end is that it also begins with. */
function borders(word: string): readonly number[] {
  const lengths = [0];
  let matched = 0;
  for (let at = 1; at < word.length; at += 1) {
    while (matched > 0 && word[at] !== word[matched]) matched = lengths[matched - 1] ?? 0;
    if (word[at] === word[matched]) matched += 1;
    lengths.push(matched);
  }
  return lengths;
}
