import { expect, it } from 'vitest';
import { estimateTokens } from './estimate-tokens.ts';

/** Between the two figures lies what a tokenizer of today makes of it: bounds, no exact counts. */
it.each([
  ['English', 'The quick brown fox jumps over the lazy dog, and nobody in the village was surprised by it.', 19, 24],
  [
    'code',
    'export function sum(values: readonly number[]): number {\n  return values.reduce((a, b) => a + b, 0);\n}\n',
    28,
    42,
  ],
  ['Chinese', '今天天气很好，我们一起去公园散步吧。', 14, 24],
  ['Russian', 'Сегодня хорошая погода, пойдём гулять в парк.', 12, 30],
  ['hexadecimal', '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08', 30, 48],
  ['emoji', '🎉🚀🔥', 5, 9],
])('is near what tokenizers count for %s', (_what, text, least, most) => {
  const tokens = estimateTokens(text);
  expect(tokens).toBeGreaterThanOrEqual(least * 0.85);
  expect(tokens).toBeLessThanOrEqual(most * 1.35);
});

it('counts nothing for nothing, and little for runs of spaces', () => {
  expect(estimateTokens('')).toBe(0);
  expect(estimateTokens(' '.repeat(1_000))).toBeLessThan(110);
});

it('adds up: two texts together take about what they take apart', () => {
  const [left, right] = ['One sentence. ', 'const x = [1, 2, 3];'];
  expect(Math.abs(estimateTokens(left + right) - estimateTokens(left) - estimateTokens(right))).toBeLessThanOrEqual(1);
});
