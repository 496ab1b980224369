/** Here-documents: the delimiter behind `<<`, and the body that follows the next newline. */
import type { RedirectionNode } from './command-tree.ts';
import { createInnerCursor, type Cursor, type PendingHereDocument } from './cursor.ts';
import { finishWord, readQuotedPiece, readWord, type WordBuilder } from './read-word.ts';
import { UnreadableText } from './unreadable.ts';

/** Reads the delimiter and remembers that a body is owed. */
export function readDelimiter(cursor: Cursor, stripsTabs: boolean, descriptor: string | undefined): RedirectionNode {
  const start = cursor.position;
  const word = readWord(cursor);
  const raw = cursor.text.slice(start, cursor.position);
  // The delimiter is not expanded, and shells differ on what `$` and backquotes in it mean.
  if (word.literal === undefined || word.parts.length === 0 || /[$`\n]/.test(raw)) {
    throw new UnreadableText('an unusual delimiter of a here-document');
  }
  const redirection: RedirectionNode = { kind: 'here-document', descriptor, target: word };
  cursor.pending.push({ delimiter: word.literal, isQuoted: !word.isBare, stripsTabs, redirection });
  return redirection;
}

/** At a newline that ends a command: steps over it and over the bodies that it owes. */
export function readNewline(cursor: Cursor): void {
  cursor.position += 1;
  if (cursor.outerPending > 0) throw new UnreadableText('a newline between a here-document and its body');
  if (cursor.pending.length === 0) return;
  const owed = cursor.pending;
  cursor.pending = [];
  for (const document of owed) readBody(cursor, document);
}

function readBody(cursor: Cursor, document: PendingHereDocument): void {
  const start = cursor.position;
  for (;;) {
    if (cursor.position >= cursor.text.length) throw new UnreadableText('a here-document is not closed');
    const lineStart = cursor.position;
    const line = readLogicalLine(cursor, !document.isQuoted);
    if ((document.stripsTabs ? line.replace(/^\t+/, '') : line) === document.delimiter) {
      fillBody(cursor, document, cursor.text.slice(start, lineStart));
      return;
    }
  }
}

/** One line; where the delimiter is not quoted, a backslash before the newline joins the next line to it. */
function readLogicalLine(cursor: Cursor, joins: boolean): string {
  const { text } = cursor;
  let line = '';
  for (;;) {
    const newline = text.indexOf('\n', cursor.position);
    const end = newline < 0 ? text.length : newline;
    const physical = text.slice(cursor.position, end);
    cursor.position = Math.min(end + 1, text.length);
    if (!joins || !endsInOddBackslashes(physical) || newline < 0) return line + physical;
    line += physical.slice(0, -1);
  }
}

function endsInOddBackslashes(line: string): boolean {
  let count = 0;
  while (line[line.length - 1 - count] === '\\') count += 1;
  return count % 2 === 1;
}

function fillBody(cursor: Cursor, document: PendingHereDocument, raw: string): void {
  const body = document.stripsTabs ? raw.replace(/^\t+/gm, '') : raw;
  const builder: WordBuilder = { parts: [], scripts: [] };
  if (document.isQuoted) builder.parts.push({ kind: 'text', text: body, isQuoted: true });
  else {
    // The tabs stay for findings to be slices of the source; they change no command.
    const inner = createInnerCursor(cursor, raw, cursor.label);
    const shown: WordBuilder = document.stripsTabs ? { parts: [], scripts: builder.scripts } : builder;
    while (readQuotedPiece(inner, shown, '')) continue;
    if (inner.position < raw.length) throw new UnreadableText('a here-document ends in a backslash');
    if (shown !== builder) builder.parts.push(literalOrOpaque(shown, body));
  }
  document.redirection.target = finishWord(builder);
}

function literalOrOpaque(read: WordBuilder, body: string): WordBuilder['parts'][number] {
  const isKnown = read.parts.every((part) => part.kind === 'text') && !body.includes('\\');
  return isKnown ? { kind: 'text', text: body, isQuoted: true } : { kind: 'opaque', isQuoted: true };
}
