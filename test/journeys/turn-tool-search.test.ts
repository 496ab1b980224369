/** Tools that are not in the first request: a model finds them, calls them by name, and the request only grows at its end. */
import { describe, expect, test } from 'vitest';
import { dialectNames } from '../kit/dialect-client.ts';
import { createTurnJourney, expectAnswer, turnEnd } from '../kit/turn-journey.ts';
import type { TurnJourney } from '../kit/turn-journey.ts';

/** The names in a request, in order, whatever its dialect calls the list. */
function toolNames({ server }: TurnJourney, at: number): readonly string[] {
  const tools = JSON.stringify(server.requests[at]?.body['tools'] ?? []);
  return [...tools.matchAll(/"name":"([a-z0-9_]+)","(?:description|parameters|input_schema)/gu)].map(
    (hit) => hit[1] ?? '',
  );
}

describe.each(dialectNames)('tool search with %s', (dialect) => {
  test('[K02] a found tool is offered behind the others in the very next round, and in later turns', async () => {
    const journey = await createTurnJourney(dialect, [
      { calls: [{ name: 'find_tools', input: { query: 'copy a file' } }] },
      { calls: [{ name: 'filesystem', input: { action: 'copy', path: 'a.txt', destination: 'b.txt' } }] },
      { text: 'Copied.' },
      { text: 'Still copied.' },
    ]);
    journey.write('a.txt', 'alpha\n');
    const end = await journey.ask(['Call a.txt b.txt from now on']);
    expectAnswer(journey, end, 'Copied.');
    expect(journey.read('b.txt')).toBe('alpha\n');
    const first = toolNames(journey, 0);
    expect(first).toContain('find_tools');
    expect(first).not.toContain('filesystem');
    const second = toolNames(journey, 1);
    expect(second.slice(0, first.length)).toEqual(first);
    expect(second.slice(first.length)).toContain('filesystem');
    expect(toolNames(journey, 2)).toEqual(second);

    const again = await journey.ask(['--conversation', turnEnd(end).conversationId, 'Sure?']);
    expectAnswer(journey, again, 'Still copied.');
    expect(toolNames(journey, 3)).toEqual(second);
  });

  test('[K02] a tool that was not looked for first is called all the same', async () => {
    const journey = await createTurnJourney(dialect, [
      { calls: [{ name: 'get_local_time', input: {} }] },
      { text: 'It is late.' },
    ]);
    expectAnswer(journey, await journey.ask(['What time is it?']), 'It is late.');
  });
});

test('[K78] nothing that is switched off is offered, found or named', async () => {
  const journey = await createTurnJourney('openai-chat', [
    { calls: [{ name: 'find_tools', input: { query: 'filesystem move' } }] },
    { text: 'There is none.' },
  ]);
  journey.writeSettings({ tool_enabled_filesystem: false });
  expectAnswer(journey, await journey.ask(['Move it']), 'There is none.');
  const [, second] = journey.server.requests;
  expect(toolNames(journey, 1)).not.toContain('filesystem');
  const result = second?.text ?? '';
  expect(result.replaceAll('filesystem move', '')).not.toContain('filesystem');
});

test('the first request of the default profile has at most 8 KB', async () => {
  const journey = await createTurnJourney('openai-chat', [{ text: 'Hello.' }]);
  await journey.ask(['Hello']);
  expect(Buffer.byteLength(JSON.stringify(journey.server.requests[0]?.body))).toBeLessThanOrEqual(8 * 1024);
});
