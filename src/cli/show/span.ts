/** Styled text as data: spans make lines, lines make screens. Colours are added at the very end, by a palette. */

/** What a piece of text is, not which colour it has. `ask` waits for the user, `bad` failed or was refused. */
export type Mark =
  | 'accent'
  | 'ask'
  | 'bad'
  | 'dim'
  | 'bold'
  | 'italic'
  | 'strike'
  | 'code'
  | 'added'
  | 'removed'
  | 'escape'
  | 'selected';

/** `text` holds no control characters: whoever makes a span from foreign text cleans it first. */
export type Span = { readonly text: string; readonly marks: readonly Mark[] };

export type Line = readonly Span[];

export function span(text: string, ...marks: readonly Mark[]): Span {
  return { text, marks };
}

/** A line of one span. */
export function line(text: string, ...marks: readonly Mark[]): Line {
  return [span(text, ...marks)];
}

export function plainText(spans: Line): string {
  return spans.map((each) => each.text).join('');
}
