/** When a turn ends although its model would go on: rounds, repeats, and one last request without tools. */
import { describe, expect, test } from 'vitest';
import { dialectNames } from '../kit/dialect-client.ts';
import type { Turn } from '../kit/model-server.ts';
import { createTurnJourney, eventsOf, expectAccepted, expectAnswer, sentText, turnEnd } from '../kit/turn-journey.ts';
import type { TurnJourney } from '../kit/turn-journey.ts';

const read = (offset: number) => ({ name: 'read_file', input: { path: 'a.txt', offset } });
const offersTools = (body: Record<string, unknown>) => Array.isArray(body['tools']) && body['tools'].length > 0;

/** Calls as long as it is offered tools; then it answers. */
function calling(next: (round: number) => Turn) {
  return (body: Record<string, unknown>, index: number): Turn =>
    offersTools(body) ? next(index) : { text: 'So far so good.' };
}

/** Which requests offered tools. */
const offers = ({ server }: TurnJourney) => server.requests.map(({ body }) => offersTools(body));

describe.each(dialectNames)('handrail ask with %s', (dialect) => {
  test('[K70] asks for the best answer without tools after 15 rounds, and goes on in the next turn', async () => {
    const journey = await createTurnJourney(
      dialect,
      calling((round) =>
        round > 15 ? { text: 'A new turn.' } : { text: `Round ${round}.`, calls: [read(round + 1)] },
      ),
    );
    journey.write('a.txt', 'line\n'.repeat(40));
    const end = await journey.ask(['Read on and on']);
    expectAccepted(journey);
    expect(offers(journey)).toEqual([...Array(15).fill(true), false]);
    expect(turnEnd(end)).toMatchObject({ reason: 'rounds', answer: 'So far so good.', rounds: 16 });
    expect(end.code).toBe(0);
    expect(eventsOf(end, 'tool-end')).toHaveLength(15);
    expect(sentText(journey, 15)).toMatch(/No more tool calls.*15 rounds/u);
    const next = await journey.ask(['--continue', 'Go on']);
    expectAnswer(journey, next, 'A new turn.');
    expect(offers(journey).at(-1)).toBe(true);
  });

  test('[K71] stops after three rounds with the same calls, however they are written', async () => {
    const same = ['{"path":"a.txt","offset":2}', '{ "offset": 2, "path": "a.txt" }', '{"offset":2,"path":"a.txt"}'];
    const journey = await createTurnJourney(
      dialect,
      calling((round) => ({ calls: [{ name: 'read_file', rawInput: same[round] ?? '{}' }] })),
    );
    journey.write('a.txt', 'one\ntwo\n');
    const end = await journey.ask(['Read it']);
    expectAccepted(journey);
    expect(offers(journey)).toEqual([true, true, true, false]);
    expect(turnEnd(end)).toMatchObject({ reason: 'repeat', answer: 'So far so good.' });
    expect(end.code).toBe(0);
  });
});

describe('a turn ends', () => {
  test('[K71] when two calls take turns twice', async () => {
    const journey = await createTurnJourney(
      'anthropic',
      calling((round) => ({ calls: [read(1 + (round % 2))] })),
    );
    journey.write('a.txt', 'one\ntwo\n');
    expect(turnEnd(await journey.ask(['Read it'])).reason).toBe('repeat');
    expect(offers(journey)).toEqual([true, true, true, true, false]);
  });

  test('[K71] not when the third call differs', async () => {
    const turns = [
      { calls: [read(1)] },
      { calls: [read(1)] },
      { calls: [read(2)] },
      { calls: [read(1)] },
      { text: 'Read.' },
    ];
    const journey = await createTurnJourney('anthropic', turns);
    journey.write('a.txt', 'one\ntwo\n');
    expectAnswer(journey, await journey.ask(['Read it']), 'Read.');
  });

  test('after as many rounds as --max-rounds says, which the settings cannot raise', async () => {
    const journey = await createTurnJourney(
      'openai-chat',
      calling((round) => ({ calls: [read(round + 1)] })),
    );
    journey.write('a.txt', 'line\n'.repeat(40));
    journey.writeSettings({ limits: { rounds: 5 } });
    const end = await journey.ask(['--max-rounds', '2', 'Read on']);
    expect(turnEnd(end)).toMatchObject({ reason: 'rounds', rounds: 3 });
    expect(offers(journey)).toEqual([true, true, false]);
    const other = await journey.ask(['Read on']);
    expect(turnEnd(other)).toMatchObject({ reason: 'rounds', rounds: 6 });
  });

  test('after its rounds also when it was killed in between, with the usage of all of them', async () => {
    const slow = { name: 'execute_shell_command', input: { command: 'echo begun; sleep 600' } };
    const journey = await createTurnJourney(
      'anthropic',
      calling((round) => ({ calls: [round === 0 ? read(1) : slow] })),
    );
    journey.write('a.txt', 'one\n');
    const live = journey.startAsk(['--max-rounds', '2', 'Work']);
    await live.waitFor('tool-progress');
    live.kill('SIGKILL');
    await live.ended;
    const end = await journey.ask(['--continue', '--max-rounds', '2']);
    expectAccepted(journey);
    expect(offers(journey)).toEqual([true, true, false]);
    expect(turnEnd(end)).toMatchObject({
      reason: 'rounds',
      answer: 'So far so good.',
      rounds: 3,
      usage: { inputTokens: 300, outputTokens: 60 },
    });
  });

  test.each(['0', '-1', '1.5', 'many', ''])('never with --max-rounds "%s", which is misuse', async (rounds) => {
    const journey = await createTurnJourney('openai-chat', []);
    const end = await journey.ask([`--max-rounds=${rounds}`, 'Read on']);
    expect(end.code).toBe(2);
    expect(JSON.parse(end.stdout)).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    expect(journey.server.requests).toEqual([]);
  });
});

test.each(dialectNames)(
  'a model of %s that calls tools although none are offered is not obeyed, and the next turn works',
  async (dialect) => {
    const write = { name: 'write_file', input: { path: 'made.txt', content: 'x' } };
    const journey = await createTurnJourney(dialect, [
      { calls: [read(1)] },
      { text: 'Still wanting more.', calls: [write] },
      { text: 'Here I am.' },
    ]);
    journey.write('a.txt', 'one\n');
    const end = await journey.ask(['--max-rounds', '1', 'Read']);
    expect(turnEnd(end)).toMatchObject({ reason: 'rounds', answer: 'Still wanting more.' });
    expect(eventsOf(end, 'tool-start').map(({ tool }) => tool)).toEqual(['read_file']);
    const next = await journey.ask(['--continue', 'Are you there?']);
    expectAnswer(journey, next, 'Here I am.');
  },
);
