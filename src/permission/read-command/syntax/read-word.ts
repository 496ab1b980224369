/** Reads one word: quotes, escapes, and the expansions inside. */
import { hasHiddenCharacter } from './hidden-characters.ts';
import type { ListNode, Word, WordPart } from './command-tree.ts';
import { enter, leave, matchAt, type Cursor } from './cursor.ts';
import { readBackquotes, readCommandSubstitution, readDollar } from './read-expansion.ts';
import { UnreadableText } from './unreadable.ts';

/** Collects a word while it is read. */
export type WordBuilder = { readonly parts: WordPart[]; readonly scripts: ListNode[] };

// What needs no thought: printable ASCII that is neither a blank, a quote, an operator nor an expansion.
const plainRun = /[^\0-\x20"$&'();<>\\`|\x7f-\uffff]+/y;
const wideRun = /[\x80-\uffff]+/y;
const quotedRun = /[^"$\\`]+/y;
const special = /[*?[{~]/;

/** Reads to the next blank or operator. The word has no parts when none starts here. */
export function readWord(cursor: Cursor): Word {
  const builder: WordBuilder = { parts: [], scripts: [] };
  while (readPiece(cursor, builder)) continue;
  return finishWord(builder);
}

/** One piece of an unquoted word; false at its end. */
function readPiece(cursor: Cursor, builder: WordBuilder): boolean {
  const { text, position } = cursor;
  switch (text[position]) {
    case undefined:
    case ' ':
    case '\t':
    case '\n':
    case ';':
    case '&':
    case '|':
    case '(':
    case ')':
      return false;
    case '<':
    case '>':
      if (text[position + 1] !== '(') return false;
      readProcessSubstitution(cursor, builder);
      return true;
    case "'":
      readSingleQuotes(cursor, builder);
      return true;
    case '"':
      readDoubleQuotes(cursor, builder);
      return true;
    case '$':
      readDollar(cursor, builder, false);
      return true;
    case '`':
      readBackquotes(cursor, builder, false);
      return true;
    case '\\':
      readEscape(cursor, builder);
      return true;
    default:
      readPlain(cursor, builder);
      return true;
  }
}

function readPlain(cursor: Cursor, builder: WordBuilder): void {
  let run = matchAt(plainRun, cursor.text, cursor.position)?.[0];
  if (run === undefined) {
    run = matchAt(wideRun, cursor.text, cursor.position)?.[0];
    if (run === undefined) throw new UnreadableText('a control character outside quotes');
    if (hasHiddenCharacter(run)) throw new UnreadableText('a hidden character outside quotes');
  }
  builder.parts.push({ kind: 'text', text: run, isQuoted: false });
  cursor.position += run.length;
}

function readEscape(cursor: Cursor, builder: WordBuilder): void {
  const next = cursor.text.codePointAt(cursor.position + 1);
  if (next === undefined) throw new UnreadableText('the text ends in a backslash');
  const character = String.fromCodePoint(next);
  cursor.position += 1 + character.length;
  if (character === '\n') return;
  if (hasHiddenCharacter(character)) throw new UnreadableText('a hidden character outside quotes');
  builder.parts.push({ kind: 'text', text: character, isQuoted: true });
}

function readSingleQuotes(cursor: Cursor, builder: WordBuilder): void {
  const end = cursor.text.indexOf("'", cursor.position + 1);
  if (end < 0) throw new UnreadableText('a single quote is not closed');
  builder.parts.push({ kind: 'text', text: cursor.text.slice(cursor.position + 1, end), isQuoted: true });
  cursor.position = end + 1;
}

/** From the opening quote to the closing one. */
export function readDoubleQuotes(cursor: Cursor, builder: WordBuilder): void {
  enter(cursor);
  cursor.position += 1;
  // Keeps an empty pair visible: `"" x` has an empty first word.
  builder.parts.push({ kind: 'text', text: '', isQuoted: true });
  while (cursor.text[cursor.position] !== '"') {
    if (!readQuotedPiece(cursor, builder, '"')) throw new UnreadableText('a double quote is not closed');
  }
  cursor.position += 1;
  leave(cursor);
}

/** One piece of text in which only `$`, backquote and backslash count; false at the end of the text. */
export function readQuotedPiece(cursor: Cursor, builder: WordBuilder, closer: '"' | ''): boolean {
  const { text, position } = cursor;
  const character = text[position];
  if (character === undefined) return false;
  if (character === '$') readDollar(cursor, builder, true);
  else if (character === '`') readBackquotes(cursor, builder, true);
  else if (character === '\\') {
    const next = text[position + 1];
    if (next === undefined) return false;
    // POSIX XCU 2.2.3: elsewhere the backslash stays.
    const isEscape = next === '$' || next === '`' || next === '\\' || (next === '"' && closer === '"');
    if (next !== '\n') builder.parts.push({ kind: 'text', text: isEscape ? next : `\\${next}`, isQuoted: true });
    cursor.position += 2;
  } else {
    const run = matchAt(quotedRun, text, position)?.[0] ?? character;
    builder.parts.push({ kind: 'text', text: run, isQuoted: true });
    cursor.position += run.length;
  }
  return true;
}

function readProcessSubstitution(cursor: Cursor, builder: WordBuilder): void {
  cursor.notes.usesBashOnly = true;
  const isFed = cursor.text[cursor.position] === '>';
  const script = readCommandSubstitution(cursor);
  builder.scripts.push(isFed ? { ...script, isFed } : script);
  builder.parts.push({ kind: 'process', isQuoted: true });
}

export function finishWord({ parts, scripts }: WordBuilder): Word {
  const first = parts[0];
  if (parts.length === 1 && first?.kind === 'text' && !first.isQuoted) {
    return { parts, scripts, literal: first.text, isBare: true, isExact: !special.test(first.text) };
  }
  let literal: string | undefined = '';
  let isBare = parts.length > 0;
  let isExact = true;
  for (const part of parts) {
    if (part.isQuoted) isBare = false;
    if (part.kind !== 'text') literal = undefined;
    else {
      if (literal !== undefined) literal += part.text;
      if (!part.isQuoted && special.test(part.text)) isExact = false;
    }
  }
  const isKnown = literal !== undefined;
  return { parts, scripts, literal, isBare: isBare && isKnown, isExact: isExact && isKnown };
}
