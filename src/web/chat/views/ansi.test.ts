import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAnsi } from './ansi.ts';

const styled = (text: string) => readAnsi(text).map((piece) => [piece.text, piece.style]);

test('colours and weights of a program hold until they are taken back', () => {
  expect(styled('plain \u001b[1;31mbad\u001b[22m still\u001b[0m end')).toEqual([
    ['plain ', {}],
    ['bad', { colour: 'red', isBold: true }],
    [' still', { colour: 'red' }],
    [' end', {}],
  ]);
  expect(styled('\u001b[4;9;3;2ma\u001b[24;29;23;39mb\u001b[mc')).toEqual([
    ['a', { isUnderlined: true, isStruck: true, isItalic: true, isDim: true }],
    ['b', { isDim: true }],
    ['c', {}],
  ]);
});

test('the colours of large tables become the nearest of ours, so that they can be read in both themes', () => {
  expect(styled('\u001b[38;5;196ma\u001b[38;2;20;30;250mb\u001b[38:5:15mc\u001b[97md')).toEqual([
    ['a', { colour: 'red' }],
    ['b', { colour: 'blue' }],
    ['c', { colour: 'white' }],
    ['d', { colour: 'white' }],
  ]);
  expect(styled('\u001b[48;5;1;32ma')).toEqual([['a', { isMarked: true, colour: 'green' }]]);
});

test('text that asks to be hidden is not, and other sequences stay in the text', () => {
  expect(styled('\u001b[8mseen')).toEqual([['seen', {}]]);
  const others = 'a\u001b[2Jb\u001b]8;;https://x.test\u0007c\u001b[5';
  expect(styled(others)).toEqual([[others, {}]]);
});

test('nothing but colour sequences is ever taken out', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('\u001b[', '1', ';', 'm', 'x', '38', '5', ':', '\n', '\r')), (parts) => {
      const text = parts.join('');
      // oxlint-disable-next-line no-control-regex -- it is what is looked for
      const wanted = text.replaceAll(/\u001b\[[0-9;:]{0,64}m/g, '');
      expect(
        readAnsi(text)
          .map((piece) => piece.text)
          .join(''),
      ).toBe(wanted);
    }),
  );
});
