/** A table in a given width: natural columns where they fit, narrower ones with wrapped cells, or one record below the other. */
import type { Alignment } from './markdown-blocks.ts';
import { span, type Line, type Span } from './span.ts';
import { widthOf, widthOfLine } from './text-width.ts';
import { wrapLine } from './wrap-lines.ts';

export type TableCells = {
  readonly header: readonly Line[];
  readonly alignments: readonly Alignment[];
  readonly rows: readonly (readonly Line[])[];
};

const separator = span(' │ ', 'dim');
const narrowestColumn = 8;

export function tableLines(table: TableCells, width: number): readonly Line[] {
  const columns = table.header.length;
  const room = width - 3 * (columns - 1);
  const natural = table.header.map((cell, at) =>
    Math.max(1, widthOfLine(cell), ...table.rows.map((row) => widthOfLine(row[at] ?? []))),
  );
  const widths = fit(natural, room);
  if (widths === undefined) return recordLines(table, width);
  const rowLines = (row: readonly Line[]): readonly Line[] => layRow(row, widths, table.alignments);
  return [
    ...rowLines(table.header.map((cell) => cell.map((each) => ({ ...each, marks: [...each.marks, 'bold' as const] })))),
    [span(widths.map((each) => '─'.repeat(each)).join('─┼─'), 'dim')],
    ...table.rows.flatMap(rowLines),
  ];
}

/** Takes from the widest column first; undefined when even the narrowest columns do not fit. */
function fit(natural: readonly number[], room: number): readonly number[] | undefined {
  const widths = [...natural];
  let excess = widths.reduce((sum, each) => sum + each, 0) - room;
  if (excess <= 0) return widths;
  const least = natural.reduce((sum, each) => sum + Math.min(each, narrowestColumn), 0);
  if (least > room) return undefined;
  for (; excess > 0; excess -= 1) {
    const widest = widths.indexOf(Math.max(...widths));
    widths[widest] = (widths[widest] ?? 1) - 1;
  }
  return widths;
}

function layRow(row: readonly Line[], widths: readonly number[], alignments: readonly Alignment[]): readonly Line[] {
  const cells = widths.map((width, at) => wrapLine(row[at] ?? [], width));
  const height = Math.max(1, ...cells.map((cell) => cell.length));
  return Array.from({ length: height }, (_, index) =>
    widths.flatMap((width, at): readonly Span[] => {
      const isLast = at === widths.length - 1;
      const aligned = align(cells[at]?.[index] ?? [], width, alignments[at] ?? 'left', isLast);
      return isLast ? aligned : [...aligned, separator];
    }),
  );
}

function align(cell: Line, width: number, alignment: Alignment, isLast: boolean): Line {
  const missing = Math.max(0, width - widthOfLine(cell));
  const left = alignment === 'left' ? 0 : alignment === 'right' ? missing : Math.floor(missing / 2);
  const right = isLast ? 0 : missing - left;
  return [...(left > 0 ? [span(' '.repeat(left))] : []), ...cell, ...(right > 0 ? [span(' '.repeat(right))] : [])];
}

function recordLines(table: TableCells, width: number): readonly Line[] {
  return table.rows.flatMap((row, index) => [
    ...(index > 0 ? [[span('─'.repeat(Math.min(width, 20)), 'dim')]] : []),
    ...table.header.flatMap((name, at) => {
      const label = name.map((each) => ({ ...each, marks: [...each.marks, 'dim' as const] }));
      return wrapLine([...label, span(': ', 'dim'), ...(row[at] ?? [])], width, {
        hanging: [span(' '.repeat(Math.min(2, widthOf('  '))))],
      });
    }),
  ]);
}
