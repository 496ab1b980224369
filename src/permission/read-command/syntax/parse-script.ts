/** Parses lists and pipelines: what `;`, `&`, `&&`, `||`, `|` and newlines join. */
import type { CommandNode, ListNode, ListOperator } from './command-tree.ts';
import { createNotes, enter, isAtEnd, leave, matchAt, skipBlanks, type Cursor, type Notes } from './cursor.ts';
import { parseCompound, type ListEnd } from './parse-compound.ts';
import { parseSimple } from './parse-simple.ts';
import { peekReserved, skipNewlines, takeReserved } from './reserved-words.ts';
import { UnreadableText } from './unreadable.ts';

const textEnd: ListEnd = { words: [], isParenthesis: false, isCase: false };
const parenthesisEnd: ListEnd = { words: [], isParenthesis: true, isCase: false };

export type ParsedText = { readonly list: ListNode; readonly notes: Notes; readonly failure: string | undefined };

/**
 * Parses a whole text. Never throws: what was complete before the reader lost its way is kept, since a
 * shell may have run it by then, and `failure` says why it stopped.
 */
export function parseText(text: string, label: string | undefined, depth: number): ParsedText {
  const notes = createNotes();
  const cursor: Cursor = { text, position: 0, depth, label, notes, pending: [], outerPending: 0, parseScript };
  const items: Item[] = [];
  let failure: string | undefined;
  try {
    if (text.includes('\0')) throw new UnreadableText('a NUL byte');
    parseItems(cursor, textEnd, items);
    if (!isAtEnd(cursor)) throw new UnreadableText('an operator without a command');
    if (cursor.pending.length > 0) throw new UnreadableText('a here-document has no body');
  } catch (error) {
    if (!(error instanceof UnreadableText)) throw error;
    failure = error.message;
  }
  return { list: { kind: 'list', items, isFed: false }, notes, failure };
}

type Item = { node: CommandNode; operator: ListOperator };

/** The inside of a substitution, from here to its `)` (stepped over) or to the end of the cursor's text. */
function parseScript(cursor: Cursor, closer: ')' | ''): ListNode {
  enter(cursor);
  const items: Item[] = [];
  parseItems(cursor, closer === ')' ? parenthesisEnd : textEnd, items);
  if (closer === ')') expectParenthesis(cursor);
  else if (!isAtEnd(cursor) || cursor.pending.length > 0) throw new UnreadableText('an unfinished substitution');
  leave(cursor);
  return { kind: 'list', items, isFed: false };
}

export function expectParenthesis(cursor: Cursor): void {
  if (cursor.text[cursor.position] !== ')') throw new UnreadableText('a parenthesis is not closed');
  cursor.position += 1;
}

/** A list inside a compound command; an empty one is a syntax error there. */
export function parseBody(cursor: Cursor, end: ListEnd): ListNode {
  const items: Item[] = [];
  parseItems(cursor, end, items);
  if (items.length === 0 && !end.isCase) throw new UnreadableText('an empty list');
  return { kind: 'list', items, isFed: false };
}

function parseItems(cursor: Cursor, end: ListEnd, items: Item[]): void {
  for (;;) {
    skipNewlines(cursor);
    if (isListEnd(cursor, end)) return;
    const item: Item = { node: parsePipeline(cursor), operator: ';' };
    items.push(item);
    skipBlanks(cursor);
    const operator = readOperator(cursor);
    if (operator === undefined) {
      if (cursor.text[cursor.position] === '\n') continue;
      if (isListEnd(cursor, end)) return;
      throw new UnreadableText('two commands without an operator between them');
    }
    item.operator = operator;
    if (operator === '&&' || operator === '||') {
      skipNewlines(cursor);
      if (isListEnd(cursor, end)) throw new UnreadableText(`nothing follows ${operator}`);
    }
  }
}

function isListEnd(cursor: Cursor, end: ListEnd): boolean {
  const character = cursor.text[cursor.position];
  if (character === undefined) return true;
  if (character === ')') return end.isParenthesis;
  if (character === ';') return end.isCase && /[;&]/.test(cursor.text[cursor.position + 1] ?? '');
  if (end.words.length === 0) return false;
  const word = peekReserved(cursor);
  return word !== undefined && end.words.includes(word);
}

function readOperator(cursor: Cursor): ListOperator | undefined {
  const { text, position } = cursor;
  const next = text[position + 1];
  let operator: ListOperator | undefined;
  if (text[position] === ';' && next !== ';' && next !== '&') operator = ';';
  else if (text[position] === '&') operator = next === '&' ? '&&' : '&';
  else if (text[position] === '|' && next === '|') operator = '||';
  cursor.position += operator?.length ?? 0;
  return operator;
}

function parsePipeline(cursor: Cursor): CommandNode {
  const nodes: CommandNode[] = [];
  const isNegated = skipPrefixes(cursor);
  for (;;) {
    nodes.push(parseCommand(cursor));
    skipBlanks(cursor);
    if (cursor.text[cursor.position] !== '|' || cursor.text[cursor.position + 1] === '|') break;
    cursor.position += 1;
    if (cursor.text[cursor.position] === '&') {
      cursor.notes.usesBashOnly = true;
      cursor.position += 1;
    }
    // Behind a pipe `!` is an error, and `time` is the program of that name (seen in bash 5.2).
    skipNewlines(cursor);
  }
  const [only] = nodes;
  return only !== undefined && nodes.length === 1 && !isNegated ? only : { kind: 'pipeline', isNegated, nodes };
}

/** `!` and `time`, any number of them; true when the result is turned round. */
function skipPrefixes(cursor: Cursor): boolean {
  let isNegated = false;
  for (;;) {
    skipBlanks(cursor);
    if (takeReserved(cursor, '!')) {
      // With extglob on, `!(` begins a pattern; with it off, a subshell.
      if (cursor.text[cursor.position] === '(') throw new UnreadableText('!( may be a pattern or a command');
      isNegated = !isNegated;
    } else if (takeReserved(cursor, 'time')) {
      skipBlanks(cursor);
      const option = /(?:-p(?=[ \t\n])|--(?=[ \t\n]))/y;
      cursor.position += matchAt(option, cursor.text, cursor.position)?.[0].length ?? 0;
    } else return isNegated;
  }
}

/** One command, simple or compound. */
export function parseCommand(cursor: Cursor): CommandNode {
  return parseCompound(cursor, { parseBody, parseCommand }) ?? parseSimple(cursor, parseCommand);
}
