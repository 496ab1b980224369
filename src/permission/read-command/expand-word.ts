/** What a word becomes when the shell expands it, as far as that is certain. */
import type { Word, WordPart } from './syntax/command-tree.ts';
import { expandBraces, type ExpansionBudget } from './expand-braces.ts';

/** One word after expansion; undefined stands for any number of words that cannot be known. */
export type Field = {
  readonly text: string;
  /** It names whatever files match, or holds digits that are not known. */
  readonly isPattern: boolean;
  /** The text holds a `*` for digits that are not known: good for judging a path, not for being shown. */
  readonly hasStandIn?: true;
};

export type Variables = {
  /** A variable's value, or undefined when it is not certain. */
  lookUp(name: string): string | undefined;
  /** `sh` knows no braces. */
  readonly hasBraces: boolean;
  readonly budget: ExpansionBudget;
};

/** Where `<(…)` is found by the command that gets it; the number is not known. */
export const pipePath = '/dev/fd/63';

export function expandWords(words: readonly Word[], variables: Variables): (Field | undefined)[] {
  const fields: (Field | undefined)[] = [];
  for (const word of words) {
    if (word.isExact) fields.push({ text: word.literal ?? '', isPattern: false });
    else expandInto(fields, word, variables);
  }
  return fields;
}

/** The value of a word where no splitting happens: assignments, redirections, here-strings. */
export function expandToText(word: Word, variables: Variables): string | undefined {
  if (word.isExact) return word.literal;
  const fields: (Field | undefined)[] = [];
  const parts = word.parts.map((part) => (part.kind === 'variable' ? { ...part, isQuoted: true } : part));
  expandParts(fields, parts, variables);
  const [only] = fields;
  if (fields.length === 0) return '';
  return fields.length === 1 && only !== undefined && !only.isPattern ? only.text : undefined;
}

function expandInto(fields: (Field | undefined)[], word: Word, variables: Variables): void {
  if (looksLikeAssignment(word)) {
    fields.push(undefined);
    return;
  }
  const hasBrace = word.parts.some((part) => part.kind === 'text' && !part.isQuoted && part.text.includes('{'));
  const words = hasBrace ? expandBraces(word.parts, variables.budget) : [word.parts];
  if (words === undefined || (words.length !== 1 && !variables.hasBraces)) fields.push(undefined);
  else for (const parts of words) expandParts(fields, parts, variables);
}

/** In an argument such as `x=~` or `x=a$b` bash expands and splits by the rules of assignments, more or less. */
function looksLikeAssignment({ parts }: Word): boolean {
  const [first] = parts;
  if (first?.kind !== 'text' || first.isQuoted || !/^[A-Za-z_]\w*\+?=/.test(first.text)) return false;
  return first.text.includes('~') || parts.some(({ kind, isQuoted }) => kind === 'variable' && !isQuoted);
}

function expandParts(fields: (Field | undefined)[], parts: readonly WordPart[], variables: Variables): void {
  let text = '';
  let isPattern = false;
  let hasStandIn = false;
  // A word without quotes that comes to nothing is no word at all.
  let isKept = false;
  const ready: Field[] = [];
  for (const [index, part] of parts.entries()) {
    const piece = index === 0 ? expandTilde(part, parts.length, variables) : expandPart(part, variables);
    if (piece === undefined) {
      fields.push(undefined);
      return;
    }
    if (part.kind === 'variable' && !part.isQuoted) {
      // Splitting follows IFS; only plain blanks are certain, and globs in a value are not followed.
      if (/[*?[\\\n]/.test(piece)) {
        fields.push(undefined);
        return;
      }
      const [first = '', ...rest] = piece.split(/[ \t]+/);
      text += first;
      for (const next of rest) {
        if (text !== '' || isKept) ready.push({ text, isPattern });
        text = next;
        isPattern = false;
        isKept = false;
      }
    } else {
      text += piece;
      isKept ||= part.isQuoted || part.kind === 'process';
      hasStandIn ||= part.kind === 'number';
      isPattern ||= hasStandIn || (part.kind === 'text' && !part.isQuoted && isPatternText(part.text));
    }
  }
  // A bracket that opens in one part and closes in another.
  isPattern ||= parts.length > 1 && parts.some(hasOpenBracket) && hasBrackets(text);
  if (text !== '' || isKept) ready.push(hasStandIn ? { text, isPattern, hasStandIn } : { text, isPattern });
  for (const field of ready) fields.push(field);
}

function isPatternText(text: string): boolean {
  return text.includes('*') || text.includes('?') || hasBrackets(text);
}

function hasBrackets(text: string): boolean {
  const open = text.indexOf('[');
  return open >= 0 && text.includes(']', open);
}

function hasOpenBracket(part: WordPart): boolean {
  return part.kind === 'text' && !part.isQuoted && part.text.includes('[');
}

function expandPart(part: WordPart, variables: Variables): string | undefined {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'variable': {
      const value = variables.lookUp(part.name);
      variables.budget.steps -= value?.length ?? 0;
      return variables.budget.steps < 0 ? undefined : value;
    }
    case 'number':
      return '*';
    case 'process':
      return pipePath;
    case 'opaque':
      return undefined;
  }
}

/** `~` and `~/…`; of other homes (`~name`, `~-`) nothing is known. */
function expandTilde(part: WordPart, count: number, variables: Variables): string | undefined {
  if (part.kind !== 'text' || part.isQuoted || !part.text.startsWith('~')) return expandPart(part, variables);
  const home = variables.lookUp('HOME');
  if (home === undefined) return undefined;
  if (part.text === '~') return count === 1 ? home : undefined;
  return part.text.startsWith('~/') ? home + part.text.slice(1) : undefined;
}
