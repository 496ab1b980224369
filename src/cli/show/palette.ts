/** Turns marked lines into what a terminal draws: the sixteen colours of the user's own theme, or none at all. */
import type { Line, Mark } from './span.ts';

export type Palette = {
  readonly hasColour: boolean;
  paint(line: Line): string;
};

/** SGR parameters (ECMA-48 8.3.117): on and off. The theme's own colours stay readable on light and dark alike. */
const codes: Readonly<Record<Mark, readonly [number, number]>> = {
  accent: [36, 39],
  ask: [33, 39],
  bad: [31, 39],
  dim: [2, 22],
  bold: [1, 22],
  italic: [3, 23],
  strike: [9, 29],
  code: [36, 39],
  added: [32, 39],
  removed: [31, 39],
  escape: [7, 27],
  selected: [7, 27],
};

/** Without colour, emphasis stays where the terminal can draw it without one: NO_COLOR (no-color.org) is about colour alone. */
const colourless: ReadonlySet<Mark> = new Set(['bold', 'italic', 'strike', 'escape', 'selected']);

export type PaletteKind = 'colour' | 'no-colour' | 'plain';

export function createPalette(kind: PaletteKind): Palette {
  const isDrawn = (mark: Mark): boolean => kind === 'colour' || (kind === 'no-colour' && colourless.has(mark));
  return {
    hasColour: kind === 'colour',
    paint: (line) =>
      line
        .map(({ text, marks }) =>
          marks
            .filter(isDrawn)
            .reduce((inner, mark) => `\u001b[${codes[mark][0]}m${inner}\u001b[${codes[mark][1]}m`, text),
        )
        .join(''),
  };
}

/** What the environment allows: `TERM=dumb` draws nothing but text, NO_COLOR (set and not empty) no colours. */
export function paletteKindOf(environment: NodeJS.ProcessEnv): PaletteKind {
  if (environment['TERM'] === 'dumb') return 'plain';
  const noColour = environment['NO_COLOR'];
  return noColour !== undefined && noColour !== '' ? 'no-colour' : 'colour';
}
