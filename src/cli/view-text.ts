/** A result's view as plain text. */
import { escapeInvisible } from '../base/escape-invisible.ts';
import type { DiffLine, View } from '../contract/output.ts';

/** Never longer than `maxLines`; what is left out is counted. */
export function viewText(view: View, maxLines = 400): string {
  const lines = viewLines(view);
  if (lines.length <= maxLines) return lines.join('\n');
  return [...lines.slice(0, maxLines), `… ${lines.length - maxLines} more lines`].join('\n');
}

function viewLines(view: View): readonly string[] {
  switch (view.kind) {
    case 'diff':
      return [
        `--- ${escapeInvisible(view.path, 'nothing')}  +${view.added} -${view.removed}`,
        ...view.lines.map(diffLine),
      ];
    case 'text':
      return escapeInvisible(view.text).split('\n');
    case 'table':
      return [
        view.columns.join('  '),
        ...view.rows.map((row) => row.map((cell) => escapeInvisible(cell, 'nothing')).join('  ')),
      ];
    case 'files':
      return view.files.map((file) =>
        escapeInvisible([file.path, file.line, file.snippet].filter((part) => part !== undefined).join(':'), 'nothing'),
      );
    case 'terminal':
      return escapeInvisible(`${view.stdout}${view.stderr}`).split('\n');
    case 'checklist':
      return view.items.map((item) => `[${item.status}] ${escapeInvisible(item.text, 'nothing')}`);
    case 'link':
      return [`${escapeInvisible(view.title, 'nothing')}: ${escapeInvisible(view.url, 'nothing')}`];
    case 'image':
    case 'model3d':
      return [escapeInvisible(view.path, 'nothing')];
    case 'form':
      return [];
  }
}

const signs: Readonly<Record<DiffLine['kind'], string>> = { context: ' ', added: '+', removed: '-', hunk: '' };

const diffLine = (line: DiffLine): string => `${signs[line.kind]}${escapeInvisible(line.content, 'nothing')}`;
