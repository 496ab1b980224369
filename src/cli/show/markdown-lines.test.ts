/** Markdown on a terminal, whole and while it streams. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addMarkdown, emptyMarkdown, endMarkdown, type Block } from './markdown-blocks.ts';
import { markdownLines, pendingLines } from './markdown-lines.ts';
import { inlineSpans } from './markdown-inline.ts';
import { plainText } from './span.ts';
import { widthOfLine } from './text-width.ts';

const shown = (text: string, width = 40): readonly string[] => markdownLines(text, width).map(plainText);

function streamed(text: string, cuts: readonly number[]): readonly Block[] {
  const blocks: Block[] = [];
  let state = emptyMarkdown;
  let at = 0;
  for (const cut of [...cuts].sort((left, right) => left - right)) {
    const step = addMarkdown(state, text.slice(at, Math.max(at, cut)));
    state = step.state;
    at = Math.max(at, cut);
    blocks.push(...step.blocks);
  }
  const last = addMarkdown(state, text.slice(at));
  return [...blocks, ...last.blocks, ...endMarkdown(last.state)];
}

const sample =
  '# Title\n\n\ntext **bold** `code`\n- one\n  - two\n\n```ts\nconst a = "```";\n\n```\n| a | b |\n|---|--:|\n| 1 | 2 |\nafter\n> quote\n\n---\nend';

describe('markdown', () => {
  it('headings, lists, code, quotes and rules have their look', () => {
    expect(shown('# Title\n- one\n  1. two\n- [x] done\n> said\n```sh\nls\n\n```\n---')).toEqual([
      'Title',
      '• one',
      '  1. two',
      '✓ done',
      '▏ said',
      '  sh',
      '  ls',
      '  ',
      '─'.repeat(40),
    ]);
  });

  it('a text that streams in any pieces gives the same blocks as at once', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(sample.length), { maxLength: 12 }), (cuts) => {
        expect(streamed(sample, cuts)).toEqual(streamed(sample, []));
      }),
    );
  });

  it('a whole line is printed for good while the next one is being written', () => {
    const { state, blocks } = addMarkdown(emptyMarkdown, 'first line\nsecond');
    expect(blocks).toEqual([{ kind: 'text', text: 'first line' }]);
    expect(pendingLines(state, 40).map(plainText)).toEqual(['second']);
  });

  it('an unfinished table waits for its last row', () => {
    const { state, blocks } = addMarkdown(emptyMarkdown, '| a | b |\n|---|---|\n| 1 | 2 |\n');
    expect(blocks).toEqual([]);
    expect(pendingLines(state, 40).map(plainText)).toEqual(['a │ b', '──┼──', '1 │ 2']);
  });

  it('a link shows its whole target, also when its label looks like another address', () => {
    expect(shown('[https://bank.example](https://evil.example/a?b=(c))')).toEqual([
      'https://bank.example (',
      'https://evil.example/a?b=(c))',
    ]);
    expect(shown('<https://x.example>')).toEqual(['https://x.example']);
  });

  it('marks inside words and lone signs are text', () => {
    expect(shown('snake_case_name 2*3*4 a ** b _x_ \\*no\\*')).toEqual(['snake_case_name 2*3*4 a ** b x *no*']);
    expect(inlineSpans('**b *i* b**').map(({ text, marks }) => [text, ...marks])).toEqual([
      ['b ', 'bold'],
      ['i', 'bold', 'italic'],
      [' b', 'bold'],
    ]);
  });

  it('a table that is too wide wraps its cells, and on a narrow terminal becomes records', () => {
    const table = '| name | what it does |\n|---|---:|\n| a | a long sentence about it |\n';
    expect(shown(table, 20)).toEqual([
      'name │  what it does',
      '─────┼──────────────',
      'a    │        a long',
      '     │      sentence',
      '     │      about it',
    ]);
    expect(shown(table, 11)).toEqual(['name: a', 'what it', '  does: a', '  long', '  sentence', '  about it']);
  });

  it('no line is wider than the terminal, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.integer({ min: 20, max: 60 }), (text, width) => {
        for (const each of markdownLines(text, width)) expect(widthOfLine(each)).toBeLessThanOrEqual(width);
      }),
    );
  });

  it('text made to be slow is not', () => {
    const startedAt = performance.now();
    for (const evil of [
      '*'.repeat(20_000),
      '['.repeat(20_000),
      '`'.repeat(20_001),
      '_a'.repeat(10_000),
      '**a'.repeat(8_000),
    ])
      markdownLines(evil, 80);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});
