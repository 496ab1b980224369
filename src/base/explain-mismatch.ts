/** Says why a piece of text was not found in another: the nearest place, and what differs there. */

/** Lines looked at before giving up, so that a large file costs no more than a moment. */
const maxLines = 200_000;
/** Comparing by likeness costs more per line than comparing by equality. */
const maxComparedLines = 50_000;
const maxShownChars = 160;

/** One or two sentences. */
export function explainMismatch(text: string, piece: string): string {
  const lines = text.split('\n', maxLines);
  const wanted = piece.split('\n');
  const squeezed = wanted.map(squeeze);
  const first = squeezed.findIndex((line) => line !== '');
  if (first < 0) return 'It consists of white space only.';
  const at = findSqueezed(lines, squeezed.slice(first));
  if (at >= 0) return explainSpace(lines, wanted, at - first);
  const nearest = findNearest(lines.slice(0, maxComparedLines), squeezed[first] ?? '');
  if (nearest < 0) return 'No line resembles its first line.';
  return `The nearest is line ${nearest + 1}: ${show(lines[nearest] ?? '')}`;
}

function explainSpace(lines: readonly string[], wanted: readonly string[], start: number): string {
  const differing = wanted.findIndex((line, index) => line !== lines[start + index]);
  const line = Math.max(differing, 0);
  const [has, got] = [lines[start + line] ?? '', wanted[line] ?? ''];
  const reason =
    has === `${got}\r`
      ? 'The file ends its lines with CRLF here and oldString with LF'
      : got === `${has}\r`
        ? 'oldString ends its lines with CRLF and the file with LF'
        : 'Lines that differ only in white space are there';
  return `${reason}; first at line ${start + line + 1}: the file has ${show(has)}, oldString has ${show(got)}.`;
}

/** The first run of lines equal but for white space; the last wanted line may be the beginning of a line. */
function findSqueezed(lines: readonly string[], wanted: readonly string[]): number {
  const squeezed = lines.map(squeeze);
  return squeezed.findIndex(
    (_, start) =>
      wanted.every((line, index) =>
        index === wanted.length - 1 ? (squeezed[start + index] ?? '').includes(line) : squeezed[start + index] === line,
      ) && start + wanted.length <= lines.length,
  );
}

function findNearest(lines: readonly string[], wanted: string): number {
  const pairs = pairsOf(wanted);
  let best = -1;
  let bestScore = 0.4;
  for (const [index, line] of lines.entries()) {
    const squeezed = squeeze(line);
    // Lines of very different length cannot be near, and most lines are ruled out by this alone.
    if (squeezed.length < wanted.length / 3 || squeezed.length > wanted.length * 3) continue;
    const others = pairsOf(squeezed);
    let shared = 0;
    for (const pair of others) if (pairs.has(pair)) shared += 1;
    const score = (2 * shared) / (pairs.size + others.size || 1);
    if (score > bestScore) [best, bestScore] = [index, score];
  }
  return best;
}

function pairsOf(text: string): ReadonlySet<string> {
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < Math.min(text.length, 400); at += 1) pairs.add(text.slice(at, at + 2));
  return pairs;
}

function squeeze(line: string): string {
  return line.replaceAll(/\s+/g, ' ').trim();
}

function show(line: string): string {
  return JSON.stringify(line.length > maxShownChars ? `${line.slice(0, maxShownChars)}…` : line);
}
