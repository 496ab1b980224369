/** What models have cost, by day and by model. Pure. */
import type { SpendingLine } from '../../contract/spending.ts';

export type CostSum = {
  readonly requests: number;
  /** Those among them whose price is unknown. */
  readonly unpriced: number;
  readonly tokens: number;
  readonly costUsd: number;
};

const nothing: CostSum = { requests: 0, unpriced: 0, tokens: 0, costUsd: 0 };

export const sumOf = (lines: readonly SpendingLine[]): CostSum =>
  lines.reduce<CostSum>(
    (sum, line) => ({
      requests: sum.requests + line.requests,
      unpriced: sum.unpriced + line.unpricedRequests,
      tokens: sum.tokens + line.inputTokens + line.outputTokens,
      costUsd: sum.costUsd + line.costUsd,
    }),
    nothing,
  );

/** The dearest first, then the one with the most tokens. */
export function byModel(lines: readonly SpendingLine[]): readonly (CostSum & { readonly model: string })[] {
  return [...Map.groupBy(lines, ({ model }) => model)]
    .map(([model, own]) => ({ model, ...sumOf(own) }))
    .toSorted((one, other) => other.costUsd - one.costUsd || other.tokens - one.tokens);
}

/** The last `count` days up to `today`, oldest first, those without any among them. */
export function byDay(
  lines: readonly SpendingLine[],
  today: string,
  count: number,
): readonly (CostSum & { readonly day: string })[] {
  const days = Map.groupBy(lines, ({ day }) => day);
  return Array.from({ length: count }, (_, at) => {
    const day = dayBefore(today, count - 1 - at);
    return { day, ...sumOf(days.get(day) ?? []) };
  });
}

/** Noon in UTC: no change of the clock makes it another day. */
function dayBefore(day: string, days: number): string {
  return new Date(Date.parse(`${day}T12:00:00.000Z`) - days * 86_400_000).toISOString().slice(0, 10);
}
