/** Parses simple commands, assignments, and function definitions of the form `name () …`. */
import type { Assignment, CommandNode, RedirectionNode, SimpleNode, Word } from './command-tree.ts';
import { matchAt, quoteFrom, skipBlanks, type Cursor } from './cursor.ts';
import { noteCommand } from './note-command.ts';
import { readRedirection, readRedirections } from './read-redirection.ts';
import { readWord } from './read-word.ts';
import { isReserved, peekReserved, skipNewlines } from './reserved-words.ts';
import { UnreadableText } from './unreadable.ts';

const assignmentStart = /([A-Za-z_][A-Za-z0-9_]*)(\[[A-Za-z0-9_]*\])?(\+?=)/y;

type Draft = { assignments: Assignment[]; words: Word[]; redirections: RedirectionNode[]; end: number };

/** A simple command; `parseCommand` reads the body when it turns out to be a function. */
export function parseSimple(cursor: Cursor, parseCommand: (cursor: Cursor) => CommandNode): CommandNode {
  const start = cursor.position;
  const stray = peekReserved(cursor);
  if (stray !== undefined && stray !== 'in' && stray !== 'time')
    throw new UnreadableText(`\`${stray}\` is out of place`);
  const draft: Draft = { assignments: [], words: [], redirections: [], end: start };
  for (;;) {
    skipBlanks(cursor);
    if (cursor.text[cursor.position] === '(') {
      const [name] = draft.words;
      const isAlone = draft.words.length === 1 && draft.assignments.length + draft.redirections.length === 0;
      if (name !== undefined && isAlone) return parseFunction(cursor, name, start, parseCommand);
      throw new UnreadableText('a parenthesis inside a command');
    }
    if (!readPart(cursor, draft)) break;
    draft.end = cursor.position;
  }
  const { assignments, words, redirections } = draft;
  if (assignments.length + words.length + redirections.length === 0) throw new UnreadableText('a command is missing');
  const text = quoteFrom(cursor, start, draft.end);
  const node: SimpleNode = { kind: 'simple', text, assignments, words, redirections };
  noteCommand(cursor.notes, node);
  return node;
}

/** One redirection, assignment or word; false where the command ends. */
function readPart(cursor: Cursor, draft: Draft): boolean {
  const redirection = readRedirection(cursor);
  if (redirection !== undefined) {
    draft.redirections.push(redirection);
    return true;
  }
  if (draft.words.length === 0) {
    const assignment = readAssignment(cursor);
    if (assignment !== undefined) {
      draft.assignments.push(assignment);
      return true;
    }
  }
  const start = cursor.position;
  const word = readWord(cursor);
  if (word.parts.length === 0) return false;
  if (draft.words.length === 0) {
    if (isSubscriptAssignment(word)) {
      draft.assignments.push({ name: nameOf(word), value: undefined, scripts: word.scripts });
      return true;
    }
    if (word.isBare && word.literal !== 'time' && isReserved(word.literal ?? ''))
      throw new UnreadableText('a reserved word over joined lines');
  }
  // `declare -a list=(…)`: an array where an argument stands.
  if (cursor.text[cursor.position] === '(' && /^[A-Za-z_]\w*\+?=$/.test(cursor.text.slice(start, cursor.position))) {
    draft.words.push({
      ...word,
      literal: undefined,
      isExact: false,
      scripts: readArray(cursor),
      parts: opaquePart(word),
    });
  } else draft.words.push(word);
  return true;
}

function opaquePart(word: Word): Word['parts'] {
  return [...word.parts, { kind: 'opaque', isQuoted: false }];
}

function readAssignment(cursor: Cursor): Assignment | undefined {
  const match = matchAt(assignmentStart, cursor.text, cursor.position);
  if (match?.[1] === undefined) return undefined;
  cursor.position += match[0].length;
  if (cursor.text[cursor.position] === '(') return { name: match[1], value: undefined, scripts: readArray(cursor) };
  const value = readWord(cursor);
  const isPlain = match[2] === undefined && match[3] === '=';
  return { name: match[1], value: isPlain ? value : undefined, scripts: value.scripts };
}

/** From `(` to behind `)`. */
function readArray(cursor: Cursor): Word['scripts'] {
  cursor.notes.usesBashOnly = true;
  cursor.position += 1;
  const scripts: Word['scripts'][number][] = [];
  for (;;) {
    skipNewlines(cursor);
    if (cursor.text[cursor.position] === ')') break;
    const word = readWord(cursor);
    if (word.parts.length === 0) throw new UnreadableText('an array is not closed');
    for (const script of word.scripts) scripts.push(script);
  }
  cursor.position += 1;
  // Bash takes what is glued to it into the assignment.
  if (!/[\s;&|<>()]/.test(cursor.text[cursor.position] ?? ' ')) throw new UnreadableText('an array with a tail');
  return scripts;
}

/** `name[…]=…` whose subscript holds quotes or expansions: the first bare `]` must be followed by `=`. */
function isSubscriptAssignment(word: Word): boolean {
  const [first] = word.parts;
  if (first?.kind !== 'text' || first.isQuoted || !/^[A-Za-z_]\w*\[[^\]]*$/.test(first.text)) return false;
  for (const part of word.parts.slice(1)) {
    if (part.kind !== 'text' || part.isQuoted || !part.text.includes(']')) continue;
    return /^[^\]]*\]\+?=/.test(part.text);
  }
  return false;
}

function nameOf(word: Word): string {
  const [first] = word.parts;
  return first?.kind === 'text' ? (/^\w+/.exec(first.text)?.[0] ?? '') : '';
}

function parseFunction(
  cursor: Cursor,
  name: Word,
  start: number,
  parseCommand: (cursor: Cursor) => CommandNode,
): CommandNode {
  cursor.position += 1;
  skipBlanks(cursor);
  if (cursor.text[cursor.position] !== ')') throw new UnreadableText('a parenthesis inside a command');
  cursor.position += 1;
  return parseFunctionBody(cursor, name, start, parseCommand);
}

/** What follows `name ()` or `function name`: a compound command and perhaps redirections. */
export function parseFunctionBody(
  cursor: Cursor,
  name: Word,
  start: number,
  parseCommand: (cursor: Cursor) => CommandNode,
): CommandNode {
  if (name.literal === undefined || name.literal === '') throw new UnreadableText('a function without a plain name');
  skipNewlines(cursor);
  if (cursor.text[cursor.position] !== '(' && peekReserved(cursor) === undefined) {
    throw new UnreadableText('a function without a body');
  }
  cursor.notes.functions.add(name.literal);
  const body = parseCommand(cursor);
  const redirections = readRedirections(cursor);
  return {
    kind: 'compound',
    form: 'function',
    text: quoteFrom(cursor, start, cursor.position),
    words: [],
    bodies: [{ kind: 'list', items: [{ node: body, operator: ';' }], isFed: false }],
    redirections,
    mayMove: true,
  };
}
