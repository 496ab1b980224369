/** Where the parser stands in a text, and what it noticed on the way. */
import { hasHiddenCharacter } from './hidden-characters.ts';
import type { ListNode, RedirectionNode } from './command-tree.ts';
import { maxNesting, UnreadableText } from './unreadable.ts';

/** Facts about a whole text that single commands are judged by. */
export type Notes = {
  /** Something that only bash understands, so `sh` would read the text differently. */
  usesBashOnly: boolean;
  /** Code that comes from elsewhere (eval, source, trap): no variable's value is certain any more. */
  isDynamic: boolean;
  /** A link may be made: a path below /tmp may then lead into the workspace. */
  makesLinks: boolean;
  /** How many commands may change the working directory. */
  moves: number;
  /** Variables and how often they are assigned. */
  readonly assigned: Map<string, number>;
  /** Variables that are changed in a way that is not followed. */
  readonly touched: Set<string>;
  readonly functions: Set<string>;
};

export type PendingHereDocument = {
  readonly delimiter: string;
  readonly isQuoted: boolean;
  readonly stripsTabs: boolean;
  readonly redirection: RedirectionNode;
};

export type Cursor = {
  readonly text: string;
  position: number;
  depth: number;
  /** What findings quote when the text is not a slice of what was handed in (unescaped backquotes, `sh -c`). */
  readonly label: string | undefined;
  readonly notes: Notes;
  pending: PendingHereDocument[];
  /** Here-documents of an outer command that wait for a newline after this substitution. */
  outerPending: number;
  readonly parseScript: (cursor: Cursor, closer: ')' | '') => ListNode;
};

export function createNotes(): Notes {
  return {
    usesBashOnly: false,
    isDynamic: false,
    makesLinks: false,
    moves: 0,
    assigned: new Map(),
    touched: new Set(),
    functions: new Set(),
  };
}

/** A cursor over a text inside the text: a here-document's body, the inside of backquotes. */
export function createInnerCursor(outer: Cursor, text: string, label: string | undefined): Cursor {
  const inner = { ...outer, text, label, position: 0, pending: [], outerPending: 0 };
  enter(inner);
  return inner;
}

export function enter(cursor: Cursor): void {
  cursor.depth += 1;
  if (cursor.depth > maxNesting) throw new UnreadableText(`nested more than ${maxNesting} deep`);
}

export function leave(cursor: Cursor): void {
  cursor.depth -= 1;
}

export function isAtEnd(cursor: Cursor): boolean {
  return cursor.position >= cursor.text.length;
}

/** What a sticky pattern finds at one place. The place is set on every use, so the pattern keeps nothing. */
export function matchAt(pattern: RegExp, text: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position;
  return pattern.exec(text);
}

/** Bytes between two places, for findings. */
export function quoteFrom(cursor: Cursor, start: number, end: number): string {
  return cursor.label ?? cursor.text.slice(start, end);
}

/** Blanks, joined lines and comments; stops at a newline. */
export function skipBlanks(cursor: Cursor): void {
  const { text } = cursor;
  for (;;) {
    const character = text[cursor.position];
    if (character === ' ' || character === '\t') cursor.position += 1;
    else if (character === '\\' && text[cursor.position + 1] === '\n') cursor.position += 2;
    else if (character === '#') skipComment(cursor);
    else return;
  }
}

function skipComment(cursor: Cursor): void {
  const newline = cursor.text.indexOf('\n', cursor.position);
  const end = newline < 0 ? cursor.text.length : newline;
  // A comment is not run, but what hides in it is shown to the person who decides.
  if (hasHiddenCharacter(cursor.text.slice(cursor.position, end))) throw new UnreadableText('a hidden character');
  cursor.position = end;
}
