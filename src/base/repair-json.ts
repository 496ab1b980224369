/**
 * Mends an object that is nearly JSON, where it can be read in one way only. What was cut off, left out or could mean two
 * things is never mended: half a file must not be written.
 */
import { isDeepStrictEqual } from 'node:util';

export type RepairedJson = {
  /** Valid JSON of an object. */
  readonly text: string;
  /** What was done, in words; empty when nothing had to be. */
  readonly repairs: readonly string[];
};

/** Where the text stops being readable, counted in the text without the space and the code fence around it. */
export type JsonProblem = {
  readonly at: number;
  readonly what: string;
  /** What was read, so that `at` means a place in it. */
  readonly text: string;
};

type Edit = { readonly start: number; readonly end: number; readonly text: string };
type Reading = {
  readonly text: string;
  at: number;
  depth: number;
  readonly edits: Edit[];
  readonly repairs: Set<string>;
  problem: Omit<JsonProblem, 'text'> | undefined;
};

const maxDepth = 200;
/** Text within text: a model that encodes twice may do it once more. */
const maxLayers = 3;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])/y;
const word = /(?:true|false|null|True|False|None)(?!\w)/y;
const pythonWords: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' };
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
/** Strings in other quotes: without any quote, backslash or line break within there is no doubt where they end. */
const otherQuotes =
  /'([^'"\u2018\u2019\u201c\u201d\\\p{Cc}]*)'|\u2018([^'"\u2018\u2019\u201c\u201d\\\p{Cc}]*)\u2019|\u201c([^"\u201c\u201d\\\p{Cc}]*)\u201d/uy;

/** Undefined: no object, or more than one reading, or none. */
export function repairJson(text: string, layers = maxLayers): RepairedJson | undefined {
  const reading = beginReading(text);
  if (!readValue(reading)) return undefined;
  const end = reading.at;
  const whole = applyEdits(reading, end);
  if (!readRest(reading, end, whole)) return undefined;
  if (reading.text.startsWith('{')) return { text: whole, repairs: [...reading.repairs] };
  return reading.text.startsWith('"') && layers > 1 ? readInner(whole, reading.repairs, layers) : undefined;
}

/** What keeps a text from being an object in JSON; undefined when nothing does. */
export function findJsonProblem(text: string): JsonProblem | undefined {
  const reading = beginReading(text);
  if (readValue(reading) && reading.text.slice(reading.at).trim() === '') return undefined;
  const { at, what } = reading.problem ?? { at: reading.at, what: 'something follows that does not belong to it' };
  return { at, what, text: reading.text };
}

function beginReading(text: string): Reading {
  const trimmed = text.trim();
  const isFenced = trimmed.length > 6 && trimmed.startsWith('```') && trimmed.endsWith('```');
  const bare = isFenced ? trimmed.slice(3, -3).replace(/^[a-zA-Z]+/, '').trim() : trimmed; // prettier-ignore
  const reading: Reading = { text: bare, at: 0, depth: 0, edits: [], repairs: new Set(), problem: undefined };
  if (isFenced) reading.repairs.add('a code fence around them was left out');
  return reading;
}

/** A string that holds the object as text. */
function readInner(whole: string, repairs: ReadonlySet<string>, layers: number): RepairedJson | undefined {
  const inner = repairJson(JSON.parse(whole) as string, layers - 1);
  return inner && { text: inner.text, repairs: [...repairs, 'they were encoded twice', ...inner.repairs] };
}

/** What stands behind the value: nothing, one character too many, or the same once more. */
function readRest({ text, repairs }: Reading, end: number, whole: string): boolean {
  const rest = text.slice(end).trim();
  if (rest === '') return true;
  if (/^[}\]),;"`]$/.test(rest)) {
    repairs.add(`a ${rest} too many at the end was left out`);
    return true;
  }
  const again = beginReading(rest);
  if (!rest.startsWith('{') || !readValue(again) || again.at < rest.length) return false;
  if (!isDeepStrictEqual(JSON.parse(applyEdits(again, again.at)), JSON.parse(whole))) return false;
  repairs.add('the same object was written twice');
  return true;
}

