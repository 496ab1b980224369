/** The difference between two texts as the lines of a unified diff. */
import { alignLines, type Step } from './align-lines.ts';

export type DifferenceLine = {
  readonly kind: 'context' | 'added' | 'removed' | 'hunk';
  readonly oldLine?: number;
  readonly newLine?: number;
  readonly content: string;
};

export type Difference = {
  readonly lines: readonly DifferenceLine[];
  readonly added: number;
  readonly removed: number;
};

/** Beyond this many lines a diff is not read by anyone; the rest is counted. */
const maxShownLines = 2_000;
/** Beyond this much changed text the lines are not aligned: nobody asks which of a million lines correspond. */
const maxAlignedChars = 2_000_000;
const noLineEnd = '\\ No newline at end of file';

/**
 * What both texts begin and end with is set aside first, so that a small edit of a large file costs a comparison. Line
 * ends belong to their lines: a changed CRLF or a missing last one shows.
 */
export function diffLines(oldText: string, newText: string, context = 3): Difference {
  if (oldText === newText) return { lines: [], added: 0, removed: 0 };
  const { start, oldEnd, newEnd } = findChangedPart(oldText, newText, context);
  if (oldEnd - start + newEnd - start > maxAlignedChars) return replaceBlock(oldText, newText, start, oldEnd, newEnd);
  const oldLines = splitLines(oldText.slice(start, oldEnd));
  const newLines = splitLines(newText.slice(start, newEnd));
  const steps = alignLines(oldLines, newLines);
  const before = countLineEnds(oldText, start);
  const lines = toHunks(steps, oldLines, newLines, before, context);
  const added = steps.filter((step) => step.kind === 'added').length;
  const removed = steps.filter((step) => step.kind === 'removed').length;
  if (lines.length <= maxShownLines) return { lines, added, removed };
  const rest = lines.slice(maxShownLines).filter((line) => line.kind === 'added' || line.kind === 'removed').length;
  return { lines: [...lines.slice(0, maxShownLines), moreLines(rest)], added, removed };
}

/** All old lines go, all new ones come; the first of both are shown. */
function replaceBlock(oldText: string, newText: string, start: number, oldEnd: number, newEnd: number): Difference {
  const before = countLineEnds(oldText, start);
  const removed = countLineEnds(oldText, oldEnd) - before + (oldText.endsWith('\n') || oldEnd < oldText.length ? 0 : 1);
  const added = countLineEnds(newText, newEnd) - before + (newText.endsWith('\n') || newEnd < newText.length ? 0 : 1);
  const first = (text: string, end: number): readonly string[] =>
    splitLines(text.slice(start, Math.min(end, start + 1_000_000))).slice(0, maxShownLines / 2);
  const gone = first(oldText, oldEnd).map((line, index): DifferenceLine => ({
    kind: 'removed',
    oldLine: before + index + 1,
    content: withoutEnd(line),
  }));
  const come = first(newText, newEnd).map((line, index): DifferenceLine => ({
    kind: 'added',
    newLine: before + index + 1,
    content: withoutEnd(line),
  }));
  const header: DifferenceLine = { kind: 'hunk', content: `@@ -${before + 1},${removed} +${before + 1},${added} @@` };
  return { lines: [header, ...gone, ...come, moreLines(added + removed - gone.length - come.length)], added, removed };
}

function moreLines(count: number): DifferenceLine {
  return { kind: 'hunk', content: `@@ ${count.toLocaleString('en-US')} more changed lines are not shown @@` };
}

function withoutEnd(line: string): string {
  return line.endsWith('\n') ? line.slice(0, -1) : line;
}

