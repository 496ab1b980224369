/** Arguments that are nearly right: mended where they can mean one thing only, answered with what is wrong otherwise. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { dialectNames } from '../kit/dialect-client.ts';
import { createTurnJourney, eventsOf, expectAnswer, sentText, toolEnds } from '../kit/turn-journey.ts';

describe.each(dialectNames)('handrail ask with %s', (dialect) => {
  test('[K04] takes text for a number where one is wanted, and says so to the model and in the journal', async () => {
    const input = { path: 'a.txt', offset: '2', limit: '1' };
    const journey = await createTurnJourney(dialect, [{ calls: [{ name: 'read_file', input }] }, { text: 'Beta.' }]);
    journey.write('a.txt', 'alpha\nbeta\ngamma\n');
    const end = await journey.ask(['Read line 2']);
    expectAnswer(journey, end, 'Beta.');
    expect(toolEnds(end)[0]?.outcome.data).toMatchObject({ content: expect.stringMatching(/^beta/u) });
    const [start] = eventsOf(end, 'tool-start');
    expect(JSON.parse(start?.input ?? '')).toEqual({ path: 'a.txt', offset: 2, limit: 1 });
    expect(start?.repairs).toEqual([
      'offset was text and is taken as a number',
      'limit was text and is taken as a number',
    ]);
    expect(sentText(journey, 1)).toContain('The arguments were mended: offset was text');
    // What the model itself wrote stays what it wrote.
    expect(sentText(journey, 1)).toMatch(/offset\\?": ?\\?"2/u);
  });
});

describe.each(dialectNames.filter((name) => name !== 'gemini'))('handrail ask with %s', (dialect) => {
  test('[K04] mends JSON that has one reading, and runs nothing of JSON that was cut off', async () => {
    const journey = await createTurnJourney(dialect, [
      {
        calls: [
          { name: 'write_file', rawInput: '```json\n{"path": "a.txt", "content": "one\ntwo",}\n```' },
          { name: 'write_file', rawInput: '{"path": "half.txt", "content": "one\ntw' },
          { name: 'write_file', rawInput: '{"path": "none.txt", "content": }' },
        ],
      },
      { text: 'One of three.' },
    ]);
    const end = await journey.ask(['Write']);
    expectAnswer(journey, end, 'One of three.');
    expect(journey.read('a.txt')).toBe('one\ntwo');
    for (const name of ['half.txt', 'none.txt']) expect(existsSync(path.join(journey.workspace, name))).toBe(false);
    const starts = eventsOf(end, 'tool-start');
    expect(starts.map(({ repairs }) => repairs?.length)).toEqual([3, undefined, undefined]);
    expect(starts[0]?.input).toBe('{"path":"a.txt","content":"one\\ntwo"}');
    expect(starts[1]?.input).toContain('half.txt');
    const text = sentText(journey, 1);
    for (const words of ['they end too early, behind', 'a value is missing or cannot be read at character 33'])
      expect(text.split(words)).toHaveLength(2);
  });
});
