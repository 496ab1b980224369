/** The straight line of ARCHITECTURE.md: its files exist, stay short together, and one message leaves its events in order. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createTurnJourney, expectAnswer } from '../kit/turn-journey.ts';

const root = path.join(import.meta.dirname, '../..');

test('the files that one message passes through have at most 1,200 lines together', () => {
  const text = readFileSync(path.join(root, 'ARCHITECTURE.md'), 'utf8');
  const table = /<!-- message:start -->([\s\S]*?)<!-- message:end -->/.exec(text)?.[1] ?? '';
  const files = [...table.matchAll(/`(src\/[^`]+)`/g)].map((match) => match[1] ?? '');
  expect(files.length).toBeGreaterThan(10);
  const lines = files.map((file) => readFileSync(path.join(root, file), 'utf8').trimEnd().split('\n').length);
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(1_200);
});

test('[K68] one message leaves its events in order', async () => {
  const journey = await createTurnJourney('openai-chat', [
    { text: 'I look.', calls: [{ name: 'read_file', input: { path: 'a.txt' } }] },
    { text: 'It says hello.' },
  ]);
  journey.write('a.txt', 'hello\n');
  const end = await journey.ask(['What', 'does', 'it', 'say?']);
  expectAnswer(journey, end, 'It says hello.');
  const { events } = end;
  const order = events.map((event) => event.type).filter((type) => type !== 'text-delta');
  expect(order).toEqual([
    'turn-start',
    'model-start',
    'model-end',
    'tool-start',
    'tool-end',
    'model-start',
    'model-end',
    'turn-end',
  ]);
  expect(events.map((event) => event.seq)).toEqual(events.map((_, at) => at + 1));
});
