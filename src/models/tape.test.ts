import { expect, test } from 'vitest';
import { createTape } from './tape.ts';

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
const bytesOf = (word: string): Buffer => Buffer.from(word);

test('a tape grows, and what it was before stays as it is', () => {
  const empty = createTape(bytesOf('['));
  const lengths = [1, 2, 5, 300, 1, 7];
  const tapes = [empty];
  for (const [at, length] of lengths.entries())
    tapes.push((tapes[at] ?? empty).add(bytesOf(String(at).repeat(length))));
  const words = lengths.map((length, at) => String(at).repeat(length));
  expect(tapes.map((tape) => text(tape.bytes))).toEqual(
    [0, 1, 2, 3, 4, 5, 6].map((n) => `[${words.slice(0, n).join('')}`),
  );
});

test('two that go on from the same tape have ends of their own', () => {
  const common = createTape(bytesOf('common ')).add(bytesOf('beginning '));
  const left = common.add(bytesOf('left'));
  const right = common.add(bytesOf('right'));
  const longer = left.add(bytesOf(' and on'));
  expect([common, left, right, longer].map((tape) => text(tape.bytes))).toEqual([
    'common beginning ',
    'common beginning left',
    'common beginning right',
    'common beginning left and on',
  ]);
});
