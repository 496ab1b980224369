import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import { expect, it } from 'vitest';
import { readUsage } from './read-usage.ts';

const read = (input: object, output: object) =>
  readUsage({ inputTokens: input, outputTokens: output } as unknown as LanguageModelV4Usage);

it('reads all counts, what was written to a cache only where it is counted', () => {
  expect(read({ total: 100, cacheRead: 40, cacheWrite: 25 }, { total: 10, reasoning: 3 })).toEqual({
    inputTokens: 100,
    outputTokens: 10,
    cachedInputTokens: 40,
    cacheWriteTokens: 25,
    reasoningTokens: 3,
  });
  expect(read({ total: 100, cacheWrite: 0 }, {})).not.toHaveProperty('cacheWriteTokens');
});

it.each([undefined, null, '12', -5, Number.NaN, Infinity, 1e300, {}])('takes %j for nothing', (count) => {
  expect(read({ total: count, cacheRead: count, cacheWrite: count }, { total: count, reasoning: count })).toEqual({
    inputTokens: 0,
    outputTokens: 0,
    cachedInputTokens: 0,
    reasoningTokens: 0,
  });
  expect(readUsage({} as unknown as LanguageModelV4Usage).inputTokens).toBe(0);
});

it('lets no part be more than the whole', () => {
  const usage = read({ total: 100, cacheRead: 90, cacheWrite: 50 }, { total: 5, reasoning: 80 });
  expect(usage).toMatchObject({ cachedInputTokens: 90, cacheWriteTokens: 10, reasoningTokens: 5 });
});
