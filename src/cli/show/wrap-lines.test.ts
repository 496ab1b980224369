/** Widths, cuts and breaks by cells. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainText, span } from './span.ts';
import { cutLineToWidth, cutToWidth, graphemesOf, widthOf, widthOfLine } from './text-width.ts';
import { wrapLine } from './wrap-lines.ts';

const wrapped = (text: string, width: number, keepSpaces = false): readonly string[] =>
  wrapLine([span(text)], width, { keepSpaces }).map(plainText);

describe('lines of a terminal', () => {
  it('wide characters take two cells, combining ones none', () => {
    expect([widthOf('日本'), widthOf('é'), widthOf('👨‍👩‍👧'), widthOf('abc')]).toEqual([4, 1, 2, 3]);
    expect(graphemesOf('👨‍👩‍👧é')).toEqual(['👨‍👩‍👧', 'é']);
  });

  it('lines break between words, inside a word where they must, and anywhere in Chinese', () => {
    expect(wrapped('one two three', 8)).toEqual(['one two', 'three']);
    expect(wrapped('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij']);
    expect(wrapped('日本語のテキスト', 6)).toEqual(['日本語', 'のテキ', 'スト']);
  });

  it('exact text keeps every character when it is wrapped', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), fc.integer({ min: 3, max: 20 }), (text, width) => {
        expect(wrapped(text, width, true).join('')).toBe(text);
      }),
    );
  });

  it('a cut line is never wider than asked and says that it was cut', () => {
    expect(cutToWidth('日本語のテキスト', 7)).toBe('日本語…');
    expect(plainText(cutLineToWidth([span('ab'), span('cdef', 'dim')], 4))).toBe('abc…');
    expect(plainText(cutLineToWidth([span('abcd'), span('ef')], 4))).toBe('abc…');
    expect(plainText(cutLineToWidth([span('abcd'), span('')], 4))).toBe('abcd');
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', maxLength: 20 }), { maxLength: 5 }),
        fc.integer({ min: 1, max: 30 }),
        (parts, width) => {
          expect(
            widthOfLine(
              cutLineToWidth(
                parts.map((each) => span(each)),
                width,
              ),
            ),
          ).toBeLessThanOrEqual(width);
        },
      ),
    );
  });
});
