import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cleanMessage } from './clean-message.ts';

it('leaves one line of plain words', () => {
  const page = '<!doctype html><html><script>alert(1)</script><body class="x">\n<p>Bad\tgateway</p><br/>a < b';
  expect(cleanMessage(page, undefined)).toBe('Bad gateway a < b');
});

it('removes what could forge a terminal line', () => {
  expect(cleanMessage('\u001b[2Jok\u202egnp\u200b.\u2028x\u0007\u009b', undefined)).toBe('[2Jok gnp . x');
});

it('replaces the key in each spelling, and keys of the usual shapes', () => {
  const key = 'a+b/c=d e';
  expect(cleanMessage(`${key} ${encodeURIComponent(key)}`, key)).toBe('[key] [key]');
  expect(cleanMessage('Incorrect API key provided: sk-proj-abcdefghijklmnop1234.', undefined)).toBe(
    'Incorrect API key provided: [key].',
  );
});

it('is at most 500 characters long and holds no control character, whatever came', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 3000 }), (text) => {
      const clean = cleanMessage(text, undefined);
      expect(clean.length).toBeLessThanOrEqual(500);
      expect(clean).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
    }),
  );
});

it('takes no long time over hostile markup', () => {
  const began = performance.now();
  cleanMessage('<script '.repeat(200_000), undefined);
  cleanMessage('<a'.repeat(500_000), 'k');
  expect(performance.now() - began).toBeLessThan(500);
});
