/** The exact bytes of what a person is asked to allow: every hidden character shown and counted, nothing cut. */
import { escapeInvisible } from '../../base/escape-invisible.ts';
import type { Line, Span } from './span.ts';
import { span } from './span.ts';

export type ExactText = {
  /** One per line of the text; escapes carry their own mark, so that they differ from the same letters typed out. */
  readonly lines: readonly Line[];
  readonly characters: number;
  /** Control and invisible characters that were replaced by an escape; line ends apart. */
  readonly hidden: number;
};

/** Runs of spaces longer than this can push text off the screen: they are shown by their length. */
const longestRun = 16;

export function exactText(text: string): ExactText {
  let hidden = 0;
  const lines: Line[] = [];
  for (const each of text.split('\n')) {
    const exact = exactLine(each);
    hidden += exact.hidden;
    lines.push(exact.spans);
  }
  return { lines: foldEmptyLines(lines), characters: [...text].length, hidden };
}

function exactLine(text: string): { readonly spans: Line; readonly hidden: number } {
  const spans: Span[] = [];
  let hidden = 0;
  for (const part of text.split(/( {17,})/)) {
    if (part.length > longestRun && part.trim() === '') {
      spans.push(span(`␠×${part.length}`, 'escape'));
      continue;
    }
    for (const character of splitHidden(part)) {
      const shown = escapeInvisible(character, 'nothing');
      if (shown === character) {
        spans.push(span(character));
        continue;
      }
      hidden += 1;
      const last = spans.at(-1);
      if (last?.marks[0] === 'escape') spans[spans.length - 1] = span(last.text + shown, 'escape');
      else spans.push(span(shown, 'escape'));
    }
  }
  return { spans, hidden };
}

/** The text in pieces, where each hidden character is a piece of its own. */
function splitHidden(text: string): readonly string[] {
  if (escapeInvisible(text, 'nothing') === text) return text === '' ? [] : [text];
  const pieces: string[] = [];
  let visible = '';
  for (const character of text) {
    if (escapeInvisible(character, 'nothing') === character) visible += character;
    else {
      if (visible !== '') pieces.push(visible);
      pieces.push(character);
      visible = '';
    }
  }
  return visible === '' ? pieces : [...pieces, visible];
}

/** More than three empty lines in a row hide what follows them below the screen's edge. */
function foldEmptyLines(lines: readonly Line[]): readonly Line[] {
  const result: Line[] = [];
  for (let at = 0; at < lines.length;) {
    let end = at;
    while (end < lines.length && lines[end]?.every((each) => each.text.trim() === '')) end += 1;
    if (end - at > 3) {
      result.push([span(`⏎×${end - at}`, 'escape')]);
      at = end;
    } else {
      result.push(lines[at] ?? []);
      at += 1;
    }
  }
  return result;
}

/** Texts hidden in base64 inside a command, readable ones only: `echo cm0gLXJm… | base64 -d | sh`. */
export function decodedForms(text: string): readonly string[] {
  const found = new Set<string>();
  for (const [token] of text.matchAll(/[A-Za-z0-9+/_-]{12,}={0,2}/g)) {
    const decoded = Buffer.from(token, 'base64').toString('utf8');
    // eslint-disable-next-line no-control-regex
    if (decoded.length >= 6 && !/[^\u0009\u000a\u000d\u0020-\u007e]/.test(decoded) && /[ /.\n]/.test(decoded))
      found.add(decoded);
  }
  return [...found].slice(0, 5);
}
