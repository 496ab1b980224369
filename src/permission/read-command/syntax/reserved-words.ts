/** Bash's reserved words, found where a command may begin. */
import { matchAt, skipBlanks, type Cursor } from './cursor.ts';
import { readNewline } from './here-document.ts';
import { UnreadableText } from './unreadable.ts';

const reserved =
  /(?:if|then|elif|else|fi|for|while|until|do|done|case|esac|select|function|time|coproc|in|\[\[|\{|\}|!)(?=[ \t\n;&|<>()]|$)/y;

const all = new Set(
  'if then elif else fi for while until do done case esac select function time coproc [[ { } !'.split(' '),
);

/** The reserved word at this place, or undefined; does not move. */
export function peekReserved(cursor: Cursor): string | undefined {
  const first = cursor.text[cursor.position];
  if (first === undefined || !'itefwduscd[{}!'.includes(first)) return undefined;
  return matchAt(reserved, cursor.text, cursor.position)?.[0];
}

/** A word that bash would take for a reserved one although it is not spelt in one piece. */
export function isReserved(word: string): boolean {
  return all.has(word);
}

export function skipNewlines(cursor: Cursor): void {
  for (;;) {
    skipBlanks(cursor);
    if (cursor.text[cursor.position] !== '\n') return;
    readNewline(cursor);
  }
}

/** Steps over the reserved word when it is next. */
export function takeReserved(cursor: Cursor, word: string): boolean {
  if (peekReserved(cursor) !== word) return false;
  cursor.position += word.length;
  return true;
}

export function expectReserved(cursor: Cursor, word: string): void {
  skipNewlines(cursor);
  if (!takeReserved(cursor, word)) throw new UnreadableText(`\`${word}\` is missing`);
}
