/** What one simple command says about the whole text it stands in: variables it sets, directories it changes. */
import type { SimpleNode, Word } from './command-tree.ts';
import type { Notes } from './cursor.ts';

// Each may change the working directory, or runs something that may.
const movers = new Set(['cd', 'pushd', 'popd', 'eval', 'source', '.', 'builtin', 'command', 'exec', 'trap']);

// Code from elsewhere: it may set any variable.
const dynamic = new Set([
  'eval',
  'source',
  '.',
  'trap',
  'alias',
  'bind',
  'complete',
  'compgen',
  'mapfile',
  'readarray',
  'fc',
]);

// Their operands are names of variables that they set or remove.
const setters = new Set([
  'read',
  'unset',
  'let',
  'getopts',
  'printf',
  'wait',
  'declare',
  'typeset',
  'local',
  'export',
  'readonly',
]);

const linkers = new Set(['ln', 'mount', 'bindfs', 'link', 'symlinks']);

export function noteCommand(notes: Notes, node: SimpleNode): void {
  // An assignment before a command does not outlive it, but it is a value that others may see: count it all the same.
  for (const { name, value } of node.assignments) {
    if (value === undefined) notes.touched.add(name);
    else count(notes, name);
  }
  noteWords(notes, node.words);
}

/** Builtins that change what later commands mean; found behind a variable they are not noted in time. */
export function changesLaterCommands(name: string): boolean {
  return movers.has(name) || dynamic.has(name) || setters.has(name);
}

function noteWords(notes: Notes, words: readonly Word[]): void {
  const [head, ...rest] = words;
  if (head === undefined) return;
  const name = head.literal;
  // What cannot be read asks anyway; here it only must not hide a `cd`.
  if (name === undefined || movers.has(name)) notes.moves += 1;
  if (name === undefined) return;
  if (dynamic.has(name)) notes.isDynamic = true;
  if (linkers.has(name)) notes.makesLinks = true;
  if (name === 'alias') for (const word of rest) noteAlias(notes, word);
  if (name === 'builtin' || name === 'command') noteWords(notes, rest.slice(rest.findIndex(isNoOption)));
  else if (setters.has(name)) noteSetter(notes, rest);
}

function isNoOption(word: Word): boolean {
  return word.literal?.startsWith('-') !== true;
}

function noteSetter(notes: Notes, words: readonly Word[]): void {
  for (const word of words) {
    const [first] = word.parts;
    const start = first?.kind === 'text' ? /^([A-Za-z_]\w*)(=?)/.exec(first.text) : null;
    if (start?.[1] !== undefined && start[2] === '=') count(notes, start[1]);
    else if (word.literal === undefined) notes.isDynamic = true;
    else for (const [found] of word.literal.matchAll(/[A-Za-z_]\w*/g)) notes.touched.add(found);
  }
}

function count(notes: Notes, name: string): void {
  notes.assigned.set(name, (notes.assigned.get(name) ?? 0) + 1);
}

/** An alias may stand for anything, `cd` included: it counts as a function. */
function noteAlias(notes: Notes, word: Word): void {
  const [first] = word.parts;
  const name = first?.kind === 'text' ? first.text.split('=')[0] : undefined;
  if (name !== undefined) notes.functions.add(name);
}
