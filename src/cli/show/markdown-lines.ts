/** Markdown blocks as marked lines of a given width. */
import { cleanText } from './clean-text.ts';
import { inlineSpans } from './markdown-inline.ts';
import { addMarkdown, emptyMarkdown, endMarkdown, type Block, type MarkdownState } from './markdown-blocks.ts';
import { span, type Line } from './span.ts';
import { tableLines } from './table-lines.ts';
import { wrapLine } from './wrap-lines.ts';

const codeEdge = span('  ');

export function blockLines(block: Block, width: number): readonly Line[] {
  switch (block.kind) {
    case 'heading':
      return wrapLine(
        inlineSpans(block.text, ...(block.level <= 2 ? (['bold', 'accent'] as const) : (['bold'] as const))),
        width,
      );
    case 'text':
      return textLines(block.text, width);
    case 'item':
      return itemLines(block, width);
    case 'quote':
      return wrapLine([span('▏ ', 'dim'), ...inlineSpans(block.text, 'dim')], width, { hanging: [span('▏ ', 'dim')] });
    case 'code-start':
      return block.language === '' ? [] : [[codeEdge, span(cleanText(block.language), 'dim')]];
    case 'code':
      return wrapLine([codeEdge, span(cleanText(block.text), 'code')], width, {
        hanging: [codeEdge],
        keepSpaces: true,
      });
    case 'code-end':
      return [];
    case 'table':
      return tableLines(
        {
          header: block.header.map((cell) => inlineSpans(cell)),
          alignments: block.alignments,
          rows: block.rows.map((row) => row.map((cell) => inlineSpans(cell))),
        },
        width,
      );
    case 'rule':
      return [[span('─'.repeat(Math.min(width, 40)), 'dim')]];
    case 'blank':
      return [[]];
  }
}

/** A whole text at once. */
export function markdownLines(text: string, width: number): readonly Line[] {
  const { state, blocks } = addMarkdown(emptyMarkdown, text);
  return [...blocks, ...endMarkdown(state)].flatMap((block) => blockLines(block, width));
}

/** What of a streaming text is not printed for good yet: an unfinished table, the line being written. */
export function pendingLines(state: MarkdownState, width: number): readonly Line[] {
  return endMarkdown(state).flatMap((block) => blockLines(block, width));
}

function textLines(text: string, width: number): readonly Line[] {
  const indent = /^ */.exec(text)?.[0].slice(0, Math.floor(width / 3)) ?? '';
  const edge = indent === '' ? [] : [span(indent)];
  return wrapLine([...edge, ...inlineSpans(text.trim())], width, { hanging: edge });
}

function itemLines(block: Extract<Block, { kind: 'item' }>, width: number): readonly Line[] {
  const indent = ' '.repeat(Math.min(block.indent, Math.floor(width / 3)));
  const task = /^\[([ xX])\]\s+(.*)$/.exec(block.text);
  const bullet = /^\d/.test(block.marker) ? block.marker : task === null ? '•' : task[1] === ' ' ? '☐' : '✓';
  const first = `${indent}${bullet} `;
  return wrapLine([span(indent), span(`${bullet} `, 'accent'), ...inlineSpans(task?.[2] ?? block.text)], width, {
    hanging: [span(' '.repeat(first.length))],
  });
}
