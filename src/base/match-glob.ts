/** Glob matching in time proportional to pattern times path, whatever the pattern: no regular expression is built. */

type Token =
  | { readonly kind: 'char'; readonly code: number }
  | { readonly kind: 'any' }
  | { readonly kind: 'star' }
  | { readonly kind: 'class'; readonly isNegated: boolean; readonly ranges: readonly (readonly [number, number])[] };
type Segment = readonly Token[] | '**';

/** Beyond this a pattern with braces is taken for a mistake or an attack. */
const maxAlternatives = 256;

/**
 * `*` and `?` stay within a name and match dots too, `**` spans folders, `[a-z]`, `[!a]`, `{a,b}` and `\` work as in a
 * shell. A pattern without a slash is matched against the last name of a path, others against the whole of it.
 * Undefined: the braces stand for more than 256 patterns.
 */
export function compileGlob(
  pattern: string,
  options: { readonly ignoreCase?: boolean } = {},
): ((path: string) => boolean) | undefined {
  const fold = (text: string): string => (options.ignoreCase === true ? text.toLowerCase() : text);
  const alternatives = expandBraces(fold(pattern));
  if (alternatives === undefined) return undefined;
  const globs = alternatives.map((alternative) => ({
    isName: !alternative.includes('/'),
    segments: alternative
      .split('/')
      .filter((part) => part !== '' && part !== '.')
      .map((part): Segment => (part === '**' ? '**' : toTokens(part))),
  }));
  return (path) => {
    const parts = fold(path)
      .split('/')
      .filter((part) => part !== '' && part !== '.');
    return globs.some(({ isName, segments }) => matchSegments(segments, isName ? parts.slice(-1) : parts));
  };
}

/** The folders a pattern begins with that hold no wildcard, and the rest. */
export function splitGlob(pattern: string): { readonly folder: string; readonly rest: string } {
  const parts = pattern.split('/');
  const firstWild = parts.findIndex((part) => /[*?[\]{}\\]/.test(part));
  const end = firstWild < 0 ? parts.length - 1 : firstWild;
  return {
    folder: parts.slice(0, end).join('/') || (end > 0 && parts[0] === '' ? '/' : ''),
    rest: parts.slice(end).join('/'),
  };
}

function expandBraces(pattern: string): readonly string[] | undefined {
  const open = findUnescaped(pattern, '{', 0);
  const close = open < 0 ? -1 : findClosing(pattern, open);
  if (close < 0) return [pattern];
  const results: string[] = [];
  const tails = expandBraces(pattern.slice(close + 1));
  if (tails === undefined) return undefined;
  for (const choice of splitChoices(pattern.slice(open + 1, close))) {
    for (const middle of expandBraces(choice) ?? [])
      for (const tail of tails) results.push(pattern.slice(0, open) + middle + tail);
    if (results.length === 0 || results.length > maxAlternatives) return undefined;
  }
  return results;
}

function findUnescaped(text: string, wanted: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === wanted) return at;
  }
  return -1;
}

function findClosing(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '{') depth += 1;
    else if (text[at] === '}' && --depth === 0) return at;
  }
  return -1;
}

function splitChoices(inner: string): readonly string[] {
  const choices: string[] = [];
  let start = 0;
  let depth = 0;
  for (let at = 0; at < inner.length; at += 1) {
    if (inner[at] === '\\') at += 1;
    else if (inner[at] === '{') depth += 1;
    else if (inner[at] === '}') depth -= 1;
    else if (inner[at] === ',' && depth === 0) {
      choices.push(inner.slice(start, at));
      start = at + 1;
    }
  }
  return [...choices, inner.slice(start)];
}

function toTokens(part: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < part.length; at += 1) {
    const char = part[at] ?? '';
    if (char === '*') {
      if (tokens.at(-1)?.kind !== 'star') tokens.push({ kind: 'star' });
    } else if (char === '?') tokens.push({ kind: 'any' });
    else if (char === '[') {
      const found = readClass(part, at);
      tokens.push(found?.token ?? { kind: 'char', code: char.charCodeAt(0) });
      at = found?.end ?? at;
    } else {
      if (char === '\\' && at + 1 < part.length) at += 1;
      tokens.push({ kind: 'char', code: part.charCodeAt(at) });
    }
  }
  return tokens;
}

/** Undefined: it is never closed, so the bracket stands for itself. */
function readClass(part: string, open: number): { readonly token: Token; readonly end: number } | undefined {
  let at = open + 1;
  const isNegated = part[at] === '!' || part[at] === '^';
  if (isNegated) at += 1;
  const ranges: [number, number][] = [];
  for (let isFirst = true; at < part.length; isFirst = false) {
    if (part[at] === ']' && !isFirst) return { token: { kind: 'class', isNegated, ranges }, end: at };
    if (part[at] === '\\') at += 1;
    const low = part.charCodeAt(at);
    const isRange = part[at + 1] === '-' && at + 2 < part.length && part[at + 2] !== ']';
    ranges.push([low, isRange ? part.charCodeAt(at + 2) : low]);
    at += isRange ? 3 : 1;
  }
  return undefined;
}

/** Going back to the last `**` only is enough: what an earlier one could take, the last one can take as well. */
function matchSegments(segments: readonly Segment[], parts: readonly string[]): boolean {
  let [at, part, star, starPart] = [0, 0, -1, 0];
  while (part < parts.length) {
    const segment = segments[at];
    if (segment === '**') {
      star = at;
      starPart = part;
      at += 1;
    } else if (segment !== undefined && matchName(segment, parts[part] ?? '')) {
      at += 1;
      part += 1;
    } else if (star >= 0) {
      starPart += 1;
      part = starPart;
      at = star + 1;
    } else return false;
  }
  return at === segments.length;
}

function matchName(tokens: readonly Token[], name: string): boolean {
  let [at, char, star, starChar] = [0, 0, -1, 0];
  while (char < name.length) {
    const token = tokens[at];
    if (token?.kind === 'star') {
      star = at;
      starChar = char;
      at += 1;
    } else if (token !== undefined && matchesOne(token, name.charCodeAt(char))) {
      at += 1;
      char += token.kind !== 'char' && isHighSurrogate(name.charCodeAt(char)) ? 2 : 1;
    } else if (star >= 0) {
      starChar += 1;
      char = starChar;
      at = star + 1;
    } else return false;
  }
  while (tokens[at]?.kind === 'star') at += 1;
  return at === tokens.length;
}

function matchesOne(token: Token, code: number): boolean {
  if (token.kind === 'char') return token.code === code;
  if (token.kind === 'class')
    return token.isNegated !== token.ranges.some(([low, high]) => code >= low && code <= high);
  return true;
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
