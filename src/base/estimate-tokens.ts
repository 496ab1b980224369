/**
 * How many tokens a text probably takes, in one pass and without any model's vocabulary. Meant to be a little high: the
 * provider's own counts correct it.
 *
 * Figures: English has about 4 characters per token (https://help.openai.com/en/articles/4936856); digits come in groups of up
 * to three, signs of code mostly alone (https://github.com/openai/tiktoken, the split of cl100k); Chinese, Japanese and Korean
 * take about one token per character, other scripts between (https://arxiv.org/abs/2305.15425).
 */

const letterTokens = 0.24;
const capitalTokens = 0.4;
const digitTokens = 0.65;
const signTokens = 0.6;
const spaceTokens = 0.12;
const accentedTokens = 0.5;
const otherScriptTokens = 0.6;
/** From the third on: runs of one character (indentation, rules, padding) are few tokens. */
const runTokens = 0.1;
/** Ideographs, and each half of a surrogate pair: an emoji takes two to three. */
const wideTokens = 1.15;

/** By character code, for all of ASCII. */
const asciiTokens = Float32Array.from({ length: 128 }, (_, code) => {
  if (code >= 97 && code <= 122) return letterTokens;
  if (code >= 65 && code <= 90) return capitalTokens;
  if (code >= 48 && code <= 57) return digitTokens;
  return code === 32 ? spaceTokens : signTokens;
});

export function estimateTokens(text: string): number {
  let tokens = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 128) tokens += wideCharacter(code);
    else if (at > 1 && code === text.charCodeAt(at - 1) && code === text.charCodeAt(at - 2)) tokens += runTokens;
    else tokens += asciiTokens[code] ?? signTokens;
  }
  return Math.ceil(tokens);
}

function wideCharacter(code: number): number {
  if (code < 0x250) return accentedTokens;
  return code < 0x2e80 ? otherScriptTokens : wideTokens;
}
