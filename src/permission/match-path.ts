/** Path patterns of rules: absolute, below `~`, or relative to the conversation's folder, with the wildcards of a shell. */
import { posix } from 'node:path';
import { compileGlob } from '../base/match-glob.ts';

export type RulePlaces = {
  /** Where relative patterns and paths begin. Undefined: nowhere. */
  readonly workspace: string | undefined;
  /** What `~` may mean: the user's home and the sandbox's own. */
  readonly homes: readonly string[];
};

export type PathPattern = {
  /** As an allowance reads it. A pattern without a wildcard covers the folder it names and all below it. */
  covers(path: string): boolean;
  /** As a prohibition reads it: what lies below anything that matches is meant too. */
  touches(path: string): boolean;
};

export function compilePathPattern(text: string, places: RulePlaces): PathPattern {
  // As in .gitignore: a name alone is that name in any folder. What is allowed by it lies in the workspace.
  const isName = !/[/~]/.test(text);
  const patterns = [text, ...(isName ? [`**/${text}`] : [])].flatMap((each) => expand(each, places)).map(compile);
  const anywhere = isName ? [compile(`/**/${text}`)] : [];
  return {
    covers: (path) => patterns.some((pattern) => pattern.isMatch(path) || pattern.holds(path)),
    touches(path) {
      const all = [...patterns, ...anywhere];
      const wanted = posix.resolve(places.workspace ?? '/', path);
      return [wanted, ...foldersAbove(wanted)].some((each) => all.some((pattern) => pattern.isMatch(each, true)));
    },
  };
}

function expand(text: string, { workspace, homes }: RulePlaces): readonly string[] {
  if (text === '~' || text.startsWith('~/')) return homes.map((home) => clean(home + text.slice(1)));
  if (text.startsWith('/')) return [clean(text)];
  return workspace === undefined ? [] : [clean(`${escapeGlob(workspace)}/${text}`)];
}

/** Without `.`, `..`, double slashes and a slash at the end. */
function clean(text: string): string {
  const flat = posix.normalize(text);
  return flat.length > 1 && flat.endsWith('/') ? flat.slice(0, -1) : flat;
}

/** A folder's own name is no pattern, whatever is in it. */
const escapeGlob = (text: string): string => text.replaceAll(/[\\*?[\]{}]/g, String.raw`\$&`);
const unescapeGlob = (text: string): string => text.replaceAll(/\\(.)/gs, '$1');

function compile(pattern: string) {
  const hasWildcard = /(?<!\\)[*?[{]/.test(pattern);
  const literal = unescapeGlob(pattern);
  const matches = hasWildcard ? compileGlob(pattern) : undefined;
  return {
    /** `isForbidding`: a pattern that stands for too much forbids everything, and allows nothing. */
    isMatch: (path: string, isForbidding = false): boolean =>
      path === literal || (hasWildcard && (matches === undefined ? isForbidding : matches(path))),
    holds: (path: string): boolean => !hasWildcard && path.startsWith(literal === '/' ? '/' : `${literal}/`),
  };
}

function foldersAbove(path: string): readonly string[] {
  const above: string[] = [];
  for (let at = posix.dirname(path); at !== path && above.at(-1) !== at; at = posix.dirname(at)) above.push(at);
  return above;
}
