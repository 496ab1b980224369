/** Cuts a page out of a text by lines, so that the pages together are the text, character for character. */

export type PageRequest = {
  /** First line, from 1. */
  readonly line: number;
  /** Characters of that line to leave out, from 0. */
  readonly skipChars: number;
  readonly maxLines: number;
  readonly maxChars: number;
};

export type Page = {
  /** With the line ends as they are in the text. */
  readonly content: string;
  readonly firstLine: number;
  /** The last line of which there is something in `content`. */
  readonly lastLine: number;
  readonly totalLines: number;
  /** Where the next page begins; undefined when this one reaches the end. */
  readonly next: { readonly line: number; readonly skipChars: number } | undefined;
};

/** Undefined: the page would begin behind the end. The first page of an empty text is empty. */
export function pageText(text: string, request: PageRequest): Page | undefined {
  const totalLines = countLines(text);
  const lineStart = startOfLine(text, request.line);
  if (lineStart === undefined || (request.line > totalLines && request.line > 1)) return undefined;
  const start = lineStart + request.skipChars;
  if (request.skipChars > 0 && start >= endOfLine(text, lineStart)) return undefined;
  let end = start;
  let line = request.line;
  while (line < request.line + request.maxLines && end < text.length) {
    const lineEnd = endOfLine(text, end);
    if (lineEnd - start > request.maxChars) break;
    end = lineEnd;
    line += 1;
  }
  if (end > start || end === text.length) {
    return {
      content: text.slice(start, end),
      firstLine: request.line,
      lastLine: Math.max(line - 1, request.line),
      totalLines,
      next: end < text.length ? { line, skipChars: 0 } : undefined,
    };
  }
  // One line is longer than a page: it is cut within, never between the halves of a surrogate pair.
  const cut = isLowSurrogate(text.charCodeAt(start + request.maxChars))
    ? start + request.maxChars - 1
    : start + request.maxChars;
  return {
    content: text.slice(start, cut),
    firstLine: request.line,
    lastLine: request.line,
    totalLines,
    next: { line: request.line, skipChars: cut - lineStart },
  };
}

/** A line end at the very end begins no further line. */
export function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return text === '' || text.endsWith('\n') ? count : count + 1;
}

function startOfLine(text: string, line: number): number | undefined {
  let start = 0;
  for (let count = 1; count < line; count += 1) {
    const end = text.indexOf('\n', start);
    if (end < 0) return undefined;
    start = end + 1;
  }
  return start;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end + 1;
}

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;
