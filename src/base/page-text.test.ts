import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countLines, pageText } from './page-text.ts';
import { soak } from '../../test/kit/soak.ts';

describe('pageText', () => {
  it('[E04] pages join to the text without a gap, also within long lines and between surrogates', () => {
    const text = fc
      .array(fc.constantFrom('a', 'bb', '\n', '\r\n', '😀', 'a longer piece of text'), { maxLength: 60 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(
        text,
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 2, max: 20 }),
        (whole, maxLines, maxChars) => {
          let joined = '';
          let next: { line: number; skipChars: number } | undefined = { line: 1, skipChars: 0 };
          for (let count = 0; next !== undefined; count += 1) {
            const page = pageText(whole, { ...next, maxLines, maxChars });
            expect(page).toBeDefined();
            expect(page?.content.length).toBeLessThanOrEqual(maxChars);
            expect(page?.totalLines).toBe(countLines(whole));
            expect(page?.content.isWellFormed()).toBe(true);
            joined += page?.content ?? '';
            next = page?.next;
            expect(count).toBeLessThan(2_000);
          }
          expect(joined).toBe(whole);
        },
      ),
      { numRuns: soak(1_000) },
    );
  });

  it('a page behind the end is none, the first page of nothing is empty', () => {
    const page = (text: string, line: number, skipChars = 0) =>
      pageText(text, { line, skipChars, maxLines: 10, maxChars: 100 });
    expect(page('', 1)?.content).toBe('');
    expect(page('a\nb\n', 3)).toBeUndefined();
    expect(page('a\nb', 2)?.content).toBe('b');
    expect(page('a\nb', 3)).toBeUndefined();
    expect(page('abc\nd', 1, 4)).toBeUndefined();
    expect(page('abc\nd', 1, 1)?.content).toBe('bc\nd');
  });
});
