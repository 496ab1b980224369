/** The database cannot be written in the middle of a turn: the program says so, loses nothing, and goes on when it can. */
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createTurnJourney, eventsOf, expectAnswer, sentText } from '../kit/turn-journey.ts';

test('a database that another program holds ends the turn with one line and exit code 1, and nothing is lost', async () => {
  const call = {
    name: 'execute_shell_command',
    input: { command: 'echo begun; until [ -e go ]; do sleep 0.05; done' },
  };
  const journey = await createTurnJourney('anthropic', [{ text: 'I work.', calls: [call] }, { text: 'Going on.' }]);
  const live = journey.startAsk(['Work']);
  const { conversationId } = await live.waitFor('tool-progress', ({ text }) => text.includes('begun'));
  const before = live.events().length;
  const database = new DatabaseSync(path.join(journey.stateFolder, 'handrail.sqlite'));
  try {
    database.exec('begin immediate');
    journey.write('go', '');
    const end = await live.ended;
    expect([end.code, end.signal]).toEqual([1, null]);
    // What was shown had been written; what could not be written is not shown.
    expect(eventsOf(end, 'tool-end')).toEqual([]);
    expect(end.stdout.trim().split('\n').at(-1)).toMatch(/^\{"ok":false,.*locked by another program: close it/u);
  } finally {
    database.close();
  }
  await journey.untilQuiet();
  expect(await journey.eventsKept(conversationId)).toHaveLength(before);
  const next = await journey.ask(['--conversation', conversationId, 'What now?']);
  expectAnswer(journey, next, 'Going on.');
  expect(sentText(journey, 1)).toMatch(/unknown whether it had its effect/u);
}, 60_000);
