/** What a long conversation survives: summaries that fail, turns longer than the window, parts that can never fit. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool, type Tool } from '../../src/contract/tool.ts';
import { type ContextJourney, createContextJourney, factsOf, type SeenRequest } from '../kit/context-journey.ts';
import { dialectNames } from '../kit/dialect-client.ts';
import type { Turn } from '../kit/model-server.ts';

const filler = 'The weather is fine today and the garden grows well in spite of the wind. '.repeat(12);
const pages = (chars: number): Tool =>
  defineTool({
    title: 'Read page',
    description: 'Gives a page by its number.',
    isCore: true,
    input: z.strictObject({ page: z.number() }),
    needs: [],
    access: () => [{ kind: 'none' }],
    effect: 'read',
    summary: ({ page }) => `page ${page}`,
    run: async ({ page }) => ({ text: `Page ${page}: ${filler.repeat(100).slice(0, chars)}` }),
  }) as unknown as Tool;
const readPage = (page: number): Turn => ({ calls: [{ name: 'read_page', input: { page } }] });

/** Not `toContain`: a request has pages. */
const has = (request: SeenRequest | undefined, text: string): boolean => request?.text.includes(text) === true;
const refusals = (journey: ContextJourney) => journey.server.requests.map(({ problem }) => problem).filter(Boolean);
async function countOf(journey: ContextJourney, type: string): Promise<number> {
  return (await journey.events()).filter((event) => event.type === type).length;
}

const badSummaries: Readonly<Record<string, Turn>> = {
  'an error': { error: 'server' },
  nothing: { text: ' ' },
  'calls instead of text': { calls: [{ name: 'read_file', input: { path: 'a' } }] },
  'more than it replaces': { text: `${filler} `.repeat(60) },
  'a refusal': { finish: 'refused' },
};

describe.each(Object.entries(badSummaries))('[K76] a summary that is %s', (_what, summary) => {
  test('loses nothing that fits, is not asked for again and again, and never ends the conversation', async () => {
    const journey = await createContextJourney({
      dialect: 'openai-chat',
      contextWindow: 8_000,
      answer: (_request, index) => ({ text: `Noted number ${index}. ${filler}` }),
      summarise: () => summary,
    });
    for (let turn = 1; turn <= 40; turn += 1) {
      expect(await journey.say(`Message ${turn}. ${filler}`)).toMatchObject({ reason: 'answer' });
      expect(has(journey.seen.at(-1), `Message ${turn}. `)).toBe(true);
      if (turn % 7 === 0) await journey.restart();
    }
    expect(refusals(journey)).toEqual([]);
    expect(await countOf(journey, 'compaction')).toBe(0);
    const [failed, trims] = [await countOf(journey, 'compaction-failed'), await countOf(journey, 'trim')];
    expect(failed).toBe(journey.seen.filter(({ isSummary }) => isSummary).length);
    expect(failed).toBeGreaterThan(0);
    expect(failed).toBeLessThanOrEqual(2 * (trims + 1));
    expect(trims).toBeLessThan(12);
    // Nothing goes before it must: the first trim comes later than the first failed summary.
    const order = (await journey.events()).map(({ type }) => type).filter((type) => /compaction|trim/.test(type));
    expect(order[0]).toBe('compaction-failed');
  }, 120_000);
});

describe.each(dialectNames)('one turn longer than the window, with %s', (dialect) => {
  test('[K72] leaves out its oldest rounds, calls with their results, and keeps what was asked', async () => {
    const journey = await createContextJourney({
      dialect,
      contextWindow: 8_000,
      tools: { read_page: pages(3_000) },
      answer: (_request, index) => (index < 39 ? readPage(index) : { text: 'Read them all.' }),
      summarise: (request) => ({ text: factsOf(request) }),
      maxRounds: 60,
    });
    const end = await journey.say('Read all pages and mind FACT-RED.');
    expect(end).toMatchObject({ reason: 'answer', answer: 'Read them all.' });
    expect(refusals(journey)).toEqual([]);
    expect(journey.seen.every(({ text }) => text.includes('mind FACT-RED'))).toBe(true);
    expect(Math.max(...journey.seen.map(({ tokens }) => tokens * 1.2))).toBeLessThan(8_000);
    expect(has(journey.seen.at(-1), 'Page 38:')).toBe(true);
    const trims = await countOf(journey, 'trim');
    expect(trims).toBeGreaterThan(2);
    // In steps so large that the beginning stays the same for several rounds.
    expect(trims).toBeLessThan(39 / 3);
  }, 60_000);
});