function readValue(reading: Reading): boolean {
  const character = reading.text.charAt(reading.at);
  if (character === '{' || character === '[') {
    if (reading.depth === maxDepth) return fail(reading, 'brackets are nested too deep');
    reading.depth += 1;
    const isRead = readEntries(reading, character === '{');
    reading.depth -= 1;
    return isRead;
  }
  return character === '"' ? readString(reading) : readOtherQuotes(reading) || readPlain(reading);
}

function readEntries(reading: Reading, isObject: boolean): boolean {
  const end = isObject ? '}' : ']';
  reading.at += 1;
  skipSpace(reading);
  if (take(reading, end)) return true;
  for (;;) {
    if (isObject && !readName(reading)) return false;
    if (!readValue(reading)) return false;
    skipSpace(reading);
    if (take(reading, end)) return true;
    const comma = reading.at;
    if (!take(reading, ',')) return fail(reading, `a comma or ${end} is missing`);
    skipSpace(reading);
    if (take(reading, end)) {
      edit(reading, comma, comma + 1, '', 'a comma behind the last entry was left out');
      return true;
    }
  }
}

function readName(reading: Reading): boolean {
  if (reading.text.charAt(reading.at) === '"') {
    if (!readString(reading)) return false;
  } else if (!readOtherQuotes(reading)) return fail(reading, 'a name in double quotes is missing');
  skipSpace(reading);
  if (!take(reading, ':')) return fail(reading, 'a colon is missing');
  skipSpace(reading);
  return true;
}

/** With escapes as JSON has them; line breaks and tabs may stand in it as they are. */
function readString(reading: Reading): boolean {
  const { text } = reading;
  for (let at = reading.at + 1; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') {
      reading.at = at + 1;
      return true;
    }
    if (character === '\\') {
      escape.lastIndex = at;
      if (!escape.test(text)) return fail(reading, 'JSON has no such escape', at);
      at = escape.lastIndex - 1;
    } else if (character < ' ') {
      edit(reading, at, at + 1, JSON.stringify(character).slice(1, -1), 'line breaks or tabs within text were escaped');
    }
  }
  return fail(reading, 'a text has no closing quote', text.length);
}

function readOtherQuotes(reading: Reading): boolean {
  otherQuotes.lastIndex = reading.at;
  const match = otherQuotes.exec(reading.text);
  if (match === null) return false;
  const content = match[1] ?? match[2] ?? match[3] ?? '';
  edit(reading, reading.at, otherQuotes.lastIndex, JSON.stringify(content), 'quotes were replaced by "');
  reading.at = otherQuotes.lastIndex;
  return true;
}

function readPlain(reading: Reading): boolean {
  for (const shape of [number, word]) {
    shape.lastIndex = reading.at;
    const [found] = shape.exec(reading.text) ?? [];
    if (found === undefined) continue;
    const replaced = pythonWords[found];
    if (replaced !== undefined)
      edit(reading, reading.at, shape.lastIndex, replaced, `${found} was read as ${replaced}`);
    reading.at = shape.lastIndex;
    return true;
  }
  return fail(reading, 'a value is missing or cannot be read');
}

/** The first problem is the one: what is outside of it only follows from it. */
function fail(reading: Reading, what: string, at = reading.at): false {
  reading.problem ??= { at, what };
  return false;
}

function take(reading: Reading, character: string): boolean {
  if (reading.text.charAt(reading.at) !== character) return false;
  reading.at += 1;
  return true;
}

function skipSpace(reading: Reading): void {
  while (/[ \t\n\r]/.test(reading.text.charAt(reading.at))) reading.at += 1;
}

function edit({ edits, repairs }: Reading, start: number, end: number, text: string, repair: string): void {
  edits.push({ start, end, text });
  repairs.add(repair);
}

function applyEdits({ text, edits }: Reading, end: number): string {
  const pieces: string[] = [];
  let at = 0;
  for (const each of edits) {
    pieces.push(text.slice(at, each.start), each.text);
    at = each.end;
  }
  return [...pieces, text.slice(at, end)].join('');
}
