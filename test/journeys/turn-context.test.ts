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
  // The beginning of what is sent changes with a summary only, so that the provider's cache holds between two of them.
  const sent = journey.server.requests.filter((_, at) => journey.seen[at]?.isSummary === false);
  const texts = sent.map(({ body }) => (body['messages'] as readonly unknown[]).map((each) => JSON.stringify(each)));
  const breaks = texts.filter((each, at) => (texts[at - 1] ?? []).some((text, place) => text !== each[place]));
  expect(breaks.length).toBe((await journey.events()).filter(({ type }) => type === 'compaction').length);
  const last = journey.seen.at(-1)?.text ?? '';
  expect(['FACT-BLUE-HERON', 'FACT-4711'].filter((fact) => !last.includes(fact))).toEqual([]);
  const shown = (await journey.events()).filter(({ type }) => type === 'turn-start');
  expect(shown).toHaveLength(turns);
}, 300_000);

test('twin: with a large window nothing is left out, and the requests outgrow the small one', async () => {
  const journey = await createContextJourney({
    dialect: 'openai-chat',
    contextWindow: 1_000_000,
    answer: (_request, index) => ({ text: `Noted number ${index}. ${filler}` }),
    summarise: () => ({ text: 'never' }),
  });
  for (let turn = 1; turn <= 40; turn += 1) await journey.say(`Message ${turn}. ${filler}`);
  expect(journey.seen.at(-1)?.tokens).toBeGreaterThan(12_000);
  expect(journey.seen.at(-1)?.text.includes('Message 1. ')).toBe(true);
  expect(journey.seen.filter(({ isSummary }) => isSummary)).toEqual([]);
});

test('[K75] what a summary took counts for the turn that needed it', async () => {
  const journey = await createContextJourney({
    dialect: 'openai-chat',
    contextWindow: 8_000,
    answer: (_request, index) => ({ text: `Noted number ${index}. ${filler}`, usage: { input: 7, output: 3 } }),
    summarise: () => ({ text: 'The user talks of gardens.', usage: { input: 5_000, output: 70 } }),
  });
  for (let turn = 1; turn <= 14; turn += 1) await journey.say(`Message ${turn}. ${filler}`);
  const events = await journey.events();
  const compaction = events.find(({ type }) => type === 'compaction');
  expect(compaction).toMatchObject({
    usage: { inputTokens: 5_000, outputTokens: 70 },
    summary: 'The user talks of gardens.',
  });
  const end = events.find(({ type, turnId }) => type === 'turn-end' && turnId === compaction?.turnId);
  expect(end).toMatchObject({ usage: { inputTokens: 5_007, outputTokens: 73 } });
});

describe.each([
  ['nothing', { input: 0, output: 0 }],
  ['a hundred times too much', { input: 300_000, output: 1 }],
  ['none at all', null],
] as const)('a provider that counts %s', (_what, usage) => {
  test('[K73] changes nothing: the summary comes when it would come anyway', async () => {
    const firstSummary = async (counted: { readonly usage?: typeof usage }) => {
      const journey = await createContextJourney({
        dialect: 'openai-chat',
        contextWindow: 8_000,
        answer: (_request, index) => ({ text: `Noted number ${index}. ${filler}`, ...counted }),
        summarise: () => ({ text: 'The user talks of gardens.' }),
      });
      for (let turn = 1; turn <= 16; turn += 1) await journey.say(`Message ${turn}. ${filler}`);
      return journey.seen.findIndex(({ isSummary }) => isSummary);
    };
    const [wrong, right] = [await firstSummary({ usage }), await firstSummary({})];
    expect(right).toBeGreaterThan(5);
    // Counts that are believed are a fifth higher than ours here: then it comes a little earlier.
    expect(wrong).toBeGreaterThanOrEqual(right);
    expect(wrong).toBeLessThanOrEqual(right + 3);
  });
});

test('[K75] Stop ends a turn within two seconds while a summary is made, and leaves the context as it was', async () => {
  const stop = new AbortController();
  const journey = await createContextJourney({
    dialect: 'openai-chat',
    contextWindow: 8_000,
    answer: (_request, index) => ({ text: `Noted number ${index}. ${filler}` }),
    summarise: () => {
      setTimeout(() => stop.abort(), 50);
      return stop.signal.aborted ? { text: 'The user talks of gardens.' } : { text: 'Begun', stallAfterEvents: 1 };
    },
  });
  let stopped = 0;
  for (let turn = 1; turn <= 16; turn += 1) {
    const startedAt = performance.now();
    const end = await journey.say(`Message ${turn}. ${filler}`, stopped === 0 ? stop.signal : undefined);
    if (end.reason !== 'stopped') continue;
    stopped += 1;
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    const left = (await journey.events()).filter(({ type }) => /compaction|trim/.test(type));
    expect(left).toEqual([]);
  }
  expect(stopped).toBe(1);
  expect((await journey.events()).some(({ type }) => type === 'compaction')).toBe(true);
});