/** In whole lines, with up to `context` equal ones on both sides. */
function findChangedPart(
  oldText: string,
  newText: string,
  context: number,
): { start: number; oldEnd: number; newEnd: number } {
  const shorter = Math.min(oldText.length, newText.length);
  const same = countSame(shorter, (from, to) => oldText.slice(from, to) === newText.slice(from, to));
  let start = oldText.lastIndexOf('\n', same - 1) + 1;
  if (same === 0) start = 0;
  for (let count = 0; count < context && start > 0; count += 1)
    start = start < 2 ? 0 : oldText.lastIndexOf('\n', start - 2) + 1;
  const sameAtEnd = countSame(
    shorter - start,
    (from, to) => sliceFromEnd(oldText, from, to) === sliceFromEnd(newText, from, to),
  );
  let tail = sameAtEnd;
  const lineStart = oldText.indexOf('\n', oldText.length - sameAtEnd);
  const isAtLineStart =
    sameAtEnd > 0 &&
    oldText[oldText.length - sameAtEnd - 1] === '\n' &&
    newText[newText.length - sameAtEnd - 1] === '\n';
  if (!isAtLineStart) tail = lineStart < 0 ? 0 : oldText.length - lineStart - 1;
  for (let count = 0; count < context && tail > 0; count += 1) {
    const end = oldText.indexOf('\n', oldText.length - tail);
    tail = end < 0 ? 0 : oldText.length - end - 1;
  }
  return { start, oldEnd: oldText.length - tail, newEnd: newText.length - tail };
}

function sliceFromEnd(text: string, from: number, to: number): string {
  return text.slice(text.length - to, text.length - from);
}

/** How many characters are equal, in steps of a size that the engine compares at memory speed. */
function countSame(length: number, isSame: (from: number, to: number) => boolean): number {
  let known = 0;
  for (let step = 65_536; step >= 1; step = Math.floor(step / 16)) {
    while (known + step <= length && isSame(known, known + step)) known += step;
  }
  return known;
}

function splitLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function countLineEnds(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

function toHunks(
  steps: readonly Step[],
  oldLines: readonly string[],
  newLines: readonly string[],
  before: number,
  context: number,
): readonly DifferenceLine[] {
  const lines: DifferenceLine[] = [];
  for (const [first, last] of hunkRanges(steps, context)) {
    const hunk = steps.slice(first, last);
    const oldCount = hunk.filter((step) => step.kind !== 'added').length;
    const newCount = hunk.filter((step) => step.kind !== 'removed').length;
    const [oldAt, newAt] = [hunk[0]?.oldAt ?? 0, hunk[0]?.newAt ?? 0];
    // A side with no lines is counted from the line before it, as diff(1) does.
    const shownAt = (at: number, count: number): number => before + at + (count === 0 ? 0 : 1);
    lines.push({
      kind: 'hunk',
      content: `@@ -${shownAt(oldAt, oldCount)},${oldCount} +${shownAt(newAt, newCount)},${newCount} @@`,
    });
    for (const step of hunk) lines.push(...toLines(step, oldLines, newLines, before));
  }
  return lines;
}

function toLines(
  { kind, oldAt, newAt }: Step,
  oldLines: readonly string[],
  newLines: readonly string[],
  before: number,
): readonly DifferenceLine[] {
  const text = (kind === 'added' ? newLines[newAt] : oldLines[oldAt]) ?? '';
  const line: DifferenceLine = {
    kind,
    ...(kind !== 'added' && { oldLine: before + oldAt + 1 }),
    ...(kind !== 'removed' && { newLine: before + newAt + 1 }),
    content: withoutEnd(text),
  };
  return text.endsWith('\n') ? [line] : [line, { kind: 'hunk', content: noLineEnd }];
}

/** Changes with no more than twice the context between them share a hunk. */
function hunkRanges(steps: readonly Step[], context: number): readonly (readonly [number, number])[] {
  const ranges: [number, number][] = [];
  for (const [index, step] of steps.entries()) {
    if (step.kind === 'context') continue;
    const last = ranges.at(-1);
    if (last !== undefined && index - context <= last[1]) last[1] = Math.min(steps.length, index + context + 1);
    else ranges.push([Math.max(0, index - context), Math.min(steps.length, index + context + 1)]);
  }
  return ranges;
}
