/** How many cells text takes in a terminal, and how it is cut and wrapped by cells, never inside a character. */
import stringWidth from 'string-width';
import type { Line, Span } from './span.ts';

const plainAscii = /^[\u0020-\u007e]*$/;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Wide characters (CJK, emoji) take two cells, combining ones none. */
export function widthOf(text: string): number {
  return plainAscii.test(text) ? text.length : stringWidth(text);
}

export function widthOfLine(line: Line): number {
  return line.reduce((sum, each) => sum + widthOf(each.text), 0);
}

/** What a person takes for one character. */
export function graphemesOf(text: string): readonly string[] {
  return plainAscii.test(text) ? [...text] : [...segmenter.segment(text)].map((each) => each.segment);
}

/** At most `width` cells; what is cut ends in "…". */
export function cutToWidth(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  if (width <= 0) return '';
  let kept = '';
  let used = 0;
  for (const grapheme of graphemesOf(text.slice(0, width * 16))) {
    const next = widthOf(grapheme);
    if (used + next > width - 1) break;
    kept += grapheme;
    used += next;
  }
  return `${kept.trimEnd()}…`;
}

export function cutLineToWidth(line: Line, width: number): Line {
  const kept: Span[] = [];
  let room = width;
  for (const [index, each] of line.entries()) {
    const rest = line.slice(index + 1).some((other) => other.text !== '');
    const needed = widthOf(each.text);
    if (needed < room || (needed === room && !rest)) {
      kept.push(each);
      room -= needed;
      continue;
    }
    // The mark for what is missing takes the place of at least one character of this span.
    kept.push({ ...each, text: needed > room ? cutToWidth(each.text, room) : cutToWidth(`${each.text}…`, room) });
    break;
  }
  return kept;
}

export function padToWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}
