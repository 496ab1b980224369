import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DiffLine } from '../../../contract/output.ts';
import { sideBySide } from './side-by-side.ts';
import { compareLines, markWords } from './word-marks.ts';

const line = (kind: DiffLine['kind'], content: string): DiffLine => ({ kind, content });
const kinds = fc.constantFrom<DiffLine['kind']>('context', 'added', 'removed', 'hunk');
const lines = fc.array(fc.record({ kind: kinds, content: fc.string({ maxLength: 12 }) }), { maxLength: 30 });

test('[E09] only the words that changed are marked', () => {
  const marks = markWords([
    line('hunk', '@@ -1,2 +1,2 @@'),
    line('removed', "  await once(this, 'slot')"),
    line('added', "  await once(this, 'slot', { signal })"),
    line('context', 'same'),
  ]);
  expect([...marks.keys()]).toEqual([1, 2]);
  expect(marks.get(1)?.some((piece) => piece.isMarked)).toBe(false);
  expect(
    marks
      .get(2)
      ?.filter((piece) => piece.isMarked)
      .map((piece) => piece.text),
  ).toEqual([', { signal }']);
});

test('[E09] lines that have little in common are not marked word by word', () => {
  expect(compareLines('return undefined;', 'for (const each of all) go(each);')).toBeUndefined();
  expect(compareLines('', '')).toBeUndefined();
});

test('[E09] the pieces of a line are the line, whatever it holds', () => {
  fc.assert(
    fc.property(lines, (all) => {
      for (const [at, pieces] of markWords(all))
        expect(pieces.map((piece) => piece.text).join('')).toBe(all[at]?.content);
    }),
  );
});

test('[E09] side by side, what came stands beside what went, and unchanged lines on both sides', () => {
  const rows = sideBySide([
    line('hunk', '@@'),
    line('removed', 'a'),
    line('removed', 'b'),
    line('added', 'c'),
    line('context', 'd'),
    line('added', 'e'),
    line('removed', 'f'),
  ]);
  expect(rows).toEqual([
    { left: 0, right: 0 },
    { left: 1, right: 3 },
    { left: 2 },
    { left: 4, right: 4 },
    { right: 5 },
    { left: 6 },
  ]);
});

test('[E09] side by side, no line is lost and none is shown on the wrong side', () => {
  fc.assert(
    fc.property(lines, (all) => {
      const rows = sideBySide(all);
      const shown = (side: 'left' | 'right', without: DiffLine['kind']): unknown => ({
        got: rows.flatMap((row) => row[side] ?? []),
        wanted: all.flatMap((each, at) => (each.kind === without ? [] : [at])),
      });
      for (const [side, without] of [
        ['left', 'added'],
        ['right', 'removed'],
      ] as const) {
        const { got, wanted } = shown(side, without) as { got: number[]; wanted: number[] };
        expect(got).toEqual(wanted);
      }
    }),
  );
});
