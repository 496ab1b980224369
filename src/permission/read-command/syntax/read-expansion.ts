/** Reads what begins with `$` or a backquote, and arithmetic. Commands inside are parsed, values are not computed. */
import { decodeAnsiEscapes } from './ansi-escapes.ts';
import type { ListNode } from './command-tree.ts';
import { createInnerCursor, enter, leave, matchAt, quoteFrom, type Cursor } from './cursor.ts';
import { readDoubleQuotes, type WordBuilder } from './read-word.ts';
import { UnreadableText } from './unreadable.ts';

const name = /[A-Za-z_][A-Za-z0-9_]*/y;
const plainBraces = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/y;
// `${` then perhaps `!` or `#`, then a name, a position or a special parameter (bash manual, "Shell Parameter Expansion").
const bracesStart = /\$\{[!#]?(?:([A-Za-z_][A-Za-z0-9_]*)(:?=)?|[0-9]+|[@*#?$!-])?/y;
const bracesRun = /[^"$'<>@\\`}]+/y;
const arithmeticRun = /[^"$'()\\`]+/y;
const identifiers = /[A-Za-z_][A-Za-z0-9_]*/g;

/** At a `$`. */
export function readDollar(cursor: Cursor, builder: WordBuilder, isQuoted: boolean): void {
  const { text, position } = cursor;
  const next = text[position + 1];
  if (next === '(') return readParenthesis(cursor, builder, isQuoted);
  if (next === '{') return readBraces(cursor, builder, isQuoted);
  if (next === '[') throw new UnreadableText('the old spelling $[…] of arithmetic');
  // Bash joins the lines first, so this could be any expansion.
  if (next === '\\' && text[position + 2] === '\n') throw new UnreadableText('an expansion over a joined line');
  if (!isQuoted && (next === "'" || next === '"')) return readDollarString(cursor, builder, next);
  const found = matchAt(name, text, position + 1)?.[0];
  if (found !== undefined) {
    builder.parts.push({ kind: 'variable', name: found, isQuoted });
    cursor.position += 1 + found.length;
  } else if (next !== undefined && '?#$!'.includes(next)) {
    builder.parts.push({ kind: 'number', isQuoted });
    cursor.position += 2;
  } else if (next !== undefined && /[0-9@*-]/.test(next)) {
    builder.parts.push({ kind: 'opaque', isQuoted });
    cursor.position += 2;
  } else {
    builder.parts.push({ kind: 'text', text: '$', isQuoted });
    cursor.position += 1;
  }
}

function readDollarString(cursor: Cursor, builder: WordBuilder, quote: "'" | '"'): void {
  cursor.notes.usesBashOnly = true;
  if (quote === '"') {
    cursor.position += 1;
    readDoubleQuotes(cursor, builder);
    return;
  }
  const start = cursor.position + 2;
  const end = findUnescaped(cursor.text, start, "'");
  if (end < 0) throw new UnreadableText("a $' quote is not closed");
  builder.parts.push({ kind: 'text', text: decodeAnsiEscapes(cursor.text.slice(start, end)), isQuoted: true });
  cursor.position = end + 1;
}

function readParenthesis(cursor: Cursor, builder: WordBuilder, isQuoted: boolean): void {
  if (cursor.text[cursor.position + 2] === '(') {
    cursor.position += 3;
    readArithmetic(cursor, builder);
    builder.parts.push({ kind: 'number', isQuoted });
    return;
  }
  const script = readCommandSubstitution(cursor);
  builder.scripts.push(script);
  builder.parts.push({ kind: 'opaque', isQuoted, script });
}

/** At the character before the `(`; ends behind the `)`. */
export function readCommandSubstitution(cursor: Cursor): ListNode {
  const outer = cursor.pending;
  cursor.pending = [];
  cursor.outerPending += outer.length;
  cursor.position += 2;
  const script = cursor.parseScript(cursor, ')');
  if (cursor.pending.length > 0) throw new UnreadableText('a here-document does not end in its substitution');
  cursor.outerPending -= outer.length;
  cursor.pending = outer;
  return script;
}

/**
 * Behind `((`; ends behind `))`. Where the parentheses close apart, bash reads commands instead
 * (subst.c, "chk_arithsub"); that spelling is rare enough to ask about.
 */
export function readArithmetic(cursor: Cursor, builder: WordBuilder): void {
  enter(cursor);
  const { text } = cursor;
  for (let open = 0; ;) {
    const character = text[cursor.position];
    if (character === '(') open += 1;
    else if (character === ')') {
      if (open === 0) break;
      open -= 1;
    } else {
      readArithmeticPiece(cursor, builder, character);
      continue;
    }
    cursor.position += 1;
  }
  if (text[cursor.position + 1] !== ')') throw new UnreadableText('(( … ) … ) may be arithmetic or commands');
  cursor.position += 2;
  leave(cursor);
}

function readArithmeticPiece(cursor: Cursor, builder: WordBuilder, character: string | undefined): void {
  const sink: WordBuilder = { parts: [], scripts: builder.scripts };
  if (character === undefined) throw new UnreadableText('arithmetic is not closed');
  if (character === "'") throw new UnreadableText('a quote inside arithmetic');
  if (character === '$') readDollar(cursor, sink, true);
  else if (character === '`') readBackquotes(cursor, sink, true);
  else if (character === '"') readDoubleQuotes(cursor, sink);
  else if (character === '\\') cursor.position += 2;
  else {
    const run = matchAt(arithmeticRun, cursor.text, cursor.position)?.[0] ?? character;
    // Any name in arithmetic may be assigned there (`x = 1`, `x++`); which of them is not worth knowing.
    for (const [found] of run.matchAll(identifiers)) cursor.notes.touched.add(found);
    cursor.position += run.length;
  }
}

function readBraces(cursor: Cursor, builder: WordBuilder, isQuoted: boolean): void {
  const plain = matchAt(plainBraces, cursor.text, cursor.position);
  if (plain?.[1] !== undefined) {
    builder.parts.push({ kind: 'variable', name: plain[1], isQuoted });
    cursor.position += plain[0].length;
    return;
  }
  enter(cursor);
  const start = matchAt(bracesStart, cursor.text, cursor.position);
  // `${ command; }` and `${| command; }` are command substitutions since bash 5.3.
  if (start === null || start[0].length === 2) throw new UnreadableText('an unknown form of ${…}');
  if (start[1] !== undefined && start[2] !== undefined) cursor.notes.touched.add(start[1]);
  cursor.position += start[0].length;
  const sink: WordBuilder = { parts: [], scripts: builder.scripts };
  while (cursor.text[cursor.position] !== '}') readBracesPiece(cursor, sink, isQuoted);
  cursor.position += 1;
  builder.parts.push({ kind: 'opaque', isQuoted });
  leave(cursor);
}

function readBracesPiece(cursor: Cursor, sink: WordBuilder, isQuoted: boolean): void {
  const { text, position } = cursor;
  const character = text[position];
  const next = text[position + 1];
  if (character === undefined) throw new UnreadableText('${ is not closed');
  if (character === '$') readDollar(cursor, sink, isQuoted);
  else if (character === '`') readBackquotes(cursor, sink, isQuoted);
  else if (character === "'") skipQuoteInBraces(cursor, isQuoted);
  else if (character === '"') {
    if (isQuoted) cursor.notes.usesBashOnly = true;
    readDoubleQuotes(cursor, sink);
  } else if (character === '\\') cursor.position += 2;
  else if (character === '@' && next === 'P') throw new UnreadableText('${…@P} runs what the variable holds');
  else if ((character === '<' || character === '>') && next === '(')
    throw new UnreadableText('a process substitution inside ${…}');
  else {
    cursor.position += matchAt(bracesRun, text, position)?.[0].length ?? 1;
  }
}

/**
 * Whether a single quote quotes inside `"${…}"` depends on the operator and the shell. Where both
 * readings give the same end, we go on; elsewhere we do not guess.
 */
function skipQuoteInBraces(cursor: Cursor, isQuoted: boolean): void {
  const { text, position } = cursor;
  const end = text.indexOf("'", position + 1);
  if (end < 0) throw new UnreadableText('a single quote is not closed');
  if (isQuoted && /["$\\`}]/.test(text.slice(position + 1, end))) {
    throw new UnreadableText('a single quote inside "${…}"');
  }
  cursor.position = end + 1;
}

/** From backquote to backquote; the inside is unescaped once and read as a text of its own. */
export function readBackquotes(cursor: Cursor, builder: WordBuilder, isQuoted: boolean): void {
  const { text, position } = cursor;
  const end = findUnescaped(text, position + 1, '`');
  if (end < 0) throw new UnreadableText('a backquote is not closed');
  const raw = text.slice(position + 1, end);
  // POSIX XCU 2.2.3 leaves this undefined, and shells differ.
  if (isQuoted && raw.includes('"')) throw new UnreadableText('a double quote in backquotes in double quotes');
  const code = raw.replace(/\\([$\\`])/g, '$1');
  const inner = createInnerCursor(cursor, code, code === raw ? cursor.label : quoteFrom(cursor, position, end + 1));
  const script = cursor.parseScript(inner, '');
  builder.scripts.push(script);
  builder.parts.push({ kind: 'opaque', isQuoted, script });
  cursor.position = end + 1;
}

function findUnescaped(text: string, start: number, closer: string): number {
  let end = start;
  while (end < text.length && text[end] !== closer) end += text[end] === '\\' ? 2 : 1;
  return end < text.length ? end : -1;
}
