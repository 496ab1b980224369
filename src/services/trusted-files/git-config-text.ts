/**
 * Reads git's own configuration format exactly as git does (git-config(1), "Configuration file"; config.c of git), with the
 * place of every entry, so that single entries can be taken out while the rest stays byte for byte. The text is bytes as
 * latin1: one character is one byte, whatever the encoding of the file.
 */

export type ConfigEntry = {
  readonly section: string;
  /** Case counts here, and only here. */
  readonly subsection: string | undefined;
  readonly name: string;
  /** `section.subsection.name` as git prints it. */
  readonly key: string;
  /** Undefined for a name without `=`, which means true. */
  readonly value: string | undefined;
  /** The header it stands below, brackets included. */
  readonly header: string;
  /** What would have to go with it: its whole line or lines, or the part behind a header on the same line. */
  readonly start: number;
  readonly end: number;
};

type Cursor = { readonly text: string; at: number };

const isSpace = (char: string): boolean => char === ' ' || char === '\t' || char === '\n' || char === '\r';

/** Undefined when git itself would refuse the file. */
export function parseGitConfig(text: string): readonly ConfigEntry[] | undefined {
  const cursor: Cursor = { text, at: text.startsWith('\xEF\xBB\xBF') ? 3 : 0 };
  const entries: ConfigEntry[] = [];
  let header = { section: '', subsection: undefined as string | undefined, text: '' };
  let lineStart = cursor.at;
  while (cursor.at < text.length) {
    const start = cursor.at;
    const char = next(cursor);
    if (char === '\n') {
      lineStart = cursor.at;
    } else if (isSpace(char)) {
      continue;
    } else if (char === '#' || char === ';') {
      skipLine(cursor);
    } else if (char === '[') {
      const found = readHeader(cursor);
      if (found === undefined) return undefined;
      header = { ...found, text: text.slice(start, cursor.at) };
    } else {
      const found = /[A-Za-z]/.test(char) ? readEntry(cursor, char) : undefined;
      if (found === undefined) return undefined;
      const isAlone = text.slice(lineStart, start).trim() === '';
      entries.push({
        ...{ section: header.section, subsection: header.subsection, ...found, header: header.text },
        key: [header.section, ...(header.subsection === undefined ? [] : [header.subsection]), found.name].join('.'),
        start: isAlone ? lineStart : start,
        end: isAlone || text[cursor.at - 1] !== '\n' ? cursor.at : cursor.at - 1,
      });
      lineStart = cursor.at;
    }
  }
  return entries;
}

/** The end of the text reads as the end of a line, and so does CR LF. */
function next(cursor: Cursor): string {
  const { text } = cursor;
  if (cursor.at >= text.length) return '\n';
  if (text[cursor.at] === '\r' && text[cursor.at + 1] === '\n') cursor.at += 1;
  cursor.at += 1;
  return text[cursor.at - 1] ?? '\n';
}

function skipLine(cursor: Cursor): void {
  const end = cursor.text.indexOf('\n', cursor.at);
  cursor.at = end < 0 ? cursor.text.length : end;
}

function readHeader(cursor: Cursor): { section: string; subsection: string | undefined } | undefined {
  let section = '';
  for (;;) {
    if (cursor.at >= cursor.text.length) return undefined;
    const char = next(cursor);
    if (char === ']') return splitOldForm(section);
    if (isSpace(char)) {
      const subsection = readSubsection(cursor, char);
      return subsection === undefined ? undefined : { section, subsection };
    }
    if (!/[A-Za-z0-9.-]/.test(char)) return undefined;
    section += char.toLowerCase();
  }
}

/** `[branch.main]` is an old way to write `[branch "main"]`. */
function splitOldForm(section: string): { section: string; subsection: string | undefined } {
  const dot = section.indexOf('.');
  return dot < 0
    ? { section, subsection: undefined }
    : { section: section.slice(0, dot), subsection: section.slice(dot + 1) };
}

function readSubsection(cursor: Cursor, first: string): string | undefined {
  let char = first;
  while (isSpace(char)) {
    if (char === '\n') return undefined;
    char = next(cursor);
  }
  if (char !== '"') return undefined;
  let subsection = '';
  for (;;) {
    char = next(cursor);
    if (char === '"') break;
    if (char === '\\') char = next(cursor);
    if (char === '\n') return undefined;
    subsection += char;
  }
  return next(cursor) === ']' ? subsection : undefined;
}

function readEntry(cursor: Cursor, first: string): { name: string; value: string | undefined } | undefined {
  let name = first.toLowerCase();
  let char = next(cursor);
  for (; /[A-Za-z0-9-]/.test(char); char = next(cursor)) name += char.toLowerCase();
  while (char === ' ' || char === '\t') char = next(cursor);
  if (char === '\n') return { name, value: undefined };
  if (char !== '=') return undefined;
  const value = readValue(cursor);
  return value === undefined ? undefined : { name, value };
}

const escapes: Readonly<Record<string, string>> = { t: '\t', b: '\b', n: '\n', '\\': '\\', '"': '"' };

function readValue(cursor: Cursor): string | undefined {
  let value = '';
  let keptLength = 0;
  let isQuoted = false;
  for (;;) {
    const char = next(cursor);
    if (char === '\n') return isQuoted ? undefined : value.slice(0, keptLength);
    if (!isQuoted && isSpace(char)) {
      if (value !== '') value += char;
      continue;
    }
    if (!isQuoted && (char === '#' || char === ';')) {
      skipLine(cursor);
      next(cursor);
      return value.slice(0, keptLength);
    }
    if (char === '"') {
      isQuoted = !isQuoted;
      keptLength = value.length;
      continue;
    }
    if (char === '\\') {
      const escaped = next(cursor);
      if (escaped === '\n') continue;
      const meant = escapes[escaped];
      if (meant === undefined) return undefined;
      value += meant;
    } else {
      value += char;
    }
    keptLength = value.length;
  }
}
