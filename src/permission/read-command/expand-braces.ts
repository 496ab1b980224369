/** Brace expansion: `{a,b}` and `{1..5}` become several words before anything else is expanded. */
import type { WordPart } from './syntax/command-tree.ts';

// More words than this are not worth following; the word then counts as unknown.
const maxWords = 256;

/** Work left for one text, shared by all its words: braces and variables can ask for more than there is time for. */
export type ExpansionBudget = { steps: number };

export function createExpansionBudget(): ExpansionBudget {
  return { steps: 2_000_000 };
}

/** One character that may be brace syntax, or a part that cannot. */
type Atom = string | WordPart;

/** The words that the parts stand for, or undefined when there are too many. */
export function expandBraces(parts: readonly WordPart[], budget: ExpansionBudget): WordPart[][] | undefined {
  const atoms: Atom[] = [];
  for (const part of parts) {
    if (part.kind === 'text' && !part.isQuoted) for (const character of part.text) atoms.push(character);
    else atoms.push(part);
  }
  const words = expandAtoms(atoms, budget);
  // `{a},b}`: what bash makes of braces that do not pair up is not worth knowing.
  if (words === undefined || words.some(hasBracesLeft)) return undefined;
  return words.map(joinAtoms);
}

function hasBracesLeft(atoms: readonly Atom[]): boolean {
  return atoms.includes('{') && atoms.includes(',') && atoms.includes('}');
}

function expandAtoms(atoms: readonly Atom[], budget: ExpansionBudget): Atom[][] | undefined {
  let results: Atom[][] = [[]];
  for (let index = 0; index < atoms.length;) {
    const group = atoms[index] === '{' ? findGroup(atoms, index, budget) : undefined;
    budget.steps -= results.length;
    if (budget.steps < 0) return undefined;
    if (group === undefined) {
      const atom = atoms[index];
      for (const result of results) if (atom !== undefined) result.push(atom);
      index += 1;
      continue;
    }
    const choices: Atom[][] = [];
    for (const choice of group.choices) {
      const expanded = group.isSequence ? [choice] : expandAtoms(choice, budget);
      if (expanded === undefined || choices.length + expanded.length > maxWords) return undefined;
      choices.push(...expanded);
    }
    if (results.length * choices.length > maxWords) return undefined;
    budget.steps -= results.length * choices.length * index;
    if (budget.steps < 0) return undefined;
    results = results.flatMap((result) => choices.map((choice) => [...result, ...choice]));
    index = group.end + 1;
  }
  return results;
}

type Group = { readonly end: number; readonly choices: Atom[][]; readonly isSequence: boolean };

/** The group that opens here, when it closes and holds a comma or is a sequence. */
function findGroup(atoms: readonly Atom[], start: number, budget: ExpansionBudget): Group | undefined {
  let depth = 0;
  let commas: number[] = [];
  for (let index = start; index < atoms.length && budget.steps > 0; index += 1) {
    budget.steps -= 1;
    const atom = atoms[index];
    if (atom === '{') depth += 1;
    else if (atom === ',' && depth === 1) commas.push(index);
    else if (atom === '}') {
      depth -= 1;
      if (depth > 0) continue;
      if (commas.length === 0) return readSequence(atoms, start, index);
      commas = [start, ...commas, index];
      const choices = commas.slice(1).map((comma, order) => atoms.slice((commas[order] ?? 0) + 1, comma));
      return { end: index, choices, isSequence: false };
    }
  }
  return undefined;
}

function readSequence(atoms: readonly Atom[], start: number, end: number): Group | undefined {
  const inside = atoms.slice(start + 1, end);
  if (!inside.every((atom) => typeof atom === 'string')) return undefined;
  const match = /^(-?\d{1,9}|[A-Za-z])\.\.(-?\d{1,9}|[A-Za-z])(?:\.\.(-?\d{1,9}))?$/.exec(inside.join(''));
  if (match?.[1] === undefined || match[2] === undefined) return undefined;
  const [, from, to, by] = match;
  const isNumber = /\d$/.test(from);
  if (isNumber !== /\d$/.test(to)) return undefined;
  const first = isNumber ? Number(from) : from.charCodeAt(0);
  const last = isNumber ? Number(to) : to.charCodeAt(0);
  const step = Math.max(1, Math.abs(Number(by ?? 1))) * (last < first ? -1 : 1);
  const width = /^-?0\d/.test(from) || /^-?0\d/.test(to) ? Math.max(from.length, to.length) : 0;
  const choices: Atom[][] = [];
  for (let value = first; step > 0 ? value <= last : value >= last; value += step) {
    choices.push([...(isNumber ? padNumber(value, width) : String.fromCharCode(value))]);
    // One more than allowed is enough for the caller to give up.
    if (choices.length > maxWords) break;
  }
  return { end, choices, isSequence: true };
}

function padNumber(value: number, width: number): string {
  const sign = value < 0 ? '-' : '';
  return sign + String(Math.abs(value)).padStart(width - sign.length, '0');
}

function joinAtoms(atoms: readonly Atom[]): WordPart[] {
  const parts: WordPart[] = [];
  let text = '';
  const flush = (): void => {
    if (text !== '') parts.push({ kind: 'text', text, isQuoted: false });
    text = '';
  };
  for (const atom of atoms) {
    if (typeof atom === 'string') text += atom;
    else {
      flush();
      parts.push(atom);
    }
  }
  flush();
  return parts;
}
