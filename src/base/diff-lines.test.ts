import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLines, type DifferenceLine } from './diff-lines.ts';
import { soak } from '../../test/kit/soak.ts';

const shown = (lines: readonly DifferenceLine[]): string[] =>
  lines.map(
    ({ kind, content, oldLine, newLine }) =>
      `${{ context: ' ', added: '+', removed: '-', hunk: '' }[kind]}${content}${kind === 'hunk' ? '' : ` [${oldLine ?? ''},${newLine ?? ''}]`}`,
  );
const numbered = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');

/** What patch(1) would make of it. */
function apply(oldText: string, lines: readonly DifferenceLine[]): string {
  const old = oldText.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const out: string[] = [];
  let at = 0;
  for (const [index, line] of lines.entries()) {
    if (line.kind === 'hunk') continue;
    if (line.oldLine !== undefined) {
      while (at < line.oldLine - 1) out.push(old[at++] ?? '');
      at += 1;
    }
    if (line.kind === 'removed') continue;
    const hasNoEnd = lines[index + 1]?.content.startsWith('\\ No newline') === true;
    out.push(line.content + (hasNoEnd ? '' : '\n'));
    expect(line.newLine).toBe(out.length);
  }
  return out.join('') + old.slice(at).join('');
}

describe('diffLines', () => {
  it('[E09] shows kinds, numbers and three lines around', () => {
    const { lines, added, removed } = diffLines(numbered(10), numbered(10).replace('line 5\n', 'LINE 5\nmore\n'));
    expect(shown(lines)).toEqual([
      '@@ -2,7 +2,8 @@',
      ' line 2 [2,2]',
      ' line 3 [3,3]',
      ' line 4 [4,4]',
      '-line 5 [5,]',
      '+LINE 5 [,5]',
      '+more [,6]',
      ' line 6 [6,7]',
      ' line 7 [7,8]',
      ' line 8 [8,9]',
    ]);
    expect([added, removed]).toEqual([2, 1]);
  });

  it('far changes have hunks of their own, near ones share one', () => {
    const hunks = (changed: string): number =>
      diffLines(numbered(40), changed).lines.filter((line) => line.kind === 'hunk').length;
    expect(hunks(numbered(40).replace('line 3\n', 'x\n').replace('line 30\n', 'y\n'))).toBe(2);
    expect(hunks(numbered(40).replace('line 3\n', 'x\n').replace('line 9\n', 'y\n'))).toBe(1);
  });

  it('a new file, an emptied one, a missing last line end and a changed one are told apart', () => {
    expect(shown(diffLines('', 'a\nb\n').lines)).toEqual(['@@ -0,0 +1,2 @@', '+a [,1]', '+b [,2]']);
    expect(shown(diffLines('a\n', '').lines)).toEqual(['@@ -1,1 +0,0 @@', '-a [1,]']);
    expect(shown(diffLines('a', 'a\n').lines)).toEqual([
      '@@ -1,1 +1,1 @@',
      '-a [1,]',
      '\\ No newline at end of file',
      '+a [,1]',
    ]);
    expect(shown(diffLines('a\r\n', 'a\n').lines)).toEqual(['@@ -1,1 +1,1 @@', '-a\r [1,]', '+a [,1]']);
    expect(diffLines('same', 'same')).toEqual({ lines: [], added: 0, removed: 0 });
  });

  it('applied to the old text, it gives the new one', () => {
    const text = fc
      .array(fc.constantFrom('a\n', 'b\n', 'c\n', 'd\r\n', '\n', 'e'), { maxLength: 40 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, (oldText, newText) => {
        expect(apply(oldText, diffLines(oldText, newText).lines)).toBe(newText);
      }),
      { numRuns: soak(2_000) },
    );
  });

  it('is the shortest where few lines change', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 }),
        fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 }),
        (left, right) => {
          const { added, removed } = diffLines(
            left.map((line) => `${line}\n`).join(''),
            right.map((line) => `${line}\n`).join(''),
          );
          expect(added + removed).toBe(left.length + right.length - 2 * longestCommon(left, right));
        },
      ),
    );
  });

  it('a small edit of 10 MB is quick, and so is a wholly new 10 MB', () => {
    const large = numbered(900_000).slice(0, 10_000_000);
    const started = performance.now();
    expect(diffLines(large, large.replace('line 450000\n', 'changed\n')).lines).toHaveLength(9);
    expect(performance.now() - started).toBeLessThan(5_000);
    const whole = diffLines(large, large.replaceAll('line', 'LINE'));
    expect([whole.lines.length, whole.lines.at(-1)?.content.endsWith('more changed lines are not shown @@')]).toEqual([
      2_002,
      true,
    ]);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

function longestCommon(left: readonly string[], right: readonly string[]): number {
  let row: number[] = Array.from({ length: right.length + 1 }, () => 0);
  for (const a of left) {
    const next = [0];
    for (const [index, b] of right.entries())
      next.push(a === b ? (row[index] ?? 0) + 1 : Math.max(row[index + 1] ?? 0, next[index] ?? 0));
    row = next;
  }
  return row.at(-1) ?? 0;
}
