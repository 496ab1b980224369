/**
 * Takes calls of the form `[TOOL: name {json}]` out of a text that streams in. A marker counts only at the beginning of a
 * line, outside of code, quotations and a model's thinking aloud: what a model quotes must not run.
 */
import { createObjectScanner } from '../../base/parse-tool-marker.ts';
import type { ObjectScanner } from '../../base/parse-tool-marker.ts';

export type MarkerPiece =
  | { readonly type: 'text'; readonly text: string }
  /** `input`: the arguments as written, broken or not. */
  | { readonly type: 'call'; readonly tool: string; readonly input: string };

export type MarkerReader = {
  /** A marker that has only begun is held back: it is given out as text only when it turns out to be none. */
  feed(text: string): readonly MarkerPiece[];
  /** `isCut`: the answer was cut off, so that a marker without its end is no call. */
  end(isCut: boolean): readonly MarkerPiece[];
};

/** The beginning of a line that is that of a marker, and one that could still become it. A fourth space would make it code. */
const opening = /^ {0,3}\[TOOL:[ \t]{0,20}([\w.-]{1,128})\s{0,20}(?=[{\]])/;
const partOfOpening = /^ {0,3}(?:\[(?:T(?:O(?:O(?:L(?::[ \t]{0,20}(?:[\w.-]{1,128}\s{0,20})?)?)?)?)?)?)?$/;
/** Behind the arguments: space, and one brace too many, which models like to write. */
const closing = /^\s{0,20}(\}?)\s{0,20}\]/;
const partOfClosing = /^\s{0,20}\}?\s{0,20}$/;
/** https://spec.commonmark.org/0.31.2/#fenced-code-blocks, also one in a list or a quotation. */
const fence = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)]|>)[ \t]*)*(`{3,}(?=[^`]*$)|~{3,})/;
/** Thinking aloud, code in HTML, and what was read, in the form that it came in. */
const quotingTag = /^\s*<(think|thinking|pre|code|blockquote|result|untrusted)\b/i;

type Marker = {
  readonly tool: string;
  readonly opening: string;
  readonly scanner: ObjectScanner;
  /** The arguments so far. */
  readonly chunks: string[];
};

/** `head`: the line may become a marker. `line`: it cannot. `arguments`, `closing`: within a marker, before its bracket. */
type Place = 'head' | 'line' | 'arguments' | 'closing';

type Reading = {
  pieces: MarkerPiece[];
  pending: string;
  place: Place;
  /** The line so far. */
  line: string;
  /** What a line looks like that ends the code or the thinking that the text is in. */
  blockEnd: RegExp | undefined;
  marker: Marker | undefined;
  isBehindCall: boolean;
};

export function createMarkerReader(): MarkerReader {
  const reading: Reading = {
    pieces: [],
    pending: '',
    place: 'head',
    line: '',
    blockEnd: undefined,
    marker: undefined,
    isBehindCall: false,
  };
  return {
    feed(text) {
      reading.pending += text;
      return read(reading);
    },
    end(isCut) {
      const pieces = read(reading);
      const { marker, pending } = reading;
      reading.pending = '';
      if (marker === undefined) say(reading, pending);
      else if (isCut) giveUp(reading, marker, pending);
      // Everything to the end: within arguments that never close, nothing can be told apart from what they quote.
      else call(reading, marker, marker.chunks.join('') + pending.trim());
      return [...pieces, ...take(reading)];
    },
  };
}

const steps: Readonly<Record<Place, (reading: Reading) => boolean>> = {
  head: readHead,
  line: readLine,
  arguments: readArguments,
  closing: readClosing,
};

function read(reading: Reading): MarkerPiece[] {
  while (reading.pending !== '' && steps[reading.place](reading));
  return take(reading);
}

/** Each step gives false when it has to wait for more text. */
function readHead(reading: Reading): boolean {
  if (reading.isBehindCall) {
    const [space = ''] = /^[ \t\r]*\n?/.exec(reading.pending) ?? [];
    reading.pending = reading.pending.slice(space.length);
    reading.isBehindCall = reading.pending === '' && !space.endsWith('\n');
    return true;
  }
  const [head = '', tool] = opening.exec(reading.pending) ?? [];
  if (tool !== undefined) {
    reading.pending = reading.pending.slice(head.length);
    reading.marker = { tool, opening: head, scanner: createObjectScanner(), chunks: [] };
    reading.place = reading.pending.startsWith('{') ? 'arguments' : 'closing';
    return true;
  }
  if (partOfOpening.test(reading.pending)) return false;
  reading.place = 'line';
  return true;
}

function readLine(reading: Reading): boolean {
  const end = reading.pending.indexOf('\n') + 1;
  const text = end === 0 ? reading.pending : reading.pending.slice(0, end);
  say(reading, text);
  reading.line += text;
  reading.pending = reading.pending.slice(text.length);
  if (end === 0) return false;
  endLine(reading, reading.line.replace(/\r?\n$/, ''));
  return true;
}

function endLine(reading: Reading, line: string): void {
  if (reading.blockEnd === undefined) reading.blockEnd = findBlockEnd(line);
  else if (reading.blockEnd.test(line)) reading.blockEnd = undefined;
  reading.line = '';
  reading.place = reading.blockEnd === undefined ? 'head' : 'line';
}

function findBlockEnd(line: string): RegExp | undefined {
  const tag = quotingTag.exec(line)?.[1];
  if (tag !== undefined) {
    const tagEnd = new RegExp(`</${tag}>`, 'i');
    return tagEnd.test(line) ? undefined : tagEnd;
  }
  const run = fence.exec(line)?.[1];
  return run === undefined ? undefined : new RegExp(`^[ \\t>]*${run[0]}{${run.length},}[ \\t]*$`);
}

function readArguments(reading: Reading): boolean {
  const { marker, pending } = reading;
  const end = marker?.scanner.scan(pending);
  marker?.chunks.push(pending.slice(0, end));
  reading.pending = end === undefined ? '' : pending.slice(end);
  if (end !== undefined) reading.place = 'closing';
  return end !== undefined;
}

function readClosing(reading: Reading): boolean {
  const { marker, pending } = reading;
  if (marker === undefined) return false;
  const [end, extra = ''] = closing.exec(pending) ?? [];
  if (end === undefined && partOfClosing.test(pending)) return false;
  if (end !== undefined) {
    reading.pending = pending.slice(end.length);
    call(reading, marker, marker.chunks.join('') + extra);
  } else if (/^[ \t\r]*\n/.test(pending)) call(reading, marker, marker.chunks.join(''));
  else giveUp(reading, marker);
  return true;
}

function call(reading: Reading, { tool }: Marker, input: string): void {
  reading.pieces.push({ type: 'call', tool, input: input === '' ? '{}' : input });
  reading.marker = undefined;
  reading.place = 'head';
  reading.isBehindCall = true;
}

/** No marker after all: it is shown whole, for what it quotes must not run either. */
function giveUp(reading: Reading, { opening: head, chunks }: Marker, rest = ''): void {
  say(reading, head + chunks.join('') + rest);
  reading.marker = undefined;
  reading.place = 'line';
}

function say({ pieces }: Reading, text: string): void {
  const last = pieces.at(-1);
  if (text === '') return;
  if (last?.type === 'text') pieces[pieces.length - 1] = { type: 'text', text: last.text + text };
  else pieces.push({ type: 'text', text });
}

function take(reading: Reading): MarkerPiece[] {
  const { pieces } = reading;
  reading.pieces = [];
  return pieces;
}
