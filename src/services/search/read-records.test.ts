import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHitReader, createNameReader, maxLineBytes, type RawHit } from './read-records.ts';

function feed(read: (chunk: Buffer) => boolean, data: Buffer, sizes: readonly number[]): void {
  let at = 0;
  for (let index = 0; at < data.length; index += 1) {
    const size = sizes[index % sizes.length] ?? 1;
    if (!read(data.subarray(at, at + size))) return;
    at += size;
  }
}

const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });

describe('records', () => {
  it('names come whole however the output is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[^\0]{1,12}$/)), sizes, (names, cuts) => {
        const seen: string[] = [];
        feed(
          createNameReader((name) => seen.push(name.toString()) > 0),
          Buffer.from(names.map((name) => `${name}\0`).join('')),
          cuts,
        );
        expect(seen).toEqual(names.map((name) => Buffer.from(name).toString()));
      }),
    );
  });

  it('hits come whole however the output is cut, names with line breaks and lines with colons included', () => {
    const hit = fc.record({
      path: fc.stringMatching(/^[a-z\n:]{1,8}$/),
      lineNumber: fc.nat(),
      offset: fc.nat(),
      line: fc.stringMatching(/^[a-z:\0 ]{0,20}$/),
    });
    fc.assert(
      fc.property(fc.array(hit), sizes, (hits, cuts) => {
        const seen: unknown[] = [];
        const data = Buffer.from(
          hits.map(({ path, lineNumber, offset, line }) => `${path}\0${lineNumber}:${offset}:${line}\n`).join(''),
        );
        feed(
          createHitReader((raw) => seen.push({ ...raw, path: raw.path.toString(), line: raw.line.toString() }) > 0),
          data,
          cuts,
        );
        expect(seen).toEqual(hits);
      }),
    );
  });

  it('keeps only the beginning of a very long line, and the reader after it is not confused', () => {
    const seen: RawHit[] = [];
    feed(
      createHitReader((hit) => seen.push(hit) > 0),
      Buffer.from(`a\x001:0:${'x'.repeat(1_000_000)}\nb\x002:5:short\n`),
      [65_536],
    );
    expect(seen.map((hit) => [hit.path.toString(), hit.lineNumber, hit.line.length])).toEqual([
      ['a', 1, maxLineBytes],
      ['b', 2, 5],
    ]);
  });

  it("does not take ripgrep's remark on a binary file for a part of the next name", () => {
    const seen: string[] = [];
    const remark = './a.bin: WARNING: stopped searching binary file after match (found "\\0" byte around offset 9)\n';
    feed(
      createHitReader((hit) => seen.push(hit.path.toString()) > 0),
      Buffer.from(`./a.bin\x001:0:x\n${remark}./b\x001:0:y\n`),
      [7],
    );
    expect(seen).toEqual(['./a.bin', './b']);
  });

  it('stops when it is told to', () => {
    let count = 0;
    const read = createNameReader(() => ++count < 2);
    expect(read(Buffer.from('a\0b\0c\0'))).toBe(false);
    expect(count).toBe(2);
  });
});
