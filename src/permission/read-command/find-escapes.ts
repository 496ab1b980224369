/** Which words of a command reach beyond what its name promises; see escape-table.ts. */
import { escapes, type EscapeRule } from './escape-table.ts';
import type { Fields } from './inner-command.ts';
import { readOptions, type OptionTable } from './read-options.ts';

/** The words, as they stand; an unknown word counts as an empty one because it may be any of them. */
export function findEscapes(head: string, args: Fields): string[] {
  const rule = Object.hasOwn(escapes, head) ? escapes[head] : undefined;
  if (rule === undefined) return [];
  const found = new Set<string>();
  for (const field of args) {
    // A file may be called `--to-command=…`, so a pattern that can begin with a dash counts too.
    if (field === undefined || (field.isPattern && /^[-*?[]/.test(field.text))) found.add('');
    else if (isEscape(field.text, rule)) found.add(field.text);
  }
  for (const word of findByPlace(args, rule)) found.add(word);
  return [...found];
}

function isEscape(word: string, rule: EscapeRule): boolean {
  if (rule.words?.test(word) === true) return true;
  if (word.startsWith('--')) {
    const name = word.split('=')[0] ?? word;
    // GNU programs take any unambiguous beginning of a long name.
    return name.length > 2 && listOf(rule.options).some((option) => option.startsWith(name));
  }
  if (!/^-./s.test(word)) return false;
  const options = listOf(rule.options);
  if (options.some((option) => !option.startsWith('--') && (word === option || word.startsWith(`${option}=`))))
    return true;
  const letters = rule.letters;
  return letters !== undefined && [...word.slice(1)].some((letter) => letters.includes(letter));
}

function listOf(words: string | undefined): string[] {
  return words === undefined ? [] : words.split(' ');
}

function findByPlace(args: Fields, rule: EscapeRule): string[] {
  if (rule.firstWord?.test(args[0]?.text ?? '') === true) return [args[0]?.text ?? ''];
  const { operands } = readOptions(args, { isLenient: true }, false);
  const words = operands.flatMap((field) => (field === undefined ? [] : [field.text]));
  let found: string[] = [];
  // An option's value may stand before the verb, so every operand is looked at.
  if (rule.verbs !== undefined) found = words.filter((word) => listOf(rule.verbs).includes(word));
  if (rule.maxOperands !== undefined && operands.length > rule.maxOperands)
    found = found.concat(words.slice(rule.maxOperands));
  if (rule.program !== undefined) found = found.concat(findPrograms(args, rule.program));
  return found;
}

// One address and a printing or deleting command, or one substitution: neither `e`, `w` nor `r` fits in.
const plainSed = /^(?:(?:\d+|\$|\/[^/\\\n]*\/)(?:,(?:\+?\d+|\$|\/[^/\\\n]*\/))?!?)?(?:[pdPDqQ=]|[qQ]\d*)$/;
const sedSubstitution =
  /^(?:\d+|\$)?(?:,(?:\d+|\$))?s([/|#,:])(?:(?!\1)[^\\\n]|\\[^\n])*\1(?:(?!\1)[^\\\n]|\\[^\n])*\1[gpI0-9]*$/;

const programOptions: Readonly<Record<'sed' | 'awk', OptionTable>> = {
  sed: { values: 'efl', attached: 'i', longValues: 'expression file line-length', isLenient: true },
  awk: { values: 'Fvfeil', longValues: 'field-separator assign file source include load', isLenient: true },
};

/** Program texts that do more than print. Without an option that gives one, the first operand is the program. */
function findPrograms(args: Fields, language: 'sed' | 'awk'): string[] {
  const { options, operands } = readOptions(args, programOptions[language], false);
  const given = options.filter(({ name }) => ['e', 'expression', 'source', 'f', 'file'].includes(name));
  const programs = given.length > 0 ? given.map(({ value }) => value ?? undefined) : operands.slice(0, 1);
  return programs.flatMap((field) => (field === undefined || isHarmless(field.text, language) ? [] : [field.text]));
}

function isHarmless(program: string, language: 'sed' | 'awk'): boolean {
  // A longer program is nobody's one-liner, and costs the patterns time.
  if (program.length > 1000) return false;
  if (language === 'sed') return plainSed.test(program) || sedSubstitution.test(program);
  return !/system|getline|[|>@]|close|load/.test(program);
}
