/** Stop in the states that wait for something else than a model or a command: questions, budgets, summaries, MCP, single calls. */
import { describe, expect, test } from 'vitest';
import { services } from '../kit/dialect-client.ts';
import type { LiveProgram, RunEnd } from '../kit/program.ts';
import { createProgramWorld } from '../kit/program.ts';
import { createTurnJourney, eventsOf, expectAnswer, toolEnds, turnEnd } from '../kit/turn-journey.ts';
import type { TurnJourney } from '../kit/turn-journey.ts';

const stopWithinMs = 2_000;
const ctrlC = '\u0003';
const shell = (command: string) => ({ name: 'execute_shell_command', input: { command } });
const sleeper = 'echo begun; sleep 600';

/** How long the program took to end after `stop`. */
async function timed(live: LiveProgram, stop: () => void): Promise<RunEnd & { readonly tookMs: number }> {
  const startedAt = performance.now();
  stop();
  const end = await live.ended;
  return { ...end, tookMs: performance.now() - startedAt };
}

async function stopped(live: LiveProgram, stop: () => void): Promise<RunEnd> {
  const { tookMs, ...end } = await timed(live, stop);
  expect(tookMs).toBeLessThan(stopWithinMs);
  expect([end.code, end.signal]).toEqual([130, null]);
  return end;
}

/** A turn of `handrail ask`: its end says so, it left nothing, and the conversation goes on. */
async function stoppedTurn(journey: TurnJourney, live: LiveProgram, stop = () => live.kill('SIGINT')): Promise<RunEnd> {
  const end = await stopped(live, stop);
  expect(turnEnd(end)).toMatchObject({ reason: 'stopped' });
  await journey.untilQuiet();
  const { conversationId } = turnEnd(end);
  expect((await journey.eventsKept(conversationId)).slice(-end.events.length)).toEqual(end.events);
  journey.writeSettings({});
  expectAnswer(journey, await journey.ask(['--conversation', conversationId, 'Go on']), 'Going on.');
  return end;
}

describe('Stop', () => {
  test('closes the question about a call, which is then not run', async () => {
    const journey = await createTurnJourney('anthropic', [{ calls: [shell('rm -rf kept')] }, { text: 'Going on.' }]);
    journey.write('kept/file.txt', 'x');
    const live = journey.startAsk(['Clean up'], { onTerminal: true });
    await live.waitForText('Number and Enter');
    const end = await stoppedTurn(journey, live, () => live.type(ctrlC));
    expect(toolEnds(end).map(({ outcome }) => outcome.error?.code)).toEqual(['cancelled']);
    expect(journey.read('kept/file.txt')).toBe('x');
  });

  test('closes the question about a budget, and nothing is sent', async () => {
    const journey = await createTurnJourney('gemini', [{ text: 'Going on.' }]);
    journey.writeSettings({ budgets: { day: { tokens: 0 } } });
    const live = journey.startAsk(['Begin'], { onTerminal: true });
    await live.waitForText('Number and Enter');
    await stoppedTurn(journey, live, () => live.type(ctrlC));
    expect(journey.server.requests).toHaveLength(1);
  });

  test('ends the wait for what other programs have reserved', async () => {
    const journey = await createTurnJourney('openai-chat', [
      { text: 'Never whole.', stallAfterEvents: 0 },
      { text: 'Going on.' },
    ]);
    journey.writeSettings({ budgets: { day: { tokens: 10 } } });
    const other = journey.startAsk(['Begin']);
    await expect.poll(() => journey.server.requests.length, { timeout: 20_000 }).toBe(1);
    const live = journey.startAsk(['Begin, too']);
    await live.waitFor('note', ({ text }) => text.includes('waiting for them'));
    const end = await stopped(live, () => live.kill('SIGINT'));
    expect(turnEnd(end)).toMatchObject({ reason: 'stopped' });
    await stoppedTurn(journey, other);
  });

  test('ends the request for a summary', async () => {
    const { model } = services.anthropic;
    const long = 'A long story about herons, reeds and water. '.repeat(110);
    const journey = await createTurnJourney('anthropic', (body) => {
      if (JSON.stringify(body).includes('You summarise the older part of a conversation')) {
        return { text: 'Never whole.', stallAfterEvents: 0 };
      }
      return { text: 'Going on.', usage: { input: 3000, output: 50 } };
    });
    const service = model.split('/')[0];
    journey.writeSettings({ models: [{ service, dialect: 'anthropic', contextWindow: 16_000, maxOutputTokens: 512 }] });
    const first = await journey.ask([long]);
    const { conversationId } = turnEnd(first);
    for (let turn = 0; turn < 12; turn += 1) {
      const live = journey.startAsk(['--conversation', conversationId, long]);
      const asksForSummary = () =>
        journey.server.requests.some(({ text }) => text.includes('You summarise the older part of a conversation'));
      await expect
        .poll(() => asksForSummary() || live.events().some(({ type }) => type === 'turn-end'), { timeout: 20_000 })
        .toBe(true);
      if (!asksForSummary()) {
        await live.ended;
        continue;
      }
      await stoppedTurn(journey, live);
      return;
    }
    expect.unreachable('no summary was asked for');
  });

  test('ends a single call of `run`', async () => {
    const world = createProgramWorld();
    const live = world.start([
      'run',
      'execute_shell_command',
      JSON.stringify({ command: 'touch begun; sleep 600' }),
      '--json',
    ]);
    await expect.poll(() => isThere(world, 'begun'), { timeout: 20_000 }).toBe(true);
    const end = await stopped(live, () => live.kill('SIGINT'));
    expect(JSON.parse(end.stdout)).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    await world.untilQuiet();
  });
});

describe('a second Ctrl-C', () => {
  test('ends the program at once, and the next turn closes what it left open', async () => {
    const journey = await createTurnJourney('openai-responses', [
      { text: 'I work.', calls: [shell(`trap '' INT TERM; ${sleeper}`)] },
      { text: 'Going on.' },
    ]);
    const live = journey.startAsk(['Work']);
    const { conversationId } = await live.waitFor('tool-progress', ({ text }) => text.includes('begun'));
    const { code, tookMs } = await timed(live, () => {
      live.kill('SIGINT');
      setTimeout(() => live.kill('SIGINT'), 100);
    });
    expect(code).toBe(130);
    expect(tookMs).toBeLessThan(stopWithinMs);
    await journey.untilQuiet();
    expectAnswer(journey, await journey.ask(['--conversation', conversationId, 'Go on']), 'Going on.');
    const kept = await journey.eventsKept(conversationId);
    expect(eventsOf({ events: kept }, 'turn-end')).toHaveLength(2);
    expect(eventsOf({ events: kept }, 'tool-end')).toHaveLength(1);
  });
});

function isThere(world: { read(name: string): string }, name: string): boolean {
  try {
    world.read(name);
    return true;
  } catch {
    // Not yet.
    return false;
  }
}
