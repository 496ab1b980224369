import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explainMismatch } from './explain-mismatch.ts';
import { replaceText } from './replace-text.ts';

const replaced = (text: string, from: string, to: string, isAll = false): unknown => {
  const result = replaceText(text, from, to, isAll);
  return result.kind === 'replaced' ? result.text : result;
};

describe('replaceText', () => {
  it('[E06] takes the new text as text, whatever it looks like', () => {
    expect(replaced('a X b', 'X', "$& $1 $` $' $$ \\1")).toBe("a $& $1 $` $' $$ \\1 b");
    expect(replaced('a.c abc', 'a.c', 'x')).toBe('x abc');
  });

  it('[E07] several matches are counted without overlap and told by their lines', () => {
    expect(replaceText('aa\nb\naa', 'aa', 'c', false)).toEqual({ kind: 'several', lines: [1, 3] });
    expect(replaceText('x x\nx', 'x', 'y', false)).toEqual({ kind: 'several', lines: [1, 1, 2] });
    expect(replaceText('aaaa', 'aa', 'b', true)).toEqual({ kind: 'replaced', text: 'bb', count: 2 });
    expect(replaceText('abc', 'x', 'y', true)).toEqual({ kind: 'missing' });
  });

  it('keeps CRLF, a byte order mark and a missing last line end', () => {
    expect(replaced('a\r\nb\r\nc', 'a\nb', 'x\ny')).toBe('x\r\ny\r\nc');
    expect(replaced('a\r\nb\r\n', 'a', 'x\ny')).toBe('x\r\ny\r\nb\r\n');
    expect(replaced('a\r\nb\r\n', 'a\r\nb', 'x\r\ny')).toBe('x\r\ny\r\n');
    expect(replaced('mixed\na\r\nb\r\n', 'a\nb', 'x\ny')).toBe('mixed\nx\r\ny\r\n');
    expect(replaced('mixed\na\r\nb', 'mixed', 'x\ny')).toBe('x\ny\na\r\nb');
    expect(replaced('\ufeffa', 'a', 'b')).toBe('\ufeffb');
    expect(replaced('a\nb', 'b', 'c')).toBe('a\nc');
    expect(replaced('a\n', 'a', 'b\r\nc')).toBe('b\r\nc\n');
  });

  it('does what splitting and joining does', () => {
    const text = fc.stringMatching(/^[ab\n]{0,30}$/);
    fc.assert(
      fc.property(text, fc.stringMatching(/^[ab\n]{1,3}$/), text, (whole, from, to) => {
        fc.pre(whole.includes(from));
        expect(replaced(whole, from, to, true)).toBe(whole.split(from).join(to));
      }),
    );
  });
});

describe('explainMismatch', () => {
  it.each([
    ['\tif (x) {\n\t\treturn;\n', '    if (x) {\n        return;\n', /white space.*line 1.*"\\tif \(x\) \{".*" {4}if/],
    ['a\r\nb\n', 'a\nb', /CRLF here and oldString with LF/],
    ['a\nb\n', 'a\r\nb', /oldString ends its lines with CRLF/],
    [
      'one\nfunction computeTotal(items) {\n',
      'function computeTotals(item) {',
      /nearest is line 2: "function computeTotal/,
    ],
    ['nothing alike', 'ZZZZ QQQQ', /No line resembles/],
    ['x', '  \n ', /white space only/],
  ])('says what differs (%#)', (text, piece, expected) => {
    expect(explainMismatch(text, piece)).toMatch(expected);
  });

  it('ends soon on a large file', () => {
    const started = performance.now();
    explainMismatch(
      'some line of a large file, rather like the others\n'.repeat(200_000),
      'some line of another file, quite like the others',
    );
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
