import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spokenPieces } from './spoken-text.ts';

test('an answer is read without its code, its marks and its addresses', () => {
  const answer = [
    '# Found it',
    '',
    'The **check** runs `once`, see [the report](https://example.org/report?run=20 "t").',
    '',
    '- first *point*',
    '- [x] second_point',
    '',
    '```ts',
    'const secret = 1;',
    '```',
    '',
    '| file | state |',
    '|---|---|',
    '| queue.ts | green |',
    '',
    '> More at https://example.org/a/b?c=d.',
    '',
    '$$',
    'x^2',
    '$$',
    '',
    '~~~',
    'still streaming',
  ].join('\n');
  expect(spokenPieces(answer)).toEqual([
    'Found it',
    'The check runs once, see the report.',
    'first point',
    'second_point',
    'file, state',
    'queue.ts, green',
    'More at example.org',
  ]);
});

test('long text is cut at the end of sentences, and nothing of it is left out', () => {
  const sentence = 'This is a sentence of forty characters ok. ';
  const pieces = spokenPieces(sentence.repeat(20));
  expect(pieces.every((piece) => piece.length <= 220 && piece.endsWith('.'))).toBe(true);
  expect(pieces.join(' ')).toBe(sentence.repeat(20).trim());
});

test('no text takes long, and no piece is empty or too long', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('`', '*', '_', '[', '](', ')', '|', '\n', 'word ', '<', '>', '$$\n')),
      (parts) => {
        for (const piece of spokenPieces(parts.join(''))) {
          expect(piece.trim()).not.toBe('');
          expect(piece.length).toBeLessThanOrEqual(220);
        }
      },
    ),
  );
  const startedAt = performance.now();
  for (const mark of ['```\n', '[', '**a', '<', '|', '$$\n', '_a ']) spokenPieces(mark.repeat(10_000));
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});