test('[K72] a last round that does not fit by itself is shortened, and says where the whole is', async () => {
  const journey = await createContextJourney({
    dialect: 'openai-chat',
    contextWindow: 6_000,
    tools: { read_page: pages(60_000) },
    answer: (_request, index) =>
      index === 0 ? { calls: [1, 2, 3].map((page) => ({ name: 'read_page', input: { page } })) } : { text: 'Done.' },
    summarise: () => ({ text: 'never' }),
  });
  expect(await journey.say('Read three pages')).toMatchObject({ reason: 'answer', answer: 'Done.' });
  const last = journey.seen.at(-1);
  expect([1, 2, 3].map((page) => has(last, `Page ${page}: `))).toEqual([true, true, true]);
  expect(/left out, to fit your context window\. The whole is artifact \w+/.test(last?.text ?? '')).toBe(true);
  expect(last?.tokens).toBeLessThan(6_000);
});

describe('what can never fit is named', () => {
  const journeyOf = (contextWindow: number) =>
    createContextJourney({
      dialect: 'openai-chat',
      contextWindow,
      answer: () => ({ text: 'Hello.' }),
      summarise: () => ({ text: 'never' }),
    });

  test('a message longer than the window, without any request; twin: with a larger window it is answered', async () => {
    const small = await journeyOf(6_000);
    const end = await small.say(filler.repeat(40));
    expect(end).toMatchObject({ reason: 'failed', error: { kind: 'context_overflow' } });
    expect(end.error?.message).toMatch(
      /window of openai-chat\/\S+, which is 6000 tokens: Your message takes about \d{4,} /,
    );
    expect(end.error?.message).toMatch(/tools \d+.*Shorten the message.*larger window/);
    expect(small.seen).toEqual([]);
    expect(await small.say('And now?')).toMatchObject({ reason: 'answer' });
    expect(await (await journeyOf(30_000)).say(filler.repeat(40))).toMatchObject({ reason: 'answer' });
  });

  test('tools and instructions that fill the window', async () => {
    const journey = await journeyOf(1_500);
    const end = await journey.say('Hello');
    expect(end.error?.message).toMatch(
      /what goes with every request \d+ \(tools \d{3,}.*Switch tools off in settings\.json/,
    );
  });

  test("a project's text that fills the window", async () => {
    const journey = await journeyOf(6_000);
    writeFileSync(path.join(journey.workspace, 'AGENTS.md'), filler.repeat(30));
    const end = await journey.say('Hello');
    expect(end.error?.message).toMatch(/AGENTS\.md \d{4,}.*Shorten AGENTS\.md/);
  });
});

test('[K75] a conversation that goes on with a much smaller window is summarised in parts that fit, and keeps its facts', async () => {
  const journey = await createContextJourney({
    dialect: 'anthropic',
    contextWindow: 200_000,
    answer: (_request, index) => ({ text: `Noted number ${index}. ${filler}` }),
    summarise: (request) => ({ text: `Facts: ${factsOf(request)}` }),
  });
  await journey.say('Remember FACT-BLUE-HERON.');
  for (let turn = 2; turn <= 40; turn += 1) await journey.say(`Message ${turn}. ${filler}`);
  const before = journey.seen.length;
  expect(journey.seen.some(({ isSummary }) => isSummary)).toBe(false);
  await journey.restart(7_000);
  expect(await journey.say('What did I tell you first?')).toMatchObject({ reason: 'answer' });
  const after = journey.seen.slice(before);
  expect(after.filter(({ isSummary }) => isSummary).length).toBeGreaterThan(1);
  expect(after.filter(({ tokens }) => tokens * 1.2 > 7_000)).toEqual([]);
  expect(has(after.at(-1), 'FACT-BLUE-HERON')).toBe(true);
  expect(has(after.at(-1), 'Message 40. ')).toBe(true);
  expect(refusals(journey)).toEqual([]);
});

describe('a provider that finds a request too long', () => {
  test('gets a smaller one, once, and later ones stay below what it refused', async () => {
    const journey = await createContextJourney({
      dialect: 'openai-chat',
      contextWindow: 100_000,
      answer: ({ tokens }, index) =>
        tokens > 9_000 ? { error: 'context_overflow' } : { text: `Noted number ${index}. ${filler}` },
      summarise: (request) => ({ text: factsOf(request) || 'Nothing yet.' }),
    });
    for (let turn = 1; turn <= 40; turn += 1)
      expect(await journey.say(`Message ${turn}. ${filler}`)).toMatchObject({ reason: 'answer' });
    expect(journey.seen.filter(({ tokens, isSummary }) => tokens > 9_000 && !isSummary)).toHaveLength(1);
    expect(await countOf(journey, 'trim')).toBe(1);
    expect(await countOf(journey, 'compaction')).toBeGreaterThan(0);
  }, 60_000);

  test('whatever is sent ends the turn after two requests', async () => {
    const journey = await createContextJourney({
      dialect: 'openai-chat',
      contextWindow: 100_000,
      tools: { read_page: pages(3_000) },
      answer: (_request, index) => (index < 3 ? readPage(index) : { error: 'context_overflow' }),
      summarise: () => ({ text: 'never' }),
    });
    const end = await journey.say('Go');
    expect(end).toMatchObject({ reason: 'failed', error: { kind: 'context_overflow' } });
    expect(journey.seen.length).toBe(5);
  });
});
