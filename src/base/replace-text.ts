/** Replaces an exact piece of text, and says what stands in the way when it cannot. */

export type Replacement =
  | { readonly kind: 'replaced'; readonly text: string; readonly count: number }
  /** The lines, from 1, on which the matches begin. */
  | { readonly kind: 'several'; readonly lines: readonly number[] }
  | { readonly kind: 'missing' };

/**
 * `newPiece` is text, never a template. Where the text ends its lines in CRLF, pieces written with bare LF are taken
 * to mean CRLF: models write LF whatever they were shown.
 */
export function replaceText(text: string, oldPiece: string, newPiece: string, isAll: boolean): Replacement {
  const isCrlf = text.includes('\r\n') && !/(?:^|[^\r])\n/.test(text);
  const wanted = text.includes(oldPiece) || !text.includes('\r\n') ? oldPiece : toCrlf(oldPiece);
  const starts = findAll(text, wanted);
  if (starts.length === 0) return { kind: 'missing' };
  if (starts.length > 1 && !isAll) return { kind: 'several', lines: linesOf(text, starts) };
  const put = isCrlf || wanted !== oldPiece ? toCrlf(newPiece) : newPiece;
  const pieces: string[] = [];
  let end = 0;
  for (const start of starts) {
    pieces.push(text.slice(end, start), put);
    end = start + wanted.length;
  }
  return { kind: 'replaced', text: pieces.join('') + text.slice(end), count: starts.length };
}

function toCrlf(piece: string): string {
  return piece.replaceAll(/\r?\n/g, () => '\r\n');
}

/** From left to right, without overlap. */
function findAll(text: string, piece: string): readonly number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + piece.length)) starts.push(at);
  return starts;
}

function linesOf(text: string, starts: readonly number[]): readonly number[] {
  let line = 1;
  let at = 0;
  return starts.map((start) => {
    for (let end = text.indexOf('\n', at); end >= 0 && end < start; end = text.indexOf('\n', at)) {
      line += 1;
      at = end + 1;
    }
    return line;
  });
}
