/** Translates RE2 syntax, which the contract promises, into what the search programs understand. */

/**
 * Rust's regex crate is RE2's sibling (finite automata, linear time, no back-references) and differs in small things: RE2
 * takes a brace that is no quantifier for itself, knows \Q…\E, and has no set operations inside brackets.
 */
export function toRustRegex(pattern: string): string {
  let out = '';
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern[at] ?? '';
    if (char === '\\' && pattern[at + 1] === 'Q') {
      const end = pattern.indexOf('\\E', at + 2);
      out += escapeRegex(pattern.slice(at + 2, end < 0 ? undefined : end));
      at = end < 0 ? pattern.length : end + 1;
    } else if (char === '\\') {
      const braced = /^\\[pPx]\{[^}]*\}/.exec(pattern.slice(at, at + 64))?.[0];
      const taken = braced ?? pattern.slice(at, at + 2);
      out += taken;
      at += taken.length - 1;
    } else if (char === '[') {
      const end = endOfClass(pattern, at);
      out += end < 0 ? char : toRustClass(pattern.slice(at, end + 1));
      at = end < 0 ? at : end;
    } else if (char === '{') out += /^\{\d+(?:,\d*)?\}/.test(pattern.slice(at, at + 24)) ? char : '\\{';
    else out += char;
  }
  return out;
}

export function escapeRegex(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|#&~-]/g, String.raw`\$&`);
}

/** -1 when it is never closed: the program will say so. */
function endOfClass(pattern: string, open: number): number {
  let at = open + 1;
  if (pattern[at] === '^') at += 1;
  if (pattern[at] === ']') at += 1;
  for (; at < pattern.length; at += 1) {
    if (pattern[at] === '\\') at += 1;
    else if (pattern.startsWith('[:', at) && pattern.indexOf(':]', at) > 0) at = pattern.indexOf(':]', at) + 1;
    else if (pattern[at] === ']') return at;
  }
  return -1;
}

function toRustClass(text: string): string {
  const inner = text.slice(1, -1).replaceAll(/\\[\s\S]|\[:\^?\w+:\]|\[|&&|~~|--/g, (part) => {
    if (part === '[') return '\\[';
    return part === '&&' || part === '~~' || part === '--' ? `\\${part[0] ?? ''}\\${part[1] ?? ''}` : part;
  });
  return `[${inner}]`;
}

/**
 * For `grep -E`, which knows POSIX classes but not Perl's. Undefined: the pattern needs what POSIX cannot say, or would
 * mean something else there.
 */
export function toPosixRegex(pattern: string): { readonly pattern: string; readonly ignoreCase: boolean } | undefined {
  const ignoreCase = pattern.startsWith('(?i)');
  const body = ignoreCase ? pattern.slice(4) : pattern;
  const classes: Readonly<Record<string, string>> = {
    d: '[0-9]',
    D: '[^0-9]',
    s: '[[:space:]]',
    S: '[^[:space:]]',
    t: '\t',
    w: '\\w',
    W: '\\W',
    b: '\\b',
    B: '\\B',
  };
  let out = '';
  for (let at = 0; at < body.length; at += 1) {
    const char = body[at] ?? '';
    if (char === '\\') {
      const next = body[at + 1] ?? '';
      const known = /[A-Za-z0-9]/.test(next) ? classes[next] : `\\${next}`;
      if (known === undefined || next === '') return undefined;
      out += known;
      at += 1;
    } else if (char === '[') {
      const end = endOfClass(body, at);
      // In POSIX brackets a backslash is itself (regex(7)).
      if (end < 0 || /\\[A-Za-z0-9]/.test(body.slice(at, end))) return undefined;
      out += body.slice(at, end + 1).replaceAll(/\\(.)/g, '$1');
      at = end;
    } else if (body.startsWith('(?:', at)) {
      out += '(';
      at += 2;
    } else if (body.startsWith('(?', at) || (/[*+?}]/.test(char) && body[at + 1] === '?')) return undefined;
    else if (char === '{') out += /^\{\d+(?:,\d*)?\}/.test(body.slice(at, at + 24)) ? char : '\\{';
    else out += char;
  }
  return { pattern: out, ignoreCase };
}
