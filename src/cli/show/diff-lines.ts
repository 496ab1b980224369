/** A unified diff as marked lines: numbers, sign, content with every hidden character shown. */
import type { DiffLine, View } from '../../contract/output.ts';
import { cleanLine } from './clean-text.ts';
import { exactText } from './exact-text.ts';
import { span, type Line, type Mark } from './span.ts';
import { wrapLine } from './wrap-lines.ts';

type Diff = Extract<View, { kind: 'diff' }>;

const signs: Readonly<Record<DiffLine['kind'], string>> = { context: ' ', added: '+', removed: '-', hunk: '' };
const marksOf: Readonly<Record<DiffLine['kind'], readonly Mark[]>> = {
  context: [],
  added: ['added'],
  removed: ['removed'],
  hunk: ['dim'],
};

export function diffLines(diff: Diff, width: number): readonly Line[] {
  const digits = String(Math.max(1, ...diff.lines.map((each) => each.newLine ?? each.oldLine ?? 0))).length;
  return [...wrapLine(diffTitle(diff), width), ...diff.lines.flatMap((each) => oneLine(each, digits, width))];
}

export function diffTitle(diff: Diff): Line {
  return [
    span(cleanLine(diff.path), 'bold'),
    span('  '),
    span(`+${diff.added}`, 'added'),
    span(' '),
    span(`-${diff.removed}`, 'removed'),
  ];
}

function oneLine(each: DiffLine, digits: number, width: number): readonly Line[] {
  const marks = marksOf[each.kind];
  const content = exactText(each.content.replace(/\n$/, '')).lines.flat();
  if (each.kind === 'hunk')
    return wrapLine(
      content.map((part) => ({ ...part, marks: [...part.marks, 'dim'] })),
      width,
    );
  const number = String(each.newLine ?? each.oldLine ?? '').padStart(digits);
  const edge = span(`${number} `, 'dim');
  const spaces = span(' '.repeat(digits + 3));
  return wrapLine(
    [
      edge,
      span(`${signs[each.kind]} `, ...marks),
      ...content.map((part) => ({ ...part, marks: [...part.marks, ...marks] })),
    ],
    width,
    { hanging: [spaces], keepSpaces: true },
  );
}
