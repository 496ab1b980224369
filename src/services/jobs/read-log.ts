/** Reads pages of a job's log by line number, while the job writes and long after. */
import { truncateMiddle } from '../../base/truncate-middle.ts';
import type { Jobs } from '../../contract/jobs.ts';
import { type LogSegment, readSegments } from './log-parts.ts';

export type LogPage = Awaited<ReturnType<Jobs['log']>>;

export type LogRequest = {
  readonly folder: string;
  /** Negative: so many lines before the end. */
  readonly offset: number;
  readonly limit: number;
  /** More may come: the page then says where to go on. */
  readonly isRunning: boolean;
  /** As counted when it was written; undefined while the job runs. */
  readonly totals: { readonly bytes: number; readonly lines: number } | undefined;
};

/** A page is for a model to read: longer lines lose their middle, and a fuller page ends earlier. */
const maxLineChars = 2_000;
const maxPageChars = 15_000;
const newline = 0x0a;

type Line = {
  /** 0-based, counting those that were not kept. */
  readonly index: number;
  readonly bytes: Buffer;
  /** Something before it was not kept, and perhaps its own beginning. */
  readonly followsGap: boolean;
};

export function readLogPage({ folder, limit, isRunning, totals, ...wanted }: LogRequest): LogPage {
  const segments = readSegments(folder);
  const kept = countLines(segments.at(-1));
  const totalLines = Math.max(kept.all, totals?.lines ?? 0);
  const offset = wanted.offset < 0 ? Math.max(0, totalLines + wanted.offset) : wanted.offset;
  const lines: string[] = [];
  let chars = 0;
  let nextOffset: number | undefined;
  for (const line of linesFrom(segments, offset)) {
    const text = show(line);
    chars += text.length + 1;
    if (lines.length >= limit || (lines.length > 0 && chars > maxPageChars)) {
      nextOffset = line.index;
      break;
    }
    lines.push(text);
  }
  const hasMore = nextOffset !== undefined;
  // A line that is still being written is shown again when it is whole.
  if (isRunning) nextOffset ??= Math.max(offset, kept.whole);
  return {
    lines,
    offset,
    totalLines,
    ...(nextOffset === undefined ? {} : { nextOffset }),
    hasMore,
    notes: describeGaps(segments, totals?.bytes),
  };
}

function* linesFrom(segments: readonly LogSegment[], offset: number): Generator<Line> {
  for (const { startByte, startLine, bytes } of segments) {
    let index = startLine;
    for (let start = 0; start < bytes.length; index += 1) {
      const found = bytes.indexOf(newline, start);
      const end = found < 0 ? bytes.length : found;
      const followsGap = start === 0 && startByte > 0;
      if (index >= offset) yield { index, bytes: bytes.subarray(start, end), followsGap };
      start = end + 1;
    }
  }
}

function countLines(last: LogSegment | undefined): { readonly whole: number; readonly all: number } {
  if (last === undefined) return { whole: 0, all: 0 };
  const whole = last.startLine + countLineEnds(last.bytes);
  return { whole, all: last.bytes.length === 0 || last.bytes.at(-1) === newline ? whole : whole + 1 };
}

function show({ bytes, followsGap }: Line): string {
  // Four bytes make at least one character: beyond that nothing of the middle can be shown.
  const window = maxLineChars * 4;
  const shown =
    bytes.length <= window * 2 ? bytes : Buffer.concat([bytes.subarray(0, window), bytes.subarray(-window)]);
  const text = shown.toString('utf8').replace(/\r$/, '');
  const cut = truncateMiddle(
    text,
    maxLineChars,
    () => ` ... [a line of ${bytes.length} bytes, its middle left out] ... `,
  );
  return followsGap ? `... ${cut}` : cut;
}

function describeGaps(segments: readonly LogSegment[], totalBytes: number | undefined): readonly string[] {
  const notes: string[] = [];
  let endByte = 0;
  let endLine = 0;
  for (const { startByte, startLine, bytes } of segments) {
    if (startByte > endByte) notes.push(gapNote(startByte - endByte, endLine, startLine));
    endByte = startByte + bytes.length;
    endLine = startLine + countLineEnds(bytes);
  }
  if (totalBytes !== undefined && totalBytes > endByte) {
    notes.push(`The last ${totalBytes - endByte} bytes were not kept: the disk had no room for them.`);
  }
  return notes;
}

function gapNote(bytes: number, endLine: number, startLine: number): string {
  return `${bytes} bytes between line ${endLine} and line ${startLine} were not kept: a log keeps the first and the last 5 MB, and what the disk has room for.`;
}

function countLineEnds(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) count += 1;
  return count;
}
