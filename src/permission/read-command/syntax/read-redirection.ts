/** Reads redirections, in every spelling of bash. */
import type { RedirectionKind, RedirectionNode } from './command-tree.ts';
import { matchAt, skipBlanks, type Cursor } from './cursor.ts';
import { readDelimiter } from './here-document.ts';
import { readWord } from './read-word.ts';
import { UnreadableText } from './unreadable.ts';

const operator = /(?:([0-9]+)|\{([A-Za-z_][A-Za-z0-9_]*)\})?(<<<|<<-|<<|<>|<&|<|>>|>\||>&|>)|(&>>|&>)/y;

const kinds: Readonly<Record<string, RedirectionKind>> = {
  '<': 'read',
  '<&': 'duplicate',
  '<>': 'read-write',
  '<<': 'here-document',
  '<<-': 'here-document',
  '<<<': 'here-string',
  '>': 'write',
  '>|': 'write',
  '>>': 'append',
  '>&': 'duplicate',
  '&>': 'write',
  '&>>': 'append',
};

// POSIX knows neither of these; `sh` reads `&>` as `&` and `>`.
const bashOnly = new Set(['<<<', '&>', '&>>']);

/** The redirection at this place, or undefined. A process substitution is a word, not a redirection. */
export function readRedirection(cursor: Cursor): RedirectionNode | undefined {
  // Most words begin with none of these, and the pattern costs more than the look.
  if (!'<>&{0123456789'.includes(cursor.text[cursor.position] ?? ' ')) return undefined;
  const match = matchAt(operator, cursor.text, cursor.position);
  if (match === null) return undefined;
  const symbol = match[3] ?? match[4] ?? '';
  const end = cursor.position + match[0].length;
  if (cursor.text[end] === '(' && (symbol === '<' || symbol === '>')) return undefined;
  cursor.position = end;
  const variable = match[2];
  if (variable !== undefined) cursor.notes.touched.add(variable);
  if (variable !== undefined || bashOnly.has(symbol)) cursor.notes.usesBashOnly = true;
  skipBlanks(cursor);
  const descriptor = match[1] ?? variable ?? (symbol.startsWith('&') ? '&' : undefined);
  if (symbol === '<<' || symbol === '<<-') return readDelimiter(cursor, symbol === '<<-', descriptor);
  const target = readWord(cursor);
  if (target.parts.length === 0) throw new UnreadableText('a redirection without a target');
  return { kind: kindOf(symbol, target.literal), descriptor, target };
}

/** `>&2` and `>&-` move descriptors; `>&name` writes a file (bash manual, "Redirecting Standard Output and Standard Error"). */
function kindOf(symbol: string, target: string | undefined): RedirectionKind {
  if (symbol === '>&' && (target === undefined || !/^(?:[0-9]+-?|-)$/.test(target))) return 'write';
  return kinds[symbol] ?? 'read-write';
}

/** All redirections at this place. */
export function readRedirections(cursor: Cursor): RedirectionNode[] {
  const found: RedirectionNode[] = [];
  for (;;) {
    skipBlanks(cursor);
    const redirection = readRedirection(cursor);
    if (redirection === undefined) return found;
    found.push(redirection);
  }
}
