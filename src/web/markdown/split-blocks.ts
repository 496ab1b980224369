/**
 * Cuts Markdown that still streams into blocks which are drawn on their own: only the last one changes, so a long answer costs
 * no more per word than a short one. Pure.
 */

const fence = /^ {0,3}(`{3,}|~{3,})/;
const listItem = /^ {0,3}([-*+]|\d{1,9}[.)])(\s|$)/;
/** Holds for the whole text, so nothing may be cut: https://spec.commonmark.org/0.31.2/#link-reference-definitions */
const reference = /^ {0,3}\[[^\]]+\]:/m;

export function splitBlocks(text: string): readonly string[] {
  if (reference.test(text)) return [text];
  const blocks: string[] = [];
  let lines: string[] = [];
  let open = '';
  let isAfterBlank = false;
  for (const line of text.split('\n')) {
    const isBlank = line.trim() === '';
    if (open === '' && isAfterBlank && !isBlank && beginsBlock(line, lines)) {
      blocks.push(lines.join('\n'));
      lines = [];
    }
    lines.push(line);
    open = fenceAfter(line, open);
    isAfterBlank = isBlank;
  }
  return [...blocks, lines.join('\n')].filter((block) => block.trim() !== '');
}

/** Indented text and further items belong to the list before them. */
function beginsBlock(line: string, before: readonly string[]): boolean {
  if (/^\s/.test(line)) return false;
  const first = before.find((each) => each.trim() !== '');
  return !(first !== undefined && listItem.test(first) && listItem.test(line));
}

/** The fence that is open after this line; empty: none. A formula that has lines of its own is fenced as code is. */
function fenceAfter(line: string, open: string): string {
  const bare = line.trim();
  if (open === '$$' || open === '\\[') return bare === (open === '$$' ? '$$' : '\\]') ? '' : open;
  if (open === '' && (bare === '$$' || bare === '\\[')) return bare;
  const mark = fence.exec(line)?.[1];
  if (mark === undefined) return open;
  if (open === '') return mark;
  const closes = mark[0] === open[0] && mark.length >= open.length && line.trim() === mark;
  return closes ? '' : open;
}
