/**
 * Finds formulas in Markdown and writes them all in one way, `$$…$$`: within a sentence as text, or between two lines of `$$`.
 * Code is left alone, and a price is no formula: what stands between two single dollars has to touch both, and no letter or digit
 * may follow. Pure; one pass, whatever the text.
 */

/** A longer one is no formula, but a dollar sign that nobody closed. */
const mostCharacters = 2_000;
const mostText = 50_000;

/** Undefined: there is none. */
export function prepareMaths(text: string): string | undefined {
  if (text.length > mostText || !/\$|\\[([]/.test(text)) return undefined;
  const reader = createReader(text);
  let written = '';
  let hasFormula = false;
  for (let at = 0; at < text.length;) {
    const code = reader.codeEnd(at);
    if (code !== undefined) {
      written += text.slice(at, code);
      at = code;
      continue;
    }
    const formula = reader.formula(at);
    if (formula === undefined) {
      // Two dollars that open nothing must not open anything for the parser either.
      const isLoose = text.startsWith('$$', at);
      const length = text[at] === '\\' || isLoose ? 2 : 1;
      written += isLoose ? '\\$\\$' : text.slice(at, at + length);
      at += length;
    } else {
      hasFormula = true;
      written += formula.written;
      at = formula.end;
    }
  }
  return hasFormula ? written : undefined;
}

type Formula = { readonly written: string; readonly end: number };

function createReader(text: string): {
  /** Where the code that begins here ends. Undefined: none begins. */
  codeEnd(at: number): number | undefined;
  formula(at: number): Formula | undefined;
} {
  /** The next place of a mark, looked for once: many openings share their one closing mark. */
  const known = new Map<string, number>();
  const find = (mark: string, from: number): number => {
    const before = known.get(mark);
    if (before !== undefined && (before === -1 || before >= from)) return before;
    const next = text.indexOf(mark, from);
    known.set(mark, next);
    return next;
  };

  function between(at: number, open: string, close: string): Formula | undefined {
    if (!text.startsWith(open, at)) return undefined;
    const from = at + open.length;
    const to = find(close, from);
    const body = to === -1 || to - from > mostCharacters ? '' : text.slice(from, to);
    if (body.trim() === '') return undefined;
    const end = to + close.length;
    const isDisplay = open !== '\\(';
    const indent = lineBefore(text, at);
    const rest = text.slice(end, lineEnd(text, end));
    if (isDisplay && indent.trim() === '' && rest.trim() === '') {
      const lines = body.trim().split('\n');
      return { written: ['$$', ...lines.map((line) => indent + line), `${indent}$$`].join('\n'), end };
    }
    return { written: inSentence(body), end };
  }

  function single(at: number): Formula | undefined {
    if (text[at] !== '$') return undefined;
    const to = find('$', at + 1);
    const body = to === -1 || to - at > mostCharacters ? '' : text.slice(at + 1, to);
    const isTouching = body !== '' && !/^\s|\s$|\n|\\$/.test(body);
    // "from $5 to 10$" reads on in words.
    const isPrice = /^[\d.,]+\s+\p{L}{2}/u.test(body);
    const isFollowed = /[\p{L}\p{N}]/u.test(text[to + 1] ?? '');
    return isTouching && !isPrice && !isFollowed ? { written: inSentence(body), end: to + 1 } : undefined;
  }

  function codeEnd(at: number): number | undefined {
    const mark = text[at];
    if (mark !== '`' && mark !== '~') return undefined;
    const run = text.slice(at, runEnd(text, at));
    if (run.length >= 3 && /^ {0,3}$/.test(lineBefore(text, at))) return fenceEnd(text, at, run);
    if (mark === '~') return at + run.length;
    for (let from = at + run.length; ;) {
      const close = find(run, from);
      // What opens nothing is text.
      if (close === -1) return at + run.length;
      const end = runEnd(text, close);
      if (end - close === run.length && text[close - 1] !== '`') return end;
      from = end;
    }
  }

  return {
    codeEnd,
    formula: (at) =>
      between(at, '$$', '$$') ??
      between(at, '\\[', '\\]') ??
      between(at, '\\(', '\\)') ??
      (text.startsWith('$$', at) ? undefined : single(at)),
  };
}

const inSentence = (body: string): string => `$$${body.trim().replaceAll(/\s*\n\s*/g, ' ')}$$`;

const lineBefore = (text: string, at: number): string => text.slice(text.lastIndexOf('\n', at - 1) + 1, at);

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

function runEnd(text: string, at: number): number {
  let end = at;
  while (text[end] === text[at]) end += 1;
  return end;
}

/** A fence that is never closed reaches to the end. */
function fenceEnd(text: string, at: number, run: string): number {
  for (let line = lineEnd(text, at) + 1; line < text.length; line = lineEnd(text, line) + 1) {
    const end = lineEnd(text, line);
    const found = text.slice(line, end).trim();
    if (found.length >= run.length && found === (run[0] ?? '').repeat(found.length)) return end;
  }
  return text.length;
}
