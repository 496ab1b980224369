/**
 * Colours that programs write into their output (ECMA-48, "Select Graphic Rendition"), as styles of pieces of text. Every other
 * control sequence stays in the text, where it is shown and does nothing. Pure.
 */

/** One of eight by name: the page's own colours, which can be read in both themes whatever the program thought of. */
export type AnsiColour = 'black' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'white';

export type AnsiStyle = {
  readonly colour?: AnsiColour;
  /** With a background of whatever colour, or inverse. */
  readonly isMarked?: true;
  readonly isBold?: true;
  readonly isDim?: true;
  readonly isItalic?: true;
  readonly isUnderlined?: true;
  readonly isStruck?: true;
};

export type AnsiPiece = { readonly text: string; readonly style: AnsiStyle };

const colours: readonly AnsiColour[] = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

// CSI parameters m. The colon separates parts of one parameter (ISO 8613-6) and is read as the semicolon is.
// oxlint-disable-next-line no-control-regex -- it is what is looked for
const selectStyle = /\u001b\[([0-9;:]{0,64})m/g;

export function readAnsi(text: string): readonly AnsiPiece[] {
  const pieces: AnsiPiece[] = [];
  let style: AnsiStyle = {};
  let at = 0;
  const add = (end: number): void => {
    if (end > at) pieces.push({ text: text.slice(at, end), style });
  };
  for (const match of text.matchAll(selectStyle)) {
    add(match.index);
    at = match.index + match[0].length;
    style = styleAfter(style, (match[1] ?? '').split(/[;:]/).map(Number));
  }
  add(text.length);
  return pieces;
}

function styleAfter(before: AnsiStyle, codes: readonly number[]): AnsiStyle {
  let style = before;
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0;
    if (code === 38 || code === 48) {
      const { colour, length } = readLongColour(codes.slice(at + 1));
      at += length;
      style = code === 48 ? { ...style, isMarked: true } : withColour(style, colour);
    } else {
      style = styleAfterCode(style, code);
    }
  }
  return style;
}

function styleAfterCode(style: AnsiStyle, code: number): AnsiStyle {
  if (code === 0) return {};
  if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) return withColour(style, colours[code % 10]);
  if ((code >= 40 && code <= 47) || (code >= 100 && code <= 107)) return { ...style, isMarked: true };
  switch (code) {
    case 1:
      return { ...style, isBold: true };
    case 2:
      return { ...style, isDim: true };
    case 3:
      return { ...style, isItalic: true };
    case 4:
      return { ...style, isUnderlined: true };
    case 7:
      return { ...style, isMarked: true };
    case 9:
      return { ...style, isStruck: true };
    case 22:
      return without(style, 'isBold', 'isDim');
    case 23:
      return without(style, 'isItalic');
    case 24:
      return without(style, 'isUnderlined');
    case 27:
    case 49:
      return without(style, 'isMarked');
    case 29:
      return without(style, 'isStruck');
    case 39:
      return without(style, 'colour');
    default:
      // Hidden text (8) above all: what is there is shown.
      return style;
  }
}

/** What follows 38 or 48: `5;n` one of 256, `2;r;g;b` any. `length`: how many codes it took. */
function readLongColour([kind, ...rest]: readonly number[]): {
  readonly colour: AnsiColour | undefined;
  readonly length: number;
} {
  if (kind === 5) return { colour: colourOfTable(rest[0] ?? 0), length: 2 };
  if (kind === 2) return { colour: nearest(rest[0] ?? 0, rest[1] ?? 0, rest[2] ?? 0), length: 4 };
  return { colour: undefined, length: kind === undefined ? 0 : 1 };
}

/** The table of xterm: 16 named ones, a cube of 6 × 6 × 6, greys. */
function colourOfTable(code: number): AnsiColour | undefined {
  if (code < 16) return colours[code % 8];
  if (code >= 232) return code < 244 ? 'black' : 'white';
  const cube = code - 16;
  return nearest(Math.floor(cube / 36) * 51, (Math.floor(cube / 6) % 6) * 51, (cube % 6) * 51);
}

/** By which of red, green and blue shine: three bits, as the eight names are numbered. */
function nearest(red: number, green: number, blue: number): AnsiColour | undefined {
  const most = Math.max(red, green, blue);
  if (most < 64) return 'black';
  const shines = (value: number): number => (value > most * 0.6 ? 1 : 0);
  return colours[shines(red) + 2 * shines(green) + 4 * shines(blue)];
}

const withColour = (style: AnsiStyle, colour: AnsiColour | undefined): AnsiStyle =>
  colour === undefined ? style : { ...style, colour };

function without(style: AnsiStyle, ...names: readonly (keyof AnsiStyle)[]): AnsiStyle {
  return Object.fromEntries(Object.entries(style).filter(([name]) => !names.includes(name as keyof AnsiStyle)));
}
