/** Breaks marked lines at a width: between words where that is possible, inside a word where it is not. */
import type { Line, Mark, Span } from './span.ts';
import { graphemesOf, widthOf } from './text-width.ts';

export type WrapOptions = {
  /** Put before every line after the first. */
  readonly hanging?: Line;
  /** Keeps every space, for exact bytes; else spaces at a break vanish. */
  readonly keepSpaces?: boolean;
};

type Piece = {
  readonly text: string;
  readonly marks: readonly Mark[];
  readonly width: number;
  readonly isSpace: boolean;
};

/** At least one line. A character wider than `width` still gets a line of its own. */
export function wrapLine(line: Line, width: number, options: WrapOptions = {}): readonly Line[] {
  const hanging = options.hanging ?? [];
  const hangingWidth = hanging.reduce((sum, each) => sum + widthOf(each.text), 0);
  const lines: Span[][] = [];
  let current: Span[] = [];
  let room = width;
  let isEmpty = true;
  const breakLine = () => {
    while (options.keepSpaces !== true && current.at(-1)?.text.trim() === '' && current.length > 1) current.pop();
    lines.push(current);
    current = [...hanging];
    room = Math.max(1, width - hangingWidth);
    isEmpty = true;
  };
  for (const piece of line.flatMap(piecesOf)) {
    if (piece.width <= room) {
      if (isEmpty && piece.isSpace && lines.length > 0 && options.keepSpaces !== true) continue;
      current.push({ text: piece.text, marks: piece.marks });
      room -= piece.width;
      isEmpty = false;
      continue;
    }
    if (piece.isSpace && options.keepSpaces !== true) {
      breakLine();
      continue;
    }
    if (!isEmpty && piece.width <= Math.max(1, width - hangingWidth)) breakLine();
    for (const grapheme of piece.width <= room ? [piece.text] : graphemesOf(piece.text)) {
      const needed = widthOf(grapheme);
      if (needed > room && !isEmpty) breakLine();
      current.push({ text: grapheme, marks: piece.marks });
      room -= needed;
      isEmpty = false;
    }
  }
  lines.push(current);
  return lines.map(joined);
}

/** Spaces, single wide characters (CJK may break anywhere) and words. */
function piecesOf(each: Span): readonly Piece[] {
  const parts = each.text.match(
    / +|[\u1100-\u115f\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]|[^ \u1100-\u115f\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]+/gu,
  );
  return (parts ?? []).map((text) => ({
    text,
    marks: each.marks,
    width: widthOf(text),
    isSpace: text.startsWith(' '),
  }));
}

/** Neighbours with the same marks become one span: shorter output, fewer colour changes. */
function joined(spans: readonly Span[]): Line {
  const result: Span[] = [];
  for (const each of spans) {
    const last = result.at(-1);
    if (last !== undefined && last.marks.join() === each.marks.join()) {
      result[result.length - 1] = { text: last.text + each.text, marks: last.marks };
    } else result.push(each);
  }
  return result;
}
