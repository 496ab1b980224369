/** The input, the list above it and the status line below it, as lines, with the place of the cursor. */
import { showPath } from '../show/amounts.ts';
import { cleanLine } from '../show/clean-text.ts';
import { escapeInvisible } from '../../base/escape-invisible.ts';
import { span, type Line, type Mark } from '../show/span.ts';
import { cutLineToWidth, graphemesOf, padToWidth, widthOf } from '../show/text-width.ts';
import type { ChatState, Picker } from './chat-state.ts';
import type { Draft } from './line-editor.ts';
import { shownItems } from './picker.ts';

export type InputLines = {
  readonly lines: readonly Line[];
  readonly cursor: { readonly x: number; readonly y: number };
};

const prompt = 2;

/** `maxLines`: what does not fit scrolls, with the cursor always on screen. */
export function inputLines(draft: Draft, width: number, maxLines: number): InputLines {
  const rows: { text: string }[] = [{ text: '' }];
  let cursor = { x: prompt, y: 0 };
  let at = 0;
  let column = 0;
  const mark = (): void => {
    if (at === draft.at) cursor = { x: prompt + column, y: rows.length - 1 };
  };
  for (const grapheme of graphemesOf(draft.text)) {
    const shown = grapheme === '\n' ? '' : shownGrapheme(grapheme);
    const needed = widthOf(shown);
    if (column + needed > width - prompt - 1) {
      rows.push({ text: '' });
      column = 0;
    }
    mark();
    if (grapheme === '\n') {
      rows.push({ text: '' });
      column = 0;
    } else {
      const row = rows.at(-1);
      if (row !== undefined) row.text += shown;
      column += needed;
    }
    at += grapheme.length;
  }
  mark();
  const first = Math.max(0, Math.min(cursor.y - maxLines + 1, rows.length - maxLines));
  const lines = rows.slice(first, first + maxLines).map(({ text }, index): Line => {
    const isFirst = index + first === 0;
    return [isFirst ? span('› ', 'accent', 'bold') : span(index === 0 ? '↑ ' : '  ', 'dim'), span(text)];
  });
  return { lines, cursor: { x: cursor.x, y: cursor.y - first } };
}

/** One grapheme as it can be drawn: pasted control characters are shown, not obeyed. */
function shownGrapheme(grapheme: string): string {
  if (grapheme === '\t') return '    ';
  return [...grapheme].length > 1 ? cleanLine(grapheme) || grapheme : escapeInvisible(grapheme, 'nothing');
}

/** Where the user is and behind which rail: always on screen. The rung stays whole, the rest gives way. */
export function statusLine(state: ChatState, width: number, home: string | undefined): Line {
  const { model, screen } = state;
  const [sign, mark] = rungSign(state.rung);
  const full =
    model === undefined || screen.contextTokens === 0
      ? ''
      : ` · ${Math.round((100 * screen.contextTokens) / model.contextWindow)} % full`;
  return cutLineToWidth(
    [
      span(`${sign} `, mark),
      span(rungName(state.rung), ...(mark === 'accent' ? ([] as const) : ([mark] as const))),
      ...(state.approve === 'ask' ? [] : [span(' · ', 'dim'), span(approveWords[state.approve], 'ask')]),
      span(` · ${cleanLine(model?.id ?? 'no model')}${full} · ${cleanLine(showPath(state.workspace, home))}`, 'dim'),
    ],
    width,
  );
}

const approveWords = { all: 'everything is approved', none: 'every question is a no' } as const;

/** Words and a shape too, never colour alone. */
function rungSign(rung: string): readonly [string, Mark] {
  if (/^(no sandbox|host)/i.test(rung)) return ['■', 'bad'];
  return /shared|proot|compatib/i.test(rung) ? ['▲', 'ask'] : ['◆', 'accent'];
}

/** Its label says "Sandbox" already, or its sign does. */
export const rungName = (rung: string): string => cleanLine(rung).replace(/^sandbox: /i, '');

export function candidateLines(state: ChatState, width: number, maxLines: number): readonly Line[] {
  const shown = state.candidates.slice(0, maxLines);
  const labels = Math.max(0, ...shown.map((each) => widthOf(each.label)));
  const more = state.candidates.length - shown.length;
  return shown.map((each, at) =>
    cutLineToWidth(
      [
        span(`  ${padToWidth(each.label, labels)}  `, 'accent'),
        span(cleanLine(each.detail), 'dim'),
        ...(more > 0 && at === shown.length - 1 ? [span(`  … ${more} more`, 'dim')] : []),
      ],
      width,
    ),
  );
}

export function pickerLines(picker: Picker, width: number, maxLines: number): readonly Line[] {
  const items = shownItems(picker);
  const room = Math.max(1, maxLines - 2);
  const first = Math.max(0, Math.min(picker.selected - Math.floor(room / 2), items.length - room));
  const labels = Math.min(Math.floor(width / 2), Math.max(0, ...items.map((item) => widthOf(item.label))));
  const rows = items.slice(first, first + room).map((item, at): Line => {
    const isSelected = at + first === picker.selected;
    const label = padToWidth(item.label, labels);
    return cutLineToWidth(
      [
        span(isSelected ? '❯ ' : '  ', 'accent'),
        span(label, ...(isSelected ? (['bold'] as const) : [])),
        span(`  ${item.detail}`, 'dim'),
      ],
      width,
    );
  });
  const count = items.length > room ? ` · ${picker.selected + 1} of ${items.length}` : '';
  return [
    cutLineToWidth(
      [
        span(picker.title, 'bold'),
        span(
          picker.filter === '' ? '  type to filter' : `  ${cleanLine(picker.filter)}`,
          picker.filter === '' ? 'dim' : 'accent',
        ),
      ],
      width,
    ),
    ...(rows.length > 0 ? rows : [[span('  nothing fits', 'dim')]]),
    cutLineToWidth([span(`Enter ${picker.verb} · ↑↓ move · Esc close${count}`, 'dim')], width),
  ];
}
