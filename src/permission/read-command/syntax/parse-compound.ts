/** Parses compound commands: groups, conditionals, loops, `case`, functions, `[[ ]]` and `(( ))`. */
import type { CommandNode, CompoundForm, CompoundNode, ListNode, Word } from './command-tree.ts';
import { enter, isAtEnd, leave, matchAt, quoteFrom, skipBlanks, type Cursor } from './cursor.ts';
import { parseFunctionBody } from './parse-simple.ts';
import { readArithmetic } from './read-expansion.ts';
import { readRedirections } from './read-redirection.ts';
import { finishWord, readWord, type WordBuilder } from './read-word.ts';
import { expectReserved, peekReserved, skipNewlines, takeReserved } from './reserved-words.ts';
import { UnreadableText } from './unreadable.ts';

/** Where a list ends: at a `)`, at `;;`, at one of some reserved words, or only at the end of the text. */
export type ListEnd = { readonly words: readonly string[]; readonly isParenthesis: boolean; readonly isCase: boolean };

/** The rest of the grammar, handed in because it calls back into this file. */
export type Grammar = {
  parseBody(cursor: Cursor, end: ListEnd): ListNode;
  parseCommand(cursor: Cursor): CommandNode;
};

type Draft = { form: CompoundForm; words: Word[]; bodies: ListNode[] };

/** The compound command at this place, or undefined when a simple one stands here. */
export function parseCompound(cursor: Cursor, grammar: Grammar): CommandNode | undefined {
  const isParenthesis = cursor.text[cursor.position] === '(';
  const word = isParenthesis ? '(' : peekReserved(cursor);
  if (word === undefined) return undefined;
  const start = cursor.position;
  const moves = cursor.notes.moves;
  enter(cursor);
  if (word === 'function') {
    const node = parseNamedFunction(cursor, grammar, start);
    leave(cursor);
    return node;
  }
  const draft = parseDraft(cursor, grammar, word);
  if (draft === undefined) {
    leave(cursor);
    return undefined;
  }
  const redirections = readRedirections(cursor);
  leave(cursor);
  const text = quoteFrom(cursor, start, cursor.position);
  const node: CompoundNode = { kind: 'compound', ...draft, text, redirections, mayMove: cursor.notes.moves > moves };
  return node;
}

function parseDraft(cursor: Cursor, grammar: Grammar, word: string): Draft | undefined {
  switch (word) {
    case '(':
      return parseParenthesis(cursor, grammar);
    case '{':
      cursor.position += 1;
      return { form: 'group', words: [], bodies: [parseUntil(cursor, grammar, '}')] };
    case 'if':
      return parseIf(cursor, grammar);
    case 'while':
    case 'until':
      cursor.position += 5;
      return {
        form: 'loop',
        words: [],
        bodies: [parseUntil(cursor, grammar, 'do'), parseUntil(cursor, grammar, 'done')],
      };
    case 'for':
    case 'select':
      return parseFor(cursor, grammar, word);
    case 'case':
      return parseCase(cursor, grammar);
    case '[[':
      return parseTest(cursor);
    case 'coproc':
      return parseCoprocess(cursor, grammar);
    default:
      return undefined;
  }
}

/** A list and the reserved word that closes it. */
function parseUntil(cursor: Cursor, grammar: Grammar, word: string): ListNode {
  const list = grammar.parseBody(cursor, { words: [word], isParenthesis: false, isCase: false });
  expectReserved(cursor, word);
  return list;
}

function parseParenthesis(cursor: Cursor, grammar: Grammar): Draft {
  if (cursor.text[cursor.position + 1] === '(') {
    cursor.notes.usesBashOnly = true;
    cursor.position += 2;
    return parseArithmetic(cursor);
  }
  cursor.position += 1;
  const list = grammar.parseBody(cursor, { words: [], isParenthesis: true, isCase: false });
  if (cursor.text[cursor.position] !== ')') throw new UnreadableText('a parenthesis is not closed');
  cursor.position += 1;
  return { form: 'subshell', words: [], bodies: [list] };
}

function parseArithmetic(cursor: Cursor): Draft {
  const builder: WordBuilder = { parts: [{ kind: 'number', isQuoted: true }], scripts: [] };
  readArithmetic(cursor, builder);
  return { form: 'test', words: [finishWord(builder)], bodies: [] };
}

function parseIf(cursor: Cursor, grammar: Grammar): Draft {
  cursor.position += 2;
  const bodies: ListNode[] = [];
  for (;;) {
    bodies.push(parseUntil(cursor, grammar, 'then'));
    bodies.push(grammar.parseBody(cursor, { words: ['elif', 'else', 'fi'], isParenthesis: false, isCase: false }));
    if (takeReserved(cursor, 'elif')) continue;
    if (takeReserved(cursor, 'else')) bodies.push(parseUntil(cursor, grammar, 'fi'));
    else expectReserved(cursor, 'fi');
    return { form: 'if', words: [], bodies };
  }
}

function parseFor(cursor: Cursor, grammar: Grammar, word: 'for' | 'select'): Draft {
  if (word === 'select') cursor.notes.usesBashOnly = true;
  cursor.position += word.length;
  skipBlanks(cursor);
  const words = cursor.text.startsWith('((', cursor.position) ? parseForArithmetic(cursor) : parseForList(cursor);
  skipNewlines(cursor);
  if (takeReserved(cursor, '{')) return { form: 'loop', words, bodies: [parseUntil(cursor, grammar, '}')] };
  expectReserved(cursor, 'do');
  return { form: 'loop', words, bodies: [parseUntil(cursor, grammar, 'done')] };
}

