/** Long conversations before a small window: summaries, what stays word for word, trimming, and that nothing is ever refused. */
import { describe, expect, test } from 'vitest';
import { createContextJourney, factsOf } from '../kit/context-journey.ts';
import { dialectNames } from '../kit/dialect-client.ts';

const filler = 'The weather is fine today and the garden grows well in spite of the wind. '.repeat(12);

describe.each(dialectNames)('a long conversation with %s', (dialect) => {
  test('[K75] becomes a summary and its last four exchanges, again and again, and keeps the first facts', async () => {
    const journey = await createContextJourney({
      dialect,
      contextWindow: 8_000,
      answer: (_request, index) => ({ text: `Noted number ${index}. ${filler}` }),
      summarise: (request) => ({ text: `Facts: ${factsOf(request)}` }),
    });
    for (let turn = 1; turn <= 40; turn += 1) {
      const told =
        turn === 1 ? 'Remember FACT-BLUE-HERON and FACT-4711.' : `Message ${turn} says FACT-N${turn}. ${filler}`;
      expect(await journey.say(told)).toMatchObject({ reason: 'answer' });
      if (turn === 25) await journey.restart();
    }
    expect(journey.server.requests.map(({ problem }) => problem).filter(Boolean)).toEqual([]);
    const last = journey.seen.at(-1);
    const wanted = [
      'FACT-BLUE-HERON',
      'FACT-4711',
      ...[37, 38, 39, 40].map((turn) => `Message ${turn} says FACT-N${turn}. ${filler}`),
    ];
    expect(wanted.filter((text) => last?.text.includes(text) !== true)).toEqual([]);
    const events = await journey.events();
    const compactions = events.filter(({ type }) => type === 'compaction');
    expect(compactions.length).toBeGreaterThan(2);
    expect(events.filter(({ type }) => type === 'trim' || type === 'compaction-failed')).toEqual([]);
    expect(Math.max(...journey.seen.map(({ tokens }) => tokens * 1.2))).toBeLessThan(8_000);
    for (const { body } of journey.server.requests.filter((_, at) => journey.seen[at]?.isSummary))
      expect(body['tools']).toBeUndefined();
  }, 120_000);
});

test('[K75] 300 turns on a small window: the facts of the first message are still there', async () => {
  const journey = await createContextJourney({
    dialect: 'openai-chat',
    contextWindow: 8_000,
    answer: (_request, index) => ({ text: `Noted number ${index}. ${filler}` }),
    summarise: (request) => ({ text: `Facts: ${factsOf(request).slice(0, 400)}` }),
  });
  const turns = 300;
  await journey.say('Remember FACT-BLUE-HERON and FACT-4711.');
  for (let turn = 2; turn <= turns; turn += 1)
    expect(await journey.say(`Message ${turn}. ${filler}`)).toMatchObject({ reason: 'answer' });
  expect(journey.server.requests.map(({ problem }) => problem).filter(Boolean)).toEqual([]);
  const last = journey.seen.at(-1)?.text ?? '';
  expect(['FACT-BLUE-HERON', 'FACT-4711'].filter((fact) => !last.includes(fact))).toEqual([]);
  const shown = (await journey.events()).filter(({ type }) => type === 'turn-start');
  expect(shown).toHaveLength(turns);
}, 300_000);
