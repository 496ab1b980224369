import fc from 'fast-check';
import { expect, test } from 'vitest';
import { prepareMaths } from './prepare-maths.ts';

test.each([
  ['so $x^2$ holds', 'so $$x^2$$ holds'],
  ['so \\(x\\) and \\(y\\)', 'so $$x$$ and $$y$$'],
  ['$$\nx = 1\n$$', '$$\nx = 1\n$$'],
  ['$$ x = 1 $$', '$$\nx = 1\n$$'],
  ['\\[\nx\n= 1\n\\]', '$$\nx\n= 1\n$$'],
  ['1. a\n   \\[ x \\]\n2. b', '1. a\n   $$\n   x\n   $$\n2. b'],
  ['in a sentence $$x$$ too', 'in a sentence $$x$$ too'],
  ['a \\(b\nc\\) d', 'a $$b c$$ d'],
  ['$100 in cash, $x$ owed', '$100 in cash, $$x$$ owed'],
])('%j holds a formula', (text, wanted) => {
  expect(prepareMaths(text)).toBe(wanted);
});

test.each([
  'it costs $5 and $10',
  'from $5 to 10$ a piece',
  'US$5/$10 or $5-$6',
  'echo $HOME/$USER',
  '$ x$ and $x $',
  'code `$x$` and ``a ` $y$``',
  '```sh\necho $a$ \\(b\\)\n```',
  '~~~\n$$\nx\n$$\n~~~',
  'escaped \\$x\\$',
  '$$',
  '\\(\\)',
  'no dollars at all',
])('%j holds none', (text) => {
  expect(prepareMaths(text)).toBeUndefined();
});

test('two dollars that close nothing stay two dollars', () => {
  expect(prepareMaths('$x$ and $$ alone')).toBe('$$x$$ and \\$\\$ alone');
});

test('no text takes long, however many marks it opens', () => {
  for (const mark of ['$', '$$', '\\(', '\\[', '`', '``$', '$a ', '~~~\n']) {
    const startedAt = performance.now();
    prepareMaths(mark.repeat(Math.floor(50_000 / mark.length)));
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  }
});

test('code comes out as it went in', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('$', 'x', ' ', '\\(', '\\)', '\n', '$$')), (parts) => {
      const code = `\`\`\`\`\n${parts.join('')}\n\`\`\`\``;
      expect(prepareMaths(`$y$\n\n${code}\n`)).toBe(`$$y$$\n\n${code}\n`);
    }),
  );
});