function parseForArithmetic(cursor: Cursor): Word[] {
  cursor.notes.usesBashOnly = true;
  cursor.position += 2;
  const { words } = parseArithmetic(cursor);
  skipBlanks(cursor);
  if (cursor.text[cursor.position] === ';') cursor.position += 1;
  return words;
}

function parseForList(cursor: Cursor): Word[] {
  const name = readWord(cursor);
  if (!name.isBare || !/^[A-Za-z_]\w*$/.test(name.literal ?? '')) throw new UnreadableText('a loop without a name');
  cursor.notes.touched.add(name.literal ?? '');
  skipNewlines(cursor);
  const words: Word[] = [];
  if (takeReserved(cursor, 'in')) {
    for (;;) {
      skipBlanks(cursor);
      const word = readWord(cursor);
      if (word.parts.length === 0) break;
      words.push(word);
    }
    const character = cursor.text[cursor.position];
    if (character !== ';' && character !== '\n') throw new UnreadableText("a loop's list does not end");
  }
  if (cursor.text[cursor.position] === ';') cursor.position += 1;
  return words;
}

function parseCase(cursor: Cursor, grammar: Grammar): Draft {
  cursor.position += 4;
  skipBlanks(cursor);
  const draft: Draft = { form: 'case', words: [readNeededWord(cursor)], bodies: [] };
  expectReserved(cursor, 'in');
  for (;;) {
    skipNewlines(cursor);
    if (takeReserved(cursor, 'esac')) return draft;
    parsePatterns(cursor, draft);
    draft.bodies.push(grammar.parseBody(cursor, { words: ['esac'], isParenthesis: false, isCase: true }));
    const end = /;;&|;;|;&/y;
    const symbol = matchAt(end, cursor.text, cursor.position)?.[0];
    if (symbol === undefined) {
      expectReserved(cursor, 'esac');
      return draft;
    }
    if (symbol !== ';;') cursor.notes.usesBashOnly = true;
    cursor.position += symbol.length;
  }
}

/** `(one | two)`, of which the first parenthesis may be missing. */
function parsePatterns(cursor: Cursor, draft: Draft): void {
  if (cursor.text[cursor.position] === '(') cursor.position += 1;
  for (;;) {
    skipBlanks(cursor);
    draft.words.push(readNeededWord(cursor));
    skipBlanks(cursor);
    const character = cursor.text[cursor.position];
    cursor.position += 1;
    if (character === ')') return;
    if (character !== '|') throw new UnreadableText('a pattern of `case` does not end');
  }
}

function readNeededWord(cursor: Cursor): Word {
  const word = readWord(cursor);
  if (word.parts.length === 0) throw new UnreadableText('a word is missing');
  return word;
}

/**
 * `[[ … ]]`. Operators and grouping are stepped over without being understood: no command runs but those
 * in substitutions, and ending too early only shows us more commands than there are.
 */
function parseTest(cursor: Cursor): Draft {
  cursor.notes.usesBashOnly = true;
  cursor.position += 2;
  const words: Word[] = [];
  for (;;) {
    if (/[ \t]#/y.test(cursor.text.slice(cursor.position, cursor.position + 2))) {
      throw new UnreadableText('a # inside [[ ]]');
    }
    skipNewlines(cursor);
    if (isAtEnd(cursor)) throw new UnreadableText('[[ is not closed');
    if (takeReservedTestEnd(cursor)) return { form: 'test', words, bodies: [] };
    const word = readWord(cursor);
    if (word.parts.length > 0) words.push(word);
    else if (/[()<>|&]/.test(cursor.text[cursor.position] ?? '')) cursor.position += 1;
    else throw new UnreadableText('an unknown operator inside [[ ]]');
  }
}

function takeReservedTestEnd(cursor: Cursor): boolean {
  const end = /\]\](?=[ \t\n;&|<>()]|$)/y;
  if (matchAt(end, cursor.text, cursor.position) === null) return false;
  cursor.position += 2;
  return true;
}

function parseCoprocess(cursor: Cursor, grammar: Grammar): Draft {
  cursor.notes.usesBashOnly = true;
  cursor.notes.isDynamic = true;
  cursor.position += 6;
  skipBlanks(cursor);
  // A name counts only before a compound command.
  const named = /[A-Za-z_]\w*[ \t]+(?=[({]|\[\[|(?:if|for|while|until|case|select)[ \t\n(])/y;
  if (peekReserved(cursor) === undefined) {
    cursor.position += matchAt(named, cursor.text, cursor.position)?.[0].length ?? 0;
  }
  const body = grammar.parseCommand(cursor);
  return {
    form: 'coprocess',
    words: [],
    bodies: [{ kind: 'list', items: [{ node: body, operator: ';' }], isFed: true }],
  };
}

function parseNamedFunction(cursor: Cursor, grammar: Grammar, start: number): CommandNode {
  cursor.notes.usesBashOnly = true;
  cursor.position += 'function'.length;
  skipBlanks(cursor);
  const name = readWord(cursor);
  skipBlanks(cursor);
  const parentheses = /\([ \t]*\)/y;
  cursor.position += matchAt(parentheses, cursor.text, cursor.position)?.[0].length ?? 0;
  return parseFunctionBody(cursor, name, start, (inner) => grammar.parseCommand(inner));
}
