import { describe, expect, test } from 'vitest';
import { createLineReader, type Line } from './line-reader.ts';

const textOf = (line: Line | undefined) => (line?.kind === 'line' ? line.bytes.toString() : line);

describe('line reader', () => {
  test('a line may come in any pieces, also cut inside a character', () => {
    const whole = Buffer.from('{"a":"größe"}\n{"b":1}\n');
    for (let size = 1; size <= whole.length; size += 1) {
      const reader = createLineReader(1_000);
      const lines: Line[] = [];
      for (let at = 0; at < whole.length; at += size) lines.push(...reader.push(whole.subarray(at, at + size)));
      expect(lines.map(textOf)).toEqual(['{"a":"größe"}', '{"b":1}']);
      expect(reader.end()).toEqual([]);
    }
  });

  test('what stands behind the last newline is a line at the end', () => {
    const reader = createLineReader(1_000);
    expect(reader.push(Buffer.from('one\ntwo')).map(textOf)).toEqual(['one']);
    expect(reader.end().map(textOf)).toEqual(['two']);
  });

  test('a line of exactly the limit is kept, one more byte is too long, and the next line is read', () => {
    const reader = createLineReader(10);
    const lines = reader.push(Buffer.from(`${'x'.repeat(10)}\n${'y'.repeat(11)}\nnext\n`));
    expect(lines.map(textOf)).toEqual(['x'.repeat(10), { kind: 'too-long', totalBytes: 11, id: undefined }, 'next']);
  });

  const filler = 'z'.repeat(5_000);
  test.each([
    ['as the SDK writes it', `{"method":"m","params":{"a":"${filler}"},"jsonrpc":"2.0","id":7}`, 7],
    ['after the version', `{"jsonrpc":"2.0","id":"q-1","method":"m","params":{"a":"${filler}"}}`, 'q-1'],
    ['after the method', `{"jsonrpc":"2.0","method":"tools/call","id":9,"params":{"a":"${filler}"}}`, 9],
    ['before the version at the end', `{"method":"m","params":{"a":"${filler}"},"id":3,"jsonrpc":"2.0"}`, 3],
    ['not when it belongs to an inner object', `{"method":"m","params":{"a":"${filler}","id":4}}`, undefined],
    ['not when it stands in a text', `{"method":"m","params":{"a":"${filler},\\"id\\":4}"}}`, undefined],
  ])('the id of a message that is too long is found %s', (_name, text, id) => {
    const reader = createLineReader(1_000);
    const bytes = Buffer.from(`${text}\n`);
    const lines: Line[] = [];
    for (let at = 0; at < bytes.length; at += 700) lines.push(...reader.push(bytes.subarray(at, at + 700)));
    expect(lines).toEqual([{ kind: 'too-long', totalBytes: text.length, id }]);
  });

  test('a line without an end is not kept in memory', () => {
    const reader = createLineReader(1_000_000);
    const chunk = Buffer.alloc(1_000_000, 'x');
    const before = process.memoryUsage().arrayBuffers;
    for (let count = 0; count < 300; count += 1) reader.push(chunk);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100_000_000);
    expect(reader.end()).toEqual([{ kind: 'too-long', totalBytes: 300_000_000, id: undefined }]);
  });
});
