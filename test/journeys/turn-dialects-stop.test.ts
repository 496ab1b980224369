/** Stop at every moment of a turn, in each dialect: within two seconds, nothing left behind, and the conversation goes on. */
import { describe, expect, test } from 'vitest';
import { dialectNames } from '../kit/dialect-client.ts';
import type { LiveProgram, RunEnd } from '../kit/program.ts';
import {
  createTurnJourney,
  eventsOf,
  expectAccepted,
  expectAnswer,
  sentText,
  toolEnds,
  turnEnd,
} from '../kit/turn-journey.ts';
import type { TurnJourney } from '../kit/turn-journey.ts';

/** What the issue promises. */
const stopWithinMs = 2_000;

async function stop(live: LiveProgram, signal: NodeJS.Signals = 'SIGINT'): Promise<RunEnd> {
  const startedAt = performance.now();
  live.kill(signal);
  const end = await live.ended;
  expect(performance.now() - startedAt).toBeLessThan(stopWithinMs);
  expect([end.code, end.signal]).toEqual([130, null]);
  expect(turnEnd(end)).toMatchObject({ reason: 'stopped' });
  return end;
}

/** The journal holds what was printed, and another process goes on from it. */
async function goOn(journey: TurnJourney, stopped: RunEnd): Promise<void> {
  const { conversationId } = turnEnd(stopped);
  expect(await journey.eventsKept(conversationId)).toEqual(stopped.events);
  const next = await journey.ask(['--conversation', conversationId, 'What was that?']);
  expectAnswer(journey, next, 'Going on.');
  expect(eventsOf(next, 'turn-start')[0]?.seq).toBe(stopped.events.length + 1);
}

const sleeper = 'echo begun; touch begun; sleep 600; touch survived';
const begun = (live: LiveProgram) => live.waitFor('tool-progress', ({ text }) => text.includes('begun'));

describe.each(dialectNames)('Stop with %s', (dialect) => {
  test('ends a command in the middle, and the call beside it keeps its result', async () => {
    const calls = [
      { name: 'read_file', input: { path: 'a.txt' } },
      { name: 'execute_shell_command', input: { command: sleeper } },
    ];
    const journey = await createTurnJourney(dialect, [{ text: 'Two things.', calls }, { text: 'Going on.' }]);
    journey.write('a.txt', 'alpha beta\n');
    const live = journey.startAsk(['Work']);
    await begun(live);
    const end = await stop(live);
    await journey.untilQuiet();
    expect(toolEnds(end).map(({ tool, outcome }) => [tool, outcome.error?.code])).toEqual([
      ['read_file', undefined],
      ['execute_shell_command', 'cancelled'],
    ]);
    expect(turnEnd(end).answer).toBe('Two things.');
    await goOn(journey, end);
    expect(sentText(journey, 1)).toContain('alpha beta');
    expect(sentText(journey, 1)).toContain('Error (cancelled): ');
  });

  test('ends a streaming answer, keeps what had come, and hangs up', async () => {
    const text = 'The heron stands in the reeds and waits for a very long time indeed.';
    const journey = await createTurnJourney(dialect, [
      { text, chunkChars: 8, stallAfterEvents: 7 },
      { text: 'Going on.' },
    ]);
    const live = journey.startAsk(['Tell me']);
    await live.waitFor('text-delta');
    const end = await stop(live);
    await expect.poll(() => journey.server.openAnswers(), { timeout: 2_000 }).toBe(0);
    const [partial] = eventsOf(end, 'model-end');
    expect(partial).toMatchObject({ finish: 'stopped' });
    const { answer } = turnEnd(end);
    expect(answer.length).toBeGreaterThan(8);
    expect(text.startsWith(answer)).toBe(true);
    expect(partial?.message.parts).toEqual([{ type: 'text', text: answer }]);
    await goOn(journey, end);
    expect(sentText(journey, 1)).toContain(answer);
  });

  test('ends a request that is not answered at all', async () => {
    const journey = await createTurnJourney(dialect, [{ text: 'x', stallAfterEvents: 0 }, { text: 'Going on.' }]);
    const live = journey.startAsk(['Are you there?']);
    await expect.poll(() => journey.server.requests.length, { timeout: 20_000 }).toBe(1);
    const end = await stop(live);
    expect(turnEnd(end).answer).toBe('');
    await goOn(journey, end);
  });

  test('ends the wait before a retry', async () => {
    const busy = { error: 'rate_limit', headers: { 'retry-after': '50' } } as const;
    const journey = await createTurnJourney(dialect, [busy, { text: 'Going on.' }]);
    const live = journey.startAsk(['Hello']);
    expect(await live.waitFor('model-retry')).toMatchObject({ kind: 'rate_limit', waitMs: 50_000 });
    const end = await stop(live);
    expectAccepted(journey);
    await goOn(journey, end);
  });
});

describe('Stop', () => {
  test('ends a command that ignores every polite signal and hides its children', async () => {
    const command = `trap '' INT TERM HUP; (setsid sh -c "trap '' INT TERM HUP; sleep 600" &) ; ${sleeper}`;
    const call = { name: 'execute_shell_command', input: { command } };
    const journey = await createTurnJourney('anthropic', [{ calls: [call] }, { text: 'Going on.' }]);
    const live = journey.startAsk(['Work']);
    await begun(live);
    const end = await stop(live);
    await journey.untilQuiet();
    expect(toolEnds(end).map(({ outcome }) => outcome.error?.code)).toEqual(['cancelled']);
    await goOn(journey, end);
  });

  test.each(['SIGTERM', 'SIGHUP'] as const)('%s stops as Ctrl-C does', async (signal) => {
    const call = { name: 'execute_shell_command', input: { command: sleeper } };
    const journey = await createTurnJourney('openai-chat', [{ calls: [call] }, { text: 'Going on.' }]);
    const live = journey.startAsk(['Work']);
    await begun(live);
    const end = await stop(live, signal);
    await journey.untilQuiet();
    expect(toolEnds(end).map(({ outcome }) => outcome.error?.code)).toEqual(['cancelled']);
    await goOn(journey, end);
  });

  test('ends eight commands at once', async () => {
    const calls = Array.from({ length: 8 }, () => ({ name: 'execute_shell_command', input: { command: sleeper } }));
    const journey = await createTurnJourney('gemini', [{ calls }, { text: 'Going on.' }]);
    const live = journey.startAsk(['Work']);
    const seen = new Set<string>();
    await live.waitFor('tool-progress', ({ callId }) => seen.add(callId).size === 8);
    const end = await stop(live);
    await journey.untilQuiet();
    expect(toolEnds(end).map(({ outcome }) => outcome.error?.code)).toEqual(Array(8).fill('cancelled'));
    await goOn(journey, end);
  });
});
