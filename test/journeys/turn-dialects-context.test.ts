/** What a model gets to see again, in each dialect: its reasoning, the whole history, unchanged and only longer. */
import { describe, expect, test } from 'vitest';
import { dialectNames } from '../kit/dialect-client.ts';
import type { WireDialectName } from '../kit/model-server.ts';
import { createTurnJourney, eventsOf, expectAnswer, sentText, turnEnd } from '../kit/turn-journey.ts';

const read = { name: 'read_file', input: { path: 'a.txt' } };

describe.each(dialectNames)('a conversation with %s', (dialect) => {
  test('prints the events that the journal keeps, in order, the answer last', async () => {
    const journey = await createTurnJourney(dialect, [
      { reasoning: 'I should look.', text: 'Looking.', calls: [read] },
      { text: 'It says alpha.' },
      { text: 'Alpha, as I said.' },
    ]);
    journey.write('a.txt', 'alpha\n');
    const first = await journey.ask(['What does a.txt say?']);
    expectAnswer(journey, first, 'It says alpha.');
    expect(first.events.map(({ type }) => type)).toEqual([
      ...['turn-start', 'model-start', 'reasoning-delta', 'text-delta', 'model-end', 'tool-start', 'tool-end'],
      ...['model-start', 'text-delta', 'model-end', 'turn-end'],
    ]);
    expect(first.events.map(({ seq }) => seq)).toEqual(first.events.map((_, at) => at + 1));
    expect(new Set(first.events.map(({ turnId }) => turnId)).size).toBe(1);
    const { conversationId } = turnEnd(first);
    expect(await journey.eventsKept(conversationId)).toEqual(first.events);

    const second = await journey.ask(['--conversation', conversationId, 'Are you sure?']);
    expectAnswer(journey, second, 'Alpha, as I said.');
    expect(second.events[0]).toMatchObject({ type: 'turn-start', seq: first.events.length + 1, conversationId });
    expect(await journey.eventsKept(conversationId)).toEqual([...first.events, ...second.events]);
  });

  test('adds up the usage of a turn', async () => {
    const journey = await createTurnJourney(dialect, [
      { calls: [read], usage: { input: 1_000, output: 50, cached: 200, reasoning: 20 } },
      { text: 'Done.', usage: { input: 1_100, output: 7, cached: 900, reasoning: 0 } },
    ]);
    journey.write('a.txt', 'alpha\n');
    const end = await journey.ask(['Read it']);
    expectAnswer(journey, end, 'Done.');
    // Anthropic reports its reasoning as part of the output only.
    const reasoningTokens = dialect === 'anthropic' ? 0 : 20;
    expect(eventsOf(end, 'model-end').map(({ usage }) => usage)).toEqual([
      { inputTokens: 1_000, outputTokens: 50, cachedInputTokens: 200, reasoningTokens },
      { inputTokens: 1_100, outputTokens: 7, cachedInputTokens: 900, reasoningTokens: 0 },
    ]);
    expect(turnEnd(end).usage).toEqual({
      inputTokens: 2_100,
      outputTokens: 57,
      cachedInputTokens: 1_100,
      reasoningTokens,
    });
  });

  test('sends reasoning and its signature back, in the turn and from another process', async () => {
    const journey = await createTurnJourney(dialect, [
      { reasoning: 'First thought.', signature: 'c2lnbmVkLW9uZQ==', calls: [read] },
      { reasoning: 'Second thought.', signature: 'c2lnbmVkLXR3bw==', text: 'It says alpha.' },
      { text: 'Quite sure.' },
    ]);
    journey.write('a.txt', 'alpha\n');
    const first = await journey.ask(['What does a.txt say?']);
    expectAnswer(journey, first, 'It says alpha.');
    const second = await journey.ask(['--conversation', turnEnd(first).conversationId, 'Sure?']);
    expectAnswer(journey, second, 'Quite sure.');
    if (dialect === 'openai-chat') {
      // No signatures there: the reasoning itself goes back, and only with the calls it led to.
      for (const at of [1, 2]) expect(sentText(journey, at)).toContain('"reasoning_content":"First thought."');
      expect(sentText(journey, 2)).not.toContain('Second thought.');
      return;
    }
    for (const at of [1, 2]) expect(sentText(journey, at)).toContain('c2lnbmVkLW9uZQ==');
    expect(sentText(journey, 2)).toContain('c2lnbmVkLXR3bw==');
  });

  test('only ever adds to what was sent, so that caches of prompts hold', async () => {
    const journey = await createTurnJourney(dialect, [
      { reasoning: 'Hm.', signature: 'c2lnbmVk', text: 'Looking.', calls: [read, read] },
      { calls: [{ name: 'no_such_tool', input: { a: [1, { b: null }] } }] },
      { text: 'It says alpha.' },
      { calls: [{ name: 'execute_shell_command', input: { command: 'echo hi' } }] },
      { text: 'Hi.' },
    ]);
    journey.write('a.txt', 'alpha\n');
    const first = await journey.ask(['What does a.txt say?']);
    expectAnswer(journey, first, 'It says alpha.');
    const second = await journey.ask(['--continue', 'And the shell?']);
    expectAnswer(journey, second, 'Hi.');
    expect(journey.server.requests).toHaveLength(5);
    const sent = journey.server.requests.map(({ body }) => partsOf(dialect, body));
    for (const [at, { fixed, messages }] of sent.entries()) {
      const before = sent[at - 1];
      if (before === undefined) continue;
      expect(fixed).toEqual(before.fixed);
      expect(messages.length).toBeGreaterThan(before.messages.length);
      expect(messages.slice(0, before.messages.length)).toEqual(before.messages);
    }
  });
});

/** A request as what should never change and what should only grow. */
function partsOf(dialect: WireDialectName, body: Record<string, unknown>) {
  const name = { 'openai-chat': 'messages', 'openai-responses': 'input', anthropic: 'messages', gemini: 'contents' }[
    dialect
  ];
  // Marks where a cache may end move on with the conversation and are no part of what is cached.
  const plain = JSON.parse(JSON.stringify(body, (at, value: unknown) => (at === 'cache_control' ? undefined : value)));
  const { [name]: messages, ...fixed } = plain as Record<string, unknown>;
  return { fixed, messages: messages as readonly unknown[] };
}
