import { expect, test } from 'vitest';
import type { SpendingLine } from '../../contract/spending.ts';
import { byDay, byModel, sumOf } from './sum-costs.ts';

const line = (part: Partial<SpendingLine>): SpendingLine => ({
  ...{ conversationId: 'c', day: '2026-03-02', scopeId: '', model: 'a/m', requests: 1, unpricedRequests: 0 },
  ...{ inputTokens: 100, outputTokens: 10, cachedInputTokens: 50, costUsd: 0.5 },
  ...part,
});

test('costs are added up by model, the dearest first, and by day, with the days on which nothing was asked', () => {
  const lines = [
    line({}),
    line({ model: 'b/free', costUsd: 0, unpricedRequests: 1 }),
    line({ day: '2026-02-28', costUsd: 1 }),
  ];
  expect(sumOf(lines)).toEqual({ requests: 3, unpriced: 1, tokens: 330, costUsd: 1.5 });
  expect(byModel(lines).map(({ model, costUsd }) => [model, costUsd])).toEqual([
    ['a/m', 1.5],
    ['b/free', 0],
  ]);
  expect(byDay(lines, '2026-03-02', 4).map(({ day, costUsd }) => [day, costUsd])).toEqual([
    ['2026-02-27', 0],
    ['2026-02-28', 1],
    ['2026-03-01', 0],
    ['2026-03-02', 0.5],
  ]);
});
