/** Limits on tokens and dollars: the turn pauses, asks whoever is there, and goes on or ends in plain words. */
import { describe, expect, test } from 'vitest';
import { dialectNames } from '../kit/dialect-client.ts';
import { createTurnJourney, eventsOf, expectAnswer, sentText, turnEnd } from '../kit/turn-journey.ts';
import type { TurnJourney } from '../kit/turn-journey.ts';

/** What a scripted answer takes when it does not say: 100 tokens in, 20 out. */
const perRequest = 120;
const readNotes = { calls: [{ name: 'read_file', input: { path: 'notes.txt' } }] };
const limit = (of: 'conversation' | 'day', budget: object) => ({ budgets: { [of]: budget } });

/** One turn that spends `perRequest`, and its conversation. */
async function spendOnce(journey: TurnJourney): Promise<string> {
  const end = await journey.ask(['Begin']);
  expectAnswer(journey, end, 'Begun.');
  return turnEnd(end).conversationId;
}

describe.each(dialectNames)('with %s, a budget', (dialect) => {
  test('ends a turn between two requests, names limit, spending and setting, and lets the next turn go on', async () => {
    const journey = await createTurnJourney(dialect, [readNotes, { text: 'Read, at last.' }]);
    journey.write('notes.txt', 'alpha\n');
    journey.writeSettings(limit('conversation', { tokens: 100 }));
    const end = await journey.ask(['Read it']);
    expect(turnEnd(end)).toMatchObject({
      reason: 'budget',
      usage: { inputTokens: 100, outputTokens: 20 },
      error: {
        kind: 'budget',
        message: expect.stringMatching(
          /budget of this conversation is used up: 120 of 100 tokens are spent.*"budgets\.conversation\.tokens"/u,
        ),
      },
    });
    expect([end.code, journey.server.requests.length]).toEqual([1, 1]);
    const again = await journey.ask(['--continue', 'Please']);
    expect([turnEnd(again).reason, journey.server.requests.length]).toEqual(['budget', 1]);
    journey.writeSettings(limit('conversation', { tokens: 121 }));
    expectAnswer(journey, await journey.ask(['--continue', 'Now?']), 'Read, at last.');
    expect(sentText(journey, 1)).toContain('alpha');
  });
});

describe('a budget', () => {
  test('asks the person at the terminal, and goes on with one more share after a yes', async () => {
    const journey = await createTurnJourney('anthropic', [{ text: 'Begun.' }, readNotes, { text: 'Read.' }]);
    journey.write('notes.txt', 'alpha\n');
    const id = await spendOnce(journey);
    journey.writeSettings(limit('conversation', { tokens: 100 }));
    const live = journey.startAsk(['--conversation', id, 'Read it'], { onTerminal: true });
    await live.waitForText('Number and Enter');
    expect(live.stderr()).toMatch(/120 of 100 tokens are spent/u);
    live.type('1\n');
    // The share is spent by the first of the two requests.
    const { length } = live.stderr();
    await live.waitForText(/240 of 220 tokens are spent/u, length);
    live.type('1\n');
    expectAnswer(journey, await live.ended, 'Read.');
  });

  test('is no more asked about in a conversation where it was lifted, and ends the turn after a no', async () => {
    const journey = await createTurnJourney('anthropic', (_body, index) => ({
      text: index === 0 ? 'Begun.' : `Turn ${index}.`,
    }));
    const id = await spendOnce(journey);
    journey.writeSettings(limit('day', { usd: 0.0001 }));
    const refused = journey.startAsk(['--conversation', id, 'Go on'], { onTerminal: true });
    await refused.waitForText('Number and Enter');
    refused.type('3\n');
    expect(turnEnd(await refused.ended)).toMatchObject({
      reason: 'budget',
      error: {
        message: expect.stringMatching(/today is used up: \$0\.0006 of \$0\.0001 are spent, and you allowed no/u),
      },
    });
    expect((await refused.ended).code).toBe(1);
    const lifted = journey.startAsk(['--conversation', id, 'Go on'], { onTerminal: true });
    await lifted.waitForText('Number and Enter');
    lifted.type('2\n');
    expectAnswer(journey, await lifted.ended, 'Turn 1.');
    expectAnswer(journey, await journey.ask(['--conversation', id, 'And on']), 'Turn 2.');
    // Another conversation of the same day still has it.
    expect(turnEnd(await journey.ask(['Elsewhere'])).reason).toBe('budget');
  });

  test('is not lifted by --approve all; twin: without a budget the same turn goes on', async () => {
    const journey = await createTurnJourney('openai-chat', () => ({ text: 'Begun.' }));
    const id = await spendOnce(journey);
    journey.writeSettings(limit('conversation', { tokens: 1 }));
    const end = await journey.ask(['--conversation', id, '--approve', 'all', 'Go on']);
    expect(turnEnd(end)).toMatchObject({
      reason: 'budget',
      error: { message: expect.stringContaining('nobody is here') },
    });
    journey.writeSettings({});
    expectAnswer(journey, await journey.ask(['--conversation', id, 'Go on']), 'Begun.');
  });

  test('of a day holds six programs at once to one request beyond it at most', async () => {
    const journey = await createTurnJourney('anthropic', () => ({ text: 'Begun.', delayMs: 20 }));
    const tokens = perRequest * 2 + 60;
    journey.writeSettings(limit('day', { tokens }));
    const ends = await Promise.all(Array.from({ length: 6 }, () => journey.ask(['Begin'])));
    // 0, 120 and 240 are below the limit, 360 is above it.
    expect(ends.map((end) => turnEnd(end).reason).sort()).toEqual([
      ...['answer', 'answer', 'answer', 'budget', 'budget', 'budget'],
    ]);
    expect(journey.server.requests).toHaveLength(3);
  });

  test('is not held up by what a program had reserved that was killed', async () => {
    const journey = await createTurnJourney('anthropic', [
      { text: 'Never whole.', stallAfterEvents: 0 },
      { text: 'Begun.' },
    ]);
    journey.writeSettings(limit('day', { tokens: 10 }));
    const live = journey.startAsk(['Begin']);
    await expect.poll(() => journey.server.requests.length, { timeout: 20_000 }).toBe(1);
    live.kill('SIGKILL');
    await live.ended;
    await spendOnce(journey);
  });

  test('of dollars says when a price is unknown, and counts the tokens of a provider that does not', async () => {
    const journey = await createTurnJourney('openai-chat', () => ({ text: 'Begun.', usage: null }));
    journey.writeSettings({ budgets: { day: { usd: 1, tokens: 1_000_000 } } });
    const end = await journey.ask(['Begin']);
    expectAnswer(journey, end, 'Begun.');
    expect(eventsOf(end, 'note').map(({ text }) => text)).toEqual([
      'The price of openai-chat/acme/tester:1 is unknown, so "budgets.day.usd" cannot count what it costs.',
      'openai-chat/acme/tester:1 did not say how many tokens it took; they are estimated.',
    ]);
    const costs = JSON.parse((await journey.run(['costs', '--json'])).stdout) as { today: { inputTokens: number } };
    expect(costs.today.inputTokens).toBeGreaterThan(500);
  });

  test.each([{ tokens: -1 }, { usd: '5' }, { money: 5 }, { tokens: 1.5 }])(
    'written as %j is refused',
    async (budget) => {
      const journey = await createTurnJourney('openai-chat', []);
      journey.writeSettings(limit('day', budget));
      const end = await journey.ask(['Begin']);
      expect(end.code).toBe(1);
      expect(end.stdout).toContain('budgets.day');
    },
  );
});

