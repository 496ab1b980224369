import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCapture } from './capture-stream.ts';

function capture(chunks: readonly (string | Buffer)[], limits: { maxChars: number; partBytes?: number }) {
  const made = createCapture(limits);
  for (const chunk of chunks) made.write(Buffer.from(chunk));
  return made.finish();
}

describe('a captured stream', () => {
  it('is whole when it fits', () => {
    expect(capture(['a', 'bé', '😀'], { maxChars: 10 })).toEqual({
      stream: { text: 'abé😀', truncated: false, totalBytes: 8 },
      kept: Buffer.from('abé😀'),
    });
    expect(capture([], { maxChars: 10 }).stream).toEqual({ text: '', truncated: false, totalBytes: 0 });
  });

  it('joins characters that came in pieces, and shows broken ones as such', () => {
    const bytes = Buffer.from('aé😀');
    const pieces = [...bytes].map((byte) => Buffer.from([byte]));
    expect(capture(pieces, { maxChars: 10 }).stream.text).toBe('aé😀');
    expect(capture([Buffer.from([0xff, 0x61, 0xc3])], { maxChars: 10 }).stream.text).toBe('\ufffda\ufffd');
  });

  it('[K65] loses its middle, with the true length in its place', () => {
    const { stream, kept } = capture(['head', 'x'.repeat(1_000), 'tail'], { maxChars: 200 });
    expect(stream.truncated).toBe(true);
    expect(stream.text).toMatch(
      /^headx+\n\.\.\. \[\d+ characters left out; the whole output has 1008 bytes\] \.\.\.\nx+tail$/,
    );
    expect(stream.text.length).toBeLessThanOrEqual(200);
    expect(kept.length).toBe(1008);
  });

  it('[E15] keeps the first and the last part of what is longer than both', () => {
    const { stream, kept } = capture(['<'.repeat(50), '0123456789'.repeat(30), '>'.repeat(50)], {
      maxChars: 120,
      partBytes: 100,
    });
    expect(stream.totalBytes).toBe(400);
    const [head = '', tail = ''] = kept.toString().split('\n... [200 of 400 bytes left out here] ...\n');
    expect(head).toBe('<'.repeat(50) + '0123456789'.repeat(5));
    expect(tail).toBe('0123456789'.repeat(5) + '>'.repeat(50));
  });

  it('never splits a character at a cut', () => {
    const { stream, kept } = capture(['aé'.repeat(500)], { maxChars: 101, partBytes: 100 });
    expect(stream.text).not.toContain('\ufffd');
    expect(kept.toString()).not.toContain('\ufffd');
  });

  it('is the same however it was cut into chunks', () => {
    const chunks = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 30 });
    fc.assert(
      fc.property(
        chunks,
        fc.integer({ min: 60, max: 400 }),
        fc.integer({ min: 10, max: 300 }),
        (pieces, maxChars, partBytes) => {
          const whole = Buffer.concat(pieces);
          const inPieces = capture(
            pieces.map((piece) => Buffer.from(piece)),
            { maxChars, partBytes },
          );
          const atOnce = capture([whole], { maxChars, partBytes });
          expect(inPieces.stream).toEqual(atOnce.stream);
          expect(inPieces.kept.equals(atOnce.kept)).toBe(true);
          expect(inPieces.stream.totalBytes).toBe(whole.length);
          expect(inPieces.stream.text.length).toBeLessThanOrEqual(maxChars);
          if (whole.length <= partBytes * 2) expect(inPieces.kept.equals(whole)).toBe(true);
          else expect(inPieces.kept.length).toBeLessThan(partBytes * 2 + 100);
        },
      ),
    );
  });

  it('holds no more memory than both parts, whatever goes through', () => {
    const made = createCapture({ maxChars: 15_000 });
    const chunk = Buffer.alloc(65_536, 'x');
    const before = process.memoryUsage().arrayBuffers;
    for (let count = 0; count < 3_000; count += 1) made.write(chunk);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 1024 * 1024);
    expect(made.finish().stream.totalBytes).toBe(3_000 * 65_536);
  });
});
