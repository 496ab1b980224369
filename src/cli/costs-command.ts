/** `handrail costs`: what models have taken, today and by model and conversation. */
import { dollarText } from '../base/dollar-text.ts';
import { escapeInvisible } from '../base/escape-invisible.ts';
import type { Handrail } from '../contract/handrail.ts';
import type { BudgetSettings } from '../contract/settings.ts';
import type { SpendingLine } from '../contract/spending.ts';
import type { CommandLine } from './face.ts';
import { printAll } from './print-all.ts';
import { showCounted, showTokens } from './show/amounts.ts';

export type CostsOptions = { readonly days?: number; readonly json?: boolean };

/** How far back when nobody says. */
const usualDays = 30;

type Total = Pick<
  SpendingLine,
  'requests' | 'unpricedRequests' | 'inputTokens' | 'outputTokens' | 'cachedInputTokens' | 'costUsd'
>;

export async function costsCommand(face: CommandLine, options: CostsOptions): Promise<number> {
  const handrail = await face.open({ needsNoWorkspace: true });
  const { days = usualDays } = options;
  try {
    const { today, lines } = await handrail.costs(days);
    const { budgets } = handrail.settings;
    const report = {
      today: { day: today, ...sum(lines.filter((each) => each.day === today)), limit: budgets.day },
      days,
      models: group(lines, (each) => each.model).map(([model, total]) => ({ model, ...total })),
      conversations: await withTitles(
        handrail,
        group(lines, (each) => each.conversationId),
      ),
      conversationLimit: budgets.conversation,
    };
    await printAll(process.stdout, options.json === true ? `${JSON.stringify(report)}\n` : textOf(report));
    return 0;
  } finally {
    await handrail.close();
  }
}

type Report = {
  readonly today: Total & { readonly day: string; readonly limit: BudgetSettings };
  readonly days: number;
  readonly models: readonly (Total & { readonly model: string })[];
  readonly conversations: readonly (Total & { readonly id: string; readonly title?: string })[];
  readonly conversationLimit: BudgetSettings;
};

function textOf({ today, days, models, conversations, conversationLimit }: Report): string {
  const listed = (total: Total, name: string): string => `  ${totalText(total)}  ${escapeInvisible(name, 'nothing')}`;
  const since = days === 1 ? 'today' : `last ${days} days`;
  const parts = [
    `Today, ${today.day}: ${totalText(today)}${limitText(today.limit)}`,
    ...(models.length === 0 ? [] : [`By model, ${since}:`, ...models.map((each) => listed(each, each.model))]),
    ...(conversations.length === 0 ? [] : [`By conversation, ${since}${limitText(conversationLimit, ', each')}:`]),
    ...conversations.map((each) => listed(each, `${each.id}  ${each.title ?? '(removed)'}`)),
  ];
  return `${parts.join('\n')}\n`;
}

function totalText(total: Total): string {
  const priced = total.requests - total.unpricedRequests;
  const cost = priced > 0 ? [dollarText(total.costUsd)] : [];
  const unpriced =
    total.unpricedRequests > 0 ? [`${showCounted(total.unpricedRequests, 'request')} of unknown price`] : [];
  const tokens = showTokens(total.inputTokens + total.outputTokens);
  return [showCounted(total.requests, 'request'), tokens, ...cost, ...unpriced].join(' · ');
}

function limitText({ tokens, usd }: BudgetSettings, more = ''): string {
  const limits = [
    ...(tokens === undefined ? [] : [showTokens(tokens)]),
    ...(usd === undefined ? [] : [dollarText(usd)]),
  ];
  return limits.length === 0 ? '' : ` (limit${more}: ${limits.join(', ')})`;
}

/** The dearest first; where no price is known, whatever took the most tokens. */
function group(
  lines: readonly SpendingLine[],
  nameOf: (line: SpendingLine) => string,
): readonly (readonly [string, Total])[] {
  const byName = Map.groupBy(lines, nameOf);
  const weight = (total: Total): number => total.inputTokens + total.outputTokens;
  return [...byName]
    .map(([name, each]) => [name, sum(each)] as const)
    .sort(([, left], [, right]) => right.costUsd - left.costUsd || weight(right) - weight(left));
}

function sum(lines: readonly Total[]): Total {
  const total = { requests: 0, unpricedRequests: 0, inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, costUsd: 0 };
  for (const line of lines) for (const key of Object.keys(total) as (keyof Total)[]) total[key] += line[key];
  return total;
}

async function withTitles(handrail: Handrail, totals: readonly (readonly [string, Total])[]) {
  return Promise.all(
    totals.map(async ([id, total]) => {
      const conversation = await handrail.conversations.get(id);
      return { id, ...(conversation === undefined ? {} : { title: conversation.title }), ...total };
    }),
  );
}
