import { expect, test } from 'vitest';
import fc from 'fast-check';
import { escapeInvisible } from '../../base/escape-invisible.ts';
import { exactText } from './exact-text.ts';

const shown = (text: string): string =>
  exactText(text)
    .pieces.map((piece) => piece.text)
    .join('');

test('what would not be seen is shown and counted', () => {
  const exact = exactText('rm\u202e -rf\u200b ./x\u001b[0m');
  expect(exact.pieces).toEqual([
    { text: 'rm', isEscape: false },
    { text: '\\u202e', isEscape: true },
    { text: ' -rf', isEscape: false },
    { text: '\\u200b', isEscape: true },
    { text: ' ./x', isEscape: false },
    { text: '\\x1b', isEscape: true },
    { text: '[0m', isEscape: false },
  ]);
  expect(exact).toMatchObject({ hidden: 3, characters: 16, bytes: 20 });
});

test('every text is shown as the terminal shows it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
      fc.pre(!/ {17}|\n{5}/.test(text));
      expect(shown(text)).toBe(escapeInvisible(text));
    }),
    { numRuns: 2_000 },
  );
});

test('spaces and line ends that would push the rest out of sight are told by their number', () => {
  expect(shown(`echo hi${' '.repeat(400)}; rm x`)).toBe('echo hi␠×400; rm x');
  expect(shown(`a${'\n'.repeat(80)}b`)).toBe('a\n⏎×80\nb');
  expect(exactText(' '.repeat(400)).hidden).toBe(0);
});
