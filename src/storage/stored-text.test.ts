import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeStoredText, encodeStoredText } from './stored-text.ts';

test('any text comes back as it was, in a form that every database takes', () => {
  const property = fc.property(fc.string({ unit: 'binary' }), (text) => {
    const stored = encodeStoredText(text);
    expect(stored).not.toContain('\0');
    expect(stored.isWellFormed()).toBe(true);
    expect(decodeStoredText(stored)).toBe(text);
  });
  fc.assert(property, { examples: [['\\u0000'], ['\\\\'], ['\0'], ['\ud800'], ['\udc00\ud800'], ['😀'], ['a\\']] });
});

test('two texts never share a form', () => {
  const nearly = fc
    .array(fc.constantFrom('\\', 'u', '0', '\0', '\ud800', 'd8'), { maxLength: 12 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(nearly, nearly, (one, other) => {
      expect(encodeStoredText(one) === encodeStoredText(other)).toBe(one === other);
    }),
  );
});

test('ordinary text is stored as it is', () => {
  expect(encodeStoredText('Über /home/me, 😀\n')).toBe('Über /home/me, 😀\n');
});
