/** The open question on its rail: what, why, the exact bytes (scrolled, never cut), where, the choices. */
import { questionParts } from '../show/question-lines.ts';
import { questionTitle } from '../show/question-title.ts';
import { span, type Line, type Span } from '../show/span.ts';
import { cutLineToWidth, widthOf } from '../show/text-width.ts';
import { wrapLine } from '../show/wrap-lines.ts';
import type { OpenQuestion } from './chat-state.ts';
import { choicesOf } from './question-choices.ts';

const edge = span('│ ', 'ask');

export function questionBox(open: OpenQuestion, width: number, maxLines: number): readonly Line[] {
  const inner = width - 2;
  const parts = questionParts(open.question, inner, open.areBytesShown);
  const more = open.waiting === 0 ? '' : `  ${open.waiting} more after this`;
  const title: Line = [
    span('● ', 'ask'),
    span(questionTitle(open.question), 'bold'),
    ...(open.question.isDangerous ? [span('  dangerous', 'bad', 'bold')] : []),
    span(more, 'dim'),
  ];
  const choices = choiceLines(open, inner);
  const fixed = 1 + parts.why.length + parts.facts.length + choices.length + 2;
  const room = maxLines - fixed;
  // On a low terminal the reason and the facts scroll with the bytes; title and answers always stay.
  const middle =
    room >= Math.min(parts.body.length, 4)
      ? [...parts.why, [], ...windowOf(parts.body, open.scroll, room, inner), ...parts.facts, []]
      : windowOf(
          [...parts.why, [], ...parts.body, ...parts.facts],
          open.scroll,
          Math.max(2, maxLines - 1 - choices.length),
          inner,
        );
  return [cutLineToWidth(title, width), ...[...middle, ...choices].map((each): Line => [edge, ...each])];
}

/** A part of the body and where it is; the last line of the room says so. */
function windowOf(body: readonly Line[], scroll: number, room: number, width: number): readonly Line[] {
  if (body.length <= room) return body;
  const shown = room - 1;
  const first = Math.min(scroll, body.length - shown);
  const place = `lines ${first + 1} to ${first + shown} of ${body.length} · ↑↓ PgUp PgDn`;
  return [...body.slice(first, first + shown), cutLineToWidth([span(place, 'ask')], width)];
}

/** The room is there from the start, so that nothing moves when the answers become possible. */
function choiceLines(open: OpenQuestion, width: number): readonly Line[] {
  const spans = choicesOf(open.question).flatMap((choice, at): Span[] => {
    const isSelected = at === open.selected && open.isFocused && open.isReady;
    const text = `${choice.digit} ${choice.label}`;
    return [isSelected ? span(`❯${text}`, 'selected') : span(` ${text}`), span('   ')];
  });
  const lines = wrapChoices(spans, width);
  if (!open.isFocused)
    return [
      ...wrapLine([span('Tab answers it; what you type stays yours', 'ask')], width),
      ...lines.slice(1).map((): Line => []),
    ];
  return open.isReady ? lines : [[span('…', 'dim')], ...lines.slice(1).map((): Line => [])];
}

/** A choice is never broken over two lines. */
function wrapChoices(spans: readonly Span[], width: number): readonly Line[] {
  const lines: Span[][] = [[]];
  let used = 0;
  for (const each of spans) {
    const needed = widthOf(each.text);
    if (used + needed > width && used > 0) {
      if (each.text.trim() === '') continue;
      lines.push([]);
      used = 0;
    }
    lines.at(-1)?.push(each);
    used += needed;
  }
  return lines;
}
