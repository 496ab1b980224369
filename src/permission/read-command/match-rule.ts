/**
 * Matches command rules against what was read. A pattern is words separated by blanks; `*` as the last word
 * stands for any words or none, elsewhere for exactly one, and inside a word for any characters.
 *
 * Allow rules fail closed: every command must match a pattern word for word (`ls` is not `ls -la`; write `ls *`),
 * nothing may be unreadable, no file may be written by a redirection, and arguments that reach beyond the
 * command's name (`find -exec`, `sort -o`) must be named in the pattern. Deny and ask rules fail the other way:
 * one command is enough, words behind the pattern do not matter, and an unknown word may be the forbidden one.
 */
import type { CommandReading, ReadRedirection, SimpleCommand } from './command-reading.ts';
import { readGitCall } from './git-arguments.ts';

export function everyCommandMatches(patterns: readonly string[], reading: CommandReading): boolean {
  const needed = reading.commands.filter(({ isTransparent, escapes }) => !isTransparent || escapes);
  if (reading.findings.some(({ kind }) => kind === 'unreadable') || !needed.some(({ head }) => head !== ''))
    return false;
  // Transparent wrappers need no pattern, but their redirections count like all others.
  if (reading.commands.some(({ redirections }) => redirections.some(writesFile))) return false;
  const rules = patterns.map(splitPattern);
  return needed.every((command) =>
    command.head === '' ? !command.escapes : rules.some((rule) => isAllowed(command, rule)),
  );
}

export function someCommandMatches(patterns: readonly string[], reading: CommandReading): boolean {
  const rules = patterns.map(splitPattern);
  return reading.commands.some((command) => {
    const spellings = spellingsOf(command);
    return rules.some((rule) => spellings.some((words) => isCovered(words, rule)));
  });
}

function splitPattern(pattern: string): string[] {
  return pattern.split(/\s+/).filter((word) => word !== '');
}

function writesFile({ kind, target }: ReadRedirection): boolean {
  const writes = kind === 'write' || kind === 'append' || kind === 'read-write';
  return writes && target !== '/dev/null';
}

function isAllowed(command: SimpleCommand, rule: readonly string[]): boolean {
  const [head, ...rest] = rule;
  if (head === undefined || !matchesWord(command.head, head)) return false;
  if (!command.escapingWords.every((word) => rule.includes(word))) return false;
  return matchesWords(command.words.slice(1), rest);
}

/** Exactly these words, or more where the rule ends in `*`. */
function matchesWords(words: readonly (string | undefined)[], rule: readonly string[]): boolean {
  const isOpen = rule.at(-1) === '*';
  const fixed = isOpen ? rule.slice(0, -1) : rule;
  if (isOpen ? words.length < fixed.length : words.length !== fixed.length) return false;
  return fixed.every((pattern, index) => matchesWord(words[index], pattern));
}

/** The rule's words come first; what is not known may be any of them. */
function isCovered(words: readonly (string | undefined)[], rule: readonly string[]): boolean {
  const fixed = rule.at(-1) === '*' ? rule.slice(0, -1) : rule;
  for (const [index, pattern] of fixed.entries()) {
    if (index > 0 && index < words.length && words[index] === undefined) return true;
    if (!matchesWord(words[index], pattern)) return false;
  }
  return rule.length > 0;
}

/** The ways in which a command may have been meant: by its name, by the file's name, without git's global options. */
function spellingsOf(command: SimpleCommand): (string | undefined)[][] {
  if (command.head === '') return [];
  const rest = command.words.slice(1);
  const name = command.head.slice(command.head.lastIndexOf('/') + 1);
  const spellings = [[command.head, ...rest]];
  if (name !== command.head) spellings.push([name, ...rest]);
  if (name === 'git') {
    const call = readGitCall(rest.map((text) => (text === undefined ? undefined : { text, isPattern: false })));
    spellings.push(['git', call.isCertain ? call.verb : undefined, ...call.rest.map((field) => field?.text)]);
  }
  return spellings;
}

/** `*` stands for any characters. */
export function matchesWord(word: string | undefined, pattern: string): boolean {
  if (word === undefined) return false;
  if (!pattern.includes('*')) return word === pattern;
  return matchesPieces(word, pattern.split('*'));
}

/** `*` stands for any characters: the pieces between must come in order. Without a regular expression it cannot run away. */
function matchesPieces(word: string, pieces: readonly string[]): boolean {
  const first = pieces[0] ?? '';
  const last = pieces.at(-1) ?? '';
  if (word.length < first.length + last.length || !word.startsWith(first) || !word.endsWith(last)) return false;
  let position = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = word.indexOf(piece, position);
    if (found < 0) return false;
    position = found + piece.length;
  }
  return position <= word.length - last.length;
}
