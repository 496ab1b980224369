/** However many tools there are: the first request is the same, found ones come at the end, and go with a summary. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool, type Tool } from '../../src/contract/tool.ts';
import { createContextJourney, type ContextJourney, factsOf } from '../kit/context-journey.ts';
import { dialectNames } from '../kit/dialect-client.ts';
import type { Turn, WireDialectName } from '../kit/model-server.ts';

const filler = 'The weather is fine today and the garden grows well in spite of the wind. '.repeat(12);
const counts = [60, 200, 500] as const;

function toolsOf(count: number): Readonly<Record<string, Tool>> {
  const tool = (at: number) =>
    defineTool({
      title: `Gauge ${at}`,
      isCore: false,
      description: `Reads gauge number ${at} of the plant and gives its value in the unit that it was made for.`,
      input: z.strictObject({ unit: z.string().describe('Unit to give it in'), digits: z.number().optional() }),
      needs: [],
      access: () => [{ kind: 'none' }],
      effect: 'read',
      summary: () => `gauge ${at}`,
      run: async () => ({ text: `gauge ${at} stands at 42` }),
    }) as unknown as Tool;
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`gauge_${at}`, tool(at)]));
}

/** `next`: what the model says to the coming requests; small talk when it is empty. */
const journeyOf = (dialect: WireDialectName, count: number, next: Turn[]) =>
  createContextJourney({
    dialect,
    contextWindow: 12_000,
    tools: toolsOf(count),
    answer: (_request, index) => next.shift() ?? { text: `Noted ${index}. ${filler}` },
    summarise: (request) => ({ text: `Facts: ${factsOf(request)}` }),
  });
const find: Turn = { calls: [{ name: 'find_tools', input: { query: 'gauge_17', limit: 1 } }] };
const read: Turn = { calls: [{ name: 'gauge_17', input: { unit: 'bar' } }] };

/** The request's bytes without what differs from one state folder to the next. */
const bytesOf = (journey: ContextJourney, at: number): number =>
  Buffer.byteLength((journey.seen[at]?.text ?? '').replaceAll(journey.workspace, '/workspace'));
const offers = (journey: ContextJourney, at: number): boolean =>
  JSON.stringify(journey.server.requests[at]?.body['tools'] ?? []).includes('"gauge_17"');

describe.each(dialectNames)('tools by the hundred with %s', (dialect) => {
  test(`[K02] the first request has the same bytes with ${counts.join(', ')} tools, at most 8 KB`, async () => {
    const sizes: number[] = [];
    for (const count of counts) {
      const journey = await journeyOf(dialect, count, [find, read]);
      expect(await journey.say('Read gauge 17')).toMatchObject({ reason: 'answer' });
      expect(journey.server.requests.map(({ problem }) => problem).filter(Boolean)).toEqual([]);
      expect([offers(journey, 0), offers(journey, 1), offers(journey, 2)]).toEqual([false, true, true]);
      expect(journey.seen[2]?.text).toContain('gauge 17 stands at 42');
      sizes.push(bytesOf(journey, 0));
    }
    const [first = 0] = sizes;
    expect(sizes).toEqual(counts.map(() => first));
    expect(first).toBeLessThanOrEqual(8 * 1024);
    console.info(`${dialect}: first request ${sizes.join(', ')} bytes with ${counts.join(', ')} tools more`);
  }, 60_000);

  test('[K02] a found tool leaves the requests with a summary, not before, and can be called and found again', async () => {
    const next = [find, read];
    const journey = await journeyOf(dialect, 60, next);
    await journey.say('Read gauge 17');
    for (let turn = 2; turn <= 20; turn += 1) await journey.say(`Message ${turn}. ${filler}`);
    const offered = journey.seen.map(({ isSummary }, at) => (isSummary ? 'summary' : offers(journey, at)));
    const firstSummary = offered.indexOf('summary');
    expect(firstSummary).toBeGreaterThan(4);
    expect(new Set(offered.slice(1, firstSummary))).toEqual(new Set([true]));
    expect(new Set(offered.slice(firstSummary).filter((each) => each !== 'summary'))).toEqual(new Set([false]));
    const [before, results] = [journey.seen.length, () => journey.seen.at(-1)?.text.match(/stands at 42/g)?.length];
    next.push(read, { text: 'Read.' }, find, { text: 'Found.' });
    await journey.say('Read it again');
    expect(results()).toBe(1);
    await journey.say('Find it again');
    expect(journey.seen.slice(before).map((_, at) => offers(journey, before + at))).toEqual([
      false,
      false,
      false,
      true,
    ]);
  }, 60_000);
});
