/**
 * JSON as models write it: comments, trailing commas, single quotes, bare keys, typographic quotes, several values in a row
 * (NDJSON), and an end that is missing. Gives every value that could be read. Pure; never throws.
 */

const maxDepth = 64;

export function readLenientJson(text: string): readonly unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    // Read piece by piece below.
  }
  const reader = createReader(text);
  const values: unknown[] = [];
  for (;;) {
    reader.skip(',;');
    if (reader.isAtEnd()) return values;
    const before = reader.at();
    const value = readValue(reader, 0);
    if (value !== nothing) values.push(value);
    // Something that begins no value: behind it there may be one.
    else if (reader.at() === before) reader.next();
  }
}

const nothing = Symbol('nothing');

type Reader = ReturnType<typeof createReader>;

function createReader(text: string) {
  let at = 0;
  return {
    at: () => at,
    isAtEnd: () => at >= text.length,
    peek: () => text[at] ?? '',
    next: () => text[at++] ?? '',
    /** White space, comments and the given characters. */
    skip(also = ''): void {
      for (;;) {
        const character = text[at];
        if (character === undefined) return;
        if (/\s|\ufeff/.test(character) || also.includes(character)) at += 1;
        else if (text.startsWith('//', at)) at = endOf(text.indexOf('\n', at), text);
        else if (text.startsWith('/*', at)) at = endOf(text.indexOf('*/', at), text, 2);
        else return;
      }
    },
    /** What fits here, read past; undefined where it does not. */
    take(pattern: RegExp): string | undefined {
      pattern.lastIndex = at;
      const found = pattern.exec(text)?.[0];
      at += found?.length ?? 0;
      return found;
    },
  };
}

const endOf = (found: number, text: string, length = 0): number => (found < 0 ? text.length : found + length);

function readValue(reader: Reader, depth: number): unknown {
  reader.skip();
  const first = reader.peek();
  if (depth > maxDepth || first === '') return nothing;
  if (first === '{') return readObject(reader, depth);
  if (first === '[') return readList(reader, depth);
  const close = closingQuote(first);
  if (close !== undefined) return readText(reader, close);
  const number = reader.take(/-?\d+(\.\d+)?([eE][+-]?\d+)?/y);
  if (number !== undefined) return Number(number);
  const word = reader.take(/[\p{L}_$][\p{L}\p{N}_$-]*/uy);
  if (word === undefined) return nothing;
  const known: Readonly<Record<string, unknown>> = { true: true, false: false, null: null, True: true, False: false };
  return word in known ? known[word] : word === 'None' || word === 'undefined' ? null : word;
}

function readObject(reader: Reader, depth: number): unknown {
  // Without a prototype: a key such as "constructor" is a key.
  const object = Object.create(null) as Record<string, unknown>;
  reader.next();
  for (;;) {
    reader.skip(',;');
    if (reader.isAtEnd()) return object;
    if (reader.peek() === '}') {
      reader.next();
      return object;
    }
    const close = closingQuote(reader.peek());
    const key = close === undefined ? reader.take(/[\p{L}_$][\p{L}\p{N}_$.-]*/uy) : readText(reader, close);
    reader.skip();
    if (key === undefined || !':='.includes(reader.peek()) || reader.isAtEnd()) {
      // A closing bracket of the wrong kind closes too.
      if (key === undefined && reader.next() === ']') return object;
      continue;
    }
    reader.next();
    const value = readValue(reader, depth + 1);
    if (value !== nothing) object[key] = value;
  }
}

function readList(reader: Reader, depth: number): unknown {
  const list: unknown[] = [];
  reader.next();
  for (;;) {
    reader.skip(',;');
    if (reader.isAtEnd()) return list;
    if (reader.peek() === ']') {
      reader.next();
      return list;
    }
    // The object around it ends: this list was not closed.
    if (reader.peek() === '}') return list;
    const before = reader.at();
    const value = readValue(reader, depth + 1);
    if (value !== nothing) list.push(value);
    else if (reader.at() === before) reader.next();
  }
}

const closingQuote = (open: string): string | undefined => ({ '"': '"', "'": "'", '“': '”', '‘': '’', '`': '`' })[open];

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '', b: '', f: '' };

function readText(reader: Reader, close: string): string {
  reader.next();
  let text = '';
  while (!reader.isAtEnd()) {
    const character = reader.next();
    if (character === close) return text;
    if (character !== '\\') {
      text += character;
      continue;
    }
    const escaped = reader.next();
    const code = escaped === 'u' ? reader.take(/[0-9a-fA-F]{4}/y) : undefined;
    text += code === undefined ? (escapes[escaped] ?? escaped) : String.fromCharCode(parseInt(code, 16));
  }
  return text;
}
