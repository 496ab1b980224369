import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { countLogBytes } from './log-parts.ts';
import { readLogPage } from './read-log.ts';
import { createLogWriter, type LogLimits } from './write-log.ts';

const small: LogLimits = { headBytes: 100, tailBytes: 100, partBytes: 20 };

function openLog(limits?: LogLimits) {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const log = createLogWriter(folder, limits);
  const page = (offset = 0, limit = 1000, isRunning = true) => {
    const { bytes, lines } = log.totals();
    return readLogPage({ folder, offset, limit, isRunning, totals: isRunning ? undefined : { bytes, lines } });
  };
  return { folder, log, write: (text: string | Buffer) => log.write(Buffer.from(text)), page };
}

const numbered = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => `line ${from + index}\n`).join('');

test('[K64] a log is paged by lines: 10 to 20 of 100', () => {
  const { write, page } = openLog();
  write(numbered(0, 100));
  expect(page(10, 10)).toEqual({
    lines: numbered(10, 20).trimEnd().split('\n'),
    offset: 10,
    totalLines: 100,
    nextOffset: 20,
    hasMore: true,
    notes: [],
  });
  expect(page(95).lines).toHaveLength(5);
  expect(page(100)).toMatchObject({ lines: [], totalLines: 100, nextOffset: 100, hasMore: false });
  expect(page(7_000_000)).toMatchObject({ lines: [], totalLines: 100, hasMore: false });
  expect(page(99, 10, false)).toEqual({ lines: ['line 99'], offset: 99, totalLines: 100, hasMore: false, notes: [] });
  expect(page(-2, 10, false)).toMatchObject({ lines: ['line 98', 'line 99'], offset: 98 });
  expect(page(-1000, 1)).toMatchObject({ lines: ['line 0'], offset: 0, nextOffset: 1 });
});

test('[S31] what was written is there at once, and a line that is not whole yet comes again when it is', () => {
  const { write, page } = openLog();
  expect(page()).toMatchObject({ lines: [], totalLines: 0, nextOffset: 0 });
  write('one\ntw');
  expect(page()).toMatchObject({ lines: ['one', 'tw'], totalLines: 2, nextOffset: 1, hasMore: false });
  write('o\r\nthree\n');
  expect(page(1)).toMatchObject({ lines: ['two', 'three'], totalLines: 3, nextOffset: 3 });
});

test('a log keeps its first and last part, counts everything, and says what is missing', () => {
  const { folder, write, page, log } = openLog(small);
  for (let line = 0; line < 1000; line += 1) write(numbered(line, line + 1));
  const size = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  expect(size).toBeLessThanOrEqual(100 + 100 + 20);
  const whole = page(0, 1000, false);
  expect(whole.totalLines).toBe(1000);
  expect(whole.lines.slice(0, 3)).toEqual(['line 0', 'line 1', 'line 2']);
  expect(whole.lines.at(-1)).toBe('line 999');
  expect(whole.notes).toEqual([expect.stringMatching(/^\d+ bytes between line \d+ and line \d+ were not kept/u)]);
  expect(log.totals()).toEqual({ bytes: numbered(0, 1000).length, lines: 1000, lostBytes: 0 });
  expect(countLogBytes(folder)).toBe(log.totals().bytes);
  // Numbers stay true behind the gap, and a page that begins in it goes on behind it.
  expect(page(990, 2).lines).toEqual(['line 990', 'line 991']);
  expect(page(500, 1).lines[0]).toMatch(/^\.\.\. /u);
  // The twin: with room for all of it nothing is missing.
  const roomy = openLog();
  roomy.write(numbered(0, 1000));
  expect(roomy.page(0, 1000, false)).toMatchObject({ notes: [], totalLines: 1000, lines: { length: 1000 } });
});

test('one endless line is cut for reading, and neither bytes nor broken characters stop the log', () => {
  const { write, page } = openLog();
  write('x'.repeat(3_000_000));
  const [line = ''] = page().lines;
  expect(line.length).toBeLessThanOrEqual(2_000);
  expect(line).toContain('3000000 bytes, its middle left out');
  write(Buffer.from([0x0a, 0xff, 0x00, 0xfe, 0x0a]));
  expect(page(1).lines).toEqual(['\uFFFD\0\uFFFD']);
});

test('a page ends early rather than being longer than a model can read, and the next one goes on', () => {
  const { write, page } = openLog();
  write(`${'y'.repeat(999)}\n`.repeat(100));
  const seen: string[] = [];
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const next = page(offset, 2_000, false);
    expect(next.lines.join('\n').length).toBeLessThanOrEqual(15_000);
    seen.push(...next.lines);
    offset = next.nextOffset;
  }
  expect(seen).toHaveLength(100);
});

test('a disk without room costs lines of the log, never the job: what comes later is kept again', () => {
  const { folder, write, page, log } = openLog();
  write('before\n');
  // No file can be made there: as on a full disk, where no file gets another block.
  const hidden = `${folder}-hidden`;
  const lost = createLogWriter(hidden);
  lost.write(Buffer.from('nobody keeps this\n'));
  expect(lost.totals()).toEqual({ bytes: 18, lines: 1, lostBytes: 18 });
  expect(lost.beginning()).toBe('nobody keeps this\n');
  expect(page().lines).toEqual(['before']);
  expect(log.totals().lostBytes).toBe(0);
});
