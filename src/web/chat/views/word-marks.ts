/** Which words of a changed line changed: lines that went and came at one place are compared word by word. Pure. */
import type { DiffLine } from '../../../contract/output.ts';

export type MarkedPiece = { readonly text: string; readonly isMarked: boolean };

/** Longer lines are compared by nobody's eye either. */
const mostWords = 400;
/** Of the longer line: below, they are two lines that have little in common, and marks would only be noise. */
const leastInCommon = 0.4;

/** By the line's place in `lines`; a line without marks is left out. */
export function markWords(lines: readonly DiffLine[]): ReadonlyMap<number, readonly MarkedPiece[]> {
  const marked = new Map<number, readonly MarkedPiece[]>();
  for (const { removed, added } of changedPairs(lines)) {
    const pair = compareLines(lines[removed]?.content ?? '', lines[added]?.content ?? '');
    if (pair === undefined) continue;
    marked.set(removed, pair.before);
    marked.set(added, pair.after);
  }
  return marked;
}

/** Of a run of removed lines and the run of added ones behind it: the first with the first, and so on. */
export function changedPairs(
  lines: readonly DiffLine[],
): readonly { readonly removed: number; readonly added: number }[] {
  const pairs: { removed: number; added: number }[] = [];
  for (let at = 0; at < lines.length;) {
    const firstAdded = endOfRun(lines, at, 'removed');
    const end = endOfRun(lines, firstAdded, 'added');
    for (let step = 0; at + step < firstAdded && firstAdded + step < end; step += 1)
      pairs.push({ removed: at + step, added: firstAdded + step });
    at = Math.max(end, at + 1);
  }
  return pairs;
}

function endOfRun(lines: readonly DiffLine[], from: number, kind: DiffLine['kind']): number {
  let end = from;
  while (lines[end]?.kind === kind) end += 1;
  return end;
}

/** Undefined: nothing worth a mark. */
export function compareLines(
  before: string,
  after: string,
): { readonly before: readonly MarkedPiece[]; readonly after: readonly MarkedPiece[] } | undefined {
  const left = wordsOf(before);
  const right = wordsOf(after);
  if (left.length > mostWords || right.length > mostWords) return undefined;
  const common = commonWords(left, right);
  const kept = common.reduce((sum, [at]) => sum + (left[at]?.trim().length ?? 0), 0);
  const longer = Math.max(...[left, right].map((words) => words.join('').replaceAll(/\s/g, '').length));
  if (longer === 0 || kept / longer < leastInCommon) return undefined;
  return {
    before: piecesOf(left, new Set(common.map(([at]) => at))),
    after: piecesOf(right, new Set(common.map(([, at]) => at))),
  };
}

/** Words, runs of spaces, and every other character by itself. */
const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];

/** The longest common subsequence as places in both. */
function commonWords(
  left: readonly string[],
  right: readonly string[],
): readonly (readonly [left: number, right: number])[] {
  const width = right.length + 1;
  const lengths = new Uint16Array((left.length + 1) * width);
  const lengthAt = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = left.length - 1; row >= 0; row -= 1) {
    for (let column = right.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        left[row] === right[column]
          ? lengthAt(row + 1, column + 1) + 1
          : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));
    }
  }
  const common: (readonly [number, number])[] = [];
  for (let row = 0, column = 0; row < left.length && column < right.length;) {
    if (left[row] === right[column]) common.push([row++, column++]);
    else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) row += 1;
    else column += 1;
  }
  return common;
}

/** Neighbours of one kind are one piece; a space between two marked words is marked with them. */
function piecesOf(words: readonly string[], kept: ReadonlySet<number>): readonly MarkedPiece[] {
  const isMarked = (at: number): boolean => !kept.has(at);
  const pieces: { text: string; isMarked: boolean }[] = [];
  words.forEach((word, at) => {
    const isBetween = word.trim() === '' && at > 0 && at + 1 < words.length && isMarked(at - 1) && isMarked(at + 1);
    const mark = isMarked(at) || isBetween;
    const last = pieces.at(-1);
    if (last?.isMarked === mark) last.text += word;
    else pieces.push({ text: word, isMarked: mark });
  });
  return pieces;
}
