/**
 * Reads Markdown line by line while it streams: a line that is whole never changes again, so it can be printed for good. Only
 * a table waits for its end, since its columns depend on every row.
 */

export type Alignment = 'left' | 'right' | 'centre';

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'item'; readonly indent: number; readonly marker: string; readonly text: string }
  | { readonly kind: 'quote'; readonly text: string }
  | { readonly kind: 'code-start'; readonly language: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'code-end' }
  | {
      readonly kind: 'table';
      readonly header: readonly string[];
      readonly alignments: readonly Alignment[];
      readonly rows: readonly (readonly string[])[];
    }
  | { readonly kind: 'rule' }
  | { readonly kind: 'blank' };

export type MarkdownState = {
  /** The line that has not ended yet. */
  readonly partial: string;
  /** The fence that closes the open code block. */
  readonly fence: string | undefined;
  /** Lines that look like a table so far. */
  readonly table: readonly string[];
  /** True at the start and after a blank line: further blank lines are dropped. */
  readonly afterBlank: boolean;
};

export const emptyMarkdown: MarkdownState = { partial: '', fence: undefined, table: [], afterBlank: true };

/** Adds streamed text; gives the blocks that are now whole. */
export function addMarkdown(
  state: MarkdownState,
  text: string,
): { readonly state: MarkdownState; readonly blocks: readonly Block[] } {
  const lines = (state.partial + text).split('\n');
  const partial = lines.pop() ?? '';
  const blocks: Block[] = [];
  let next: MarkdownState = { ...state, partial: '' };
  for (const each of lines) next = addLine(next, each.replace(/\r$/, ''), blocks);
  return { state: { ...next, partial }, blocks };
}

/** The text is over: the rest as blocks. */
export function endMarkdown(state: MarkdownState): readonly Block[] {
  const blocks: Block[] = [];
  let last: MarkdownState = { ...state, partial: '' };
  if (state.partial !== '') last = addLine(last, state.partial, blocks);
  blocks.push(...tableBlocks(last.table));
  if (last.fence !== undefined) blocks.push({ kind: 'code-end' });
  return blocks;
}

function addLine(state: MarkdownState, line: string, blocks: Block[]): MarkdownState {
  if (state.fence !== undefined) {
    const isEnd = line.trim().startsWith(state.fence) && line.trim().replaceAll(state.fence[0] ?? '`', '') === '';
    blocks.push(isEnd ? { kind: 'code-end' } : { kind: 'code', text: line });
    return isEnd ? { ...state, fence: undefined, afterBlank: false } : state;
  }
  if (isTableLine(line) && (state.table.length !== 1 || isDelimiter(line))) {
    return { ...state, table: [...state.table, line], afterBlank: false };
  }
  blocks.push(...tableBlocks(state.table));
  const before = state.table.length > 0 ? { ...state, table: [], afterBlank: false } : state;
  if (isTableLine(line)) return { ...before, table: [line], afterBlank: false };
  const fence = /^\s{0,12}(`{3,}|~{3,})\s*([^`]*)$/.exec(line);
  if (fence !== null) {
    blocks.push({ kind: 'code-start', language: (fence[2] ?? '').trim().split(/\s/)[0] ?? '' });
    return { ...before, fence: fence[1] ?? '```', afterBlank: false };
  }
  const block = lineBlock(line);
  if (block.kind !== 'blank' || !before.afterBlank) blocks.push(block);
  return { ...before, afterBlank: block.kind === 'blank' };
}

function lineBlock(line: string): Block {
  if (line.trim() === '') return { kind: 'blank' };
  const heading = /^ {0,3}(#{1,6})\s+(.*?)(?:\s+#+)?\s*$/.exec(line);
  if (heading !== null) return { kind: 'heading', level: heading[1]?.length ?? 1, text: heading[2] ?? '' };
  if (/^ {0,3}([-*_])(?:\s*\1){2,}\s*$/.test(line)) return { kind: 'rule' };
  const item = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/.exec(line);
  if (item !== null) {
    const indent = (item[1] ?? '').replaceAll('\t', '    ').length;
    return { kind: 'item', indent, marker: item[2] ?? '-', text: item[3] ?? '' };
  }
  const quote = /^ {0,3}>\s?(.*)$/.exec(line);
  if (quote !== null) return { kind: 'quote', text: quote[1] ?? '' };
  return { kind: 'text', text: line };
}

const isTableLine = (line: string): boolean => /^\s*\|.*\|\s*$/.test(line);

const isDelimiter = (line: string): boolean => /^[\s|:-]+$/.test(line) && line.includes('-');

/** A table when the second line says so, else the lines as text. */
function tableBlocks(lines: readonly string[]): readonly Block[] {
  const [header, delimiter, ...rows] = lines;
  if (header === undefined) return [];
  if (delimiter === undefined || !isDelimiter(delimiter)) return lines.map((text) => ({ kind: 'text', text }));
  const columns = cellsOf(header);
  return [
    {
      kind: 'table',
      header: columns,
      alignments: columns.map((_, at) => alignmentOf(cellsOf(delimiter)[at] ?? '')),
      rows: rows.map((row) => columns.map((_, at) => cellsOf(row)[at] ?? '')),
    },
  ];
}

function cellsOf(line: string): readonly string[] {
  const inner = line.trim().replace(/^\||\|$/g, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
}

function alignmentOf(cell: string): Alignment {
  if (!cell.endsWith(':')) return 'left';
  return cell.startsWith(':') ? 'centre' : 'right';
}