describe('costs', () => {
  test('are shown at the end of a turn, and by day, model and conversation', async () => {
    const journey = await createTurnJourney('anthropic', () => ({ text: 'Begun.' }));
    expect((await journey.run(['costs'])).stdout).toMatch(/^Today, \d{4}-\d\d-\d\d: 0 requests · 0 tokens\n$/u);
    const end = await journey.ask(['Begin']);
    expect(turnEnd(end).costUsd).toBeCloseTo(0.0006, 9);
    const text = await journey.run(['ask', 'And again']);
    expect([text.stdout, text.stderr]).toEqual(['Begun.\n', '120 tokens · $0.0006\n']);
    const asJson = JSON.parse((await journey.run(['costs', '--json'])).stdout) as Record<string, unknown>;
    expect(asJson).toMatchObject({
      today: { requests: 2, inputTokens: 200, outputTokens: 40, costUsd: 0.0012 },
      models: [{ model: 'anthropic/claude-sonnet-4-5', requests: 2 }],
      conversations: [{ title: expect.any(String) }, { requests: 1 }],
    });
    await journey.run(['conversations', 'remove', turnEnd(end).conversationId]);
    journey.writeSettings(limit('day', { usd: 5 }));
    const shown = (await journey.run(['costs', '--days', '1'])).stdout;
    expect(shown).toMatch(/^Today, .*: 2 requests · 240 tokens · \$0\.0012 \(limit: \$5\.00\)\nBy model, today:\n/u);
    expect(shown).toContain('(removed)');
  });
});

test('what had come of an answer that was stopped or broke off is counted', async () => {
  const text = 'The heron stands in the reeds and waits for a very long time indeed.';
  const journey = await createTurnJourney('anthropic', [
    { text, chunkChars: 8, stallAfterEvents: 7 },
    { text, chunkChars: 8, cut: 'abrupt', cutAfterEvents: 7 },
  ]);
  journey.writeSettings({ limits: { modelRetries: 0 } });
  const live = journey.startAsk(['Tell me']);
  await live.waitFor('text-delta');
  live.kill('SIGINT');
  expect(turnEnd(await live.ended)).toMatchObject({ reason: 'stopped', costUsd: expect.any(Number) });
  expect(turnEnd(await journey.ask(['Tell me'])).reason).toBe('failed');
  const costs = JSON.parse((await journey.run(['costs', '--json'])).stdout) as { today: { requests: number } };
  expect(costs.today).toMatchObject({ requests: 2, inputTokens: expect.any(Number) });
});
