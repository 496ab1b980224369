/** A call's outcome for people: switches on the view's kind, never on a tool's name. */
import type { CallOutcome, View } from '../../contract/output.ts';
import { cleanLine, cleanOutput, cleanText } from './clean-text.ts';
import { diffLines } from './diff-lines.ts';
import { inlineSpans } from './markdown-inline.ts';
import { line, span, type Line } from './span.ts';
import { tableLines } from './table-lines.ts';
import { wrapLine } from './wrap-lines.ts';

/** All of it; `foldLines` cuts. */
export function outcomeLines(outcome: CallOutcome, width: number): readonly Line[] {
  if (!outcome.ok) return reasonLines(outcome.error?.message ?? outcome.text, width);
  return outcome.view === undefined ? outputLines(outcome.text, width) : viewLines(outcome.view, width);
}

function viewLines(view: View, width: number): readonly Line[] {
  switch (view.kind) {
    case 'text':
      return outputLines(view.text, width);
    case 'diff':
      return diffLines(view, width);
    case 'table':
      return tableLines(
        {
          header: view.columns.map((cell) => line(cleanLine(cell))),
          alignments: view.columns.map(() => 'left' as const),
          rows: view.rows.map((row) => row.map((cell) => line(cleanLine(cell)))),
        },
        width,
      );
    case 'files':
      return view.files.flatMap((file) => fileLines(file, width));
    case 'image':
      return [[span('image ', 'dim'), span(cleanLine(view.path)), span(`  ${cleanLine(view.alt)}`, 'dim')]];
    case 'terminal':
      return terminalLines(view, width);
    case 'checklist':
      return view.items.flatMap((item) => checkLines(item, width));
    case 'link':
      return wrapLine([...inlineSpans(view.title), span(' '), span(cleanLine(view.url), 'accent')], width);
    case 'form':
      return [line('A form; open the web app to fill it in.', 'dim')];
    case 'model3d':
      return [[span('3D model ', 'dim'), span(cleanLine(view.path))]];
  }
}

function terminalLines(view: Extract<View, { kind: 'terminal' }>, width: number): readonly Line[] {
  const lines = [...outputLines(view.stdout, width), ...outputLines(view.stderr, width).map(asAside)];
  if (view.exitCode !== 0)
    lines.push(line(view.exitCode === null ? 'ended by a signal or a timeout' : `exit code ${view.exitCode}`, 'ask'));
  return lines;
}

function outputLines(text: string, width: number): readonly Line[] {
  const cleaned = cleanOutput(text).replace(/\n+$/, '');
  if (cleaned.trim() === '') return [];
  return cleaned.split('\n').flatMap((each) => wrapLine([span(each)], width, { keepSpaces: true }));
}

function reasonLines(message: string, width: number): readonly Line[] {
  return cleanText(message.trim())
    .split('\n')
    .flatMap((each) => wrapLine([span(each)], width));
}

const asAside = (each: Line): Line => each.map((part) => ({ ...part, marks: [...part.marks, 'dim' as const] }));

function fileLines(file: { path: string; line?: number; snippet?: string }, width: number): readonly Line[] {
  const place = file.line === undefined ? '' : `:${file.line}`;
  const snippet = file.snippet === undefined ? [] : [span('  '), span(cleanLine(file.snippet), 'dim')];
  return wrapLine([span(cleanLine(file.path)), span(place, 'dim'), ...snippet], width, { hanging: [span('  ')] });
}

function checkLines(item: { text: string; status: string }, width: number): readonly Line[] {
  const sign = item.status === 'done' || item.status === 'completed' ? '✓' : item.status === 'pending' ? '☐' : '●';
  return wrapLine([span(`${sign} `, 'accent'), span(cleanLine(item.text))], width, { hanging: [span('  ')] });
}

/** The first `limit` lines and a line that says how many more there are. */
export function foldLines(lines: readonly Line[], limit: number, how: string): readonly Line[] {
  if (lines.length <= limit + 1) return lines;
  return [...lines.slice(0, limit), line(`… ${lines.length - limit} more lines · ${how}`, 'dim')];
}
