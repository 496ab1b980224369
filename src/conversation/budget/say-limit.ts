/** What a person reads about a limit that is used up. */
import { createHash } from 'node:crypto';
import { dollarText } from '../../base/dollar-text.ts';
import { ModelFailure } from '../../contract/failure.ts';
import type { Question } from '../../contract/permission.ts';
import type { ConversationInfo } from '../../contract/services.ts';
import type { LimitUse, SpendingLimit } from '../../contract/spending.ts';

/** As in settings.json. */
export const settingOf = ({ of, unit }: Pick<SpendingLimit, 'of' | 'unit'>): string => `budgets.${of}.${unit}`;

const owners = { conversation: 'this conversation', day: 'today', schedule: 'this schedule' } as const;

/** `whyNot`: why nobody raised it. */
export function usedUpFailure(use: LimitUse, whyNot: string): ModelFailure {
  const orWait = use.of === 'day' ? ', or go on tomorrow' : '';
  return new ModelFailure(
    'budget',
    `${usedUp(use)}, and ${whyNot}. Raise "${settingOf(use)}" in settings.json${orWait}, then ask again.`,
  );
}

export function waitingText(use: LimitUse): string {
  return `The rest of the budget of ${owners[use.of]} is reserved by requests that are under way (${partOf(use, use.spent + use.reserved)}): waiting for them.`;
}

export function unknownPriceText(model: string, limits: readonly SpendingLimit[]): string {
  return `The price of ${model} is unknown, so ${limits.map((limit) => `"${settingOf(limit)}"`).join(' and ')} cannot count what it costs.`;
}

export function questionAbout(
  use: LimitUse,
  share: number,
  { id, conversation }: { readonly id: string; readonly conversation: ConversationInfo },
): Question {
  const setting = settingOf(use);
  const input = JSON.stringify({ setting, limit: use.limit, spent: use.spent, share });
  const facts = ['budget', input, conversation.workspace, conversation.id, id];
  const until = use.of === 'day' ? ' today' : '';
  return {
    id,
    callId: id,
    conversationId: conversation.id,
    tool: 'budget',
    title: 'Spend more than the limit',
    summary: `Once: ${amount(share, use)} more for this turn. In this chat: no limit by ${setting}${until}.`,
    reason: `${usedUp(use)} ("${setting}")`,
    input,
    accesses: [],
    isDangerous: false,
    scopes: ['once', 'conversation'],
    hash: createHash('sha256').update(JSON.stringify(facts)).digest('hex'),
  };
}

const usedUp = (use: LimitUse): string =>
  `The budget of ${owners[use.of]} is used up: ${partOf(use, use.spent)} are spent`;

function partOf({ limit, unit }: LimitUse, value: number): string {
  if (unit === 'usd') return `${dollarText(value)} of ${dollarText(limit)}`;
  return `${value.toLocaleString('en-US')} of ${limit.toLocaleString('en-US')} tokens`;
}

function amount(value: number, { unit }: Pick<SpendingLimit, 'unit'>): string {
  return unit === 'usd' ? dollarText(value) : `${value.toLocaleString('en-US')} tokens`;
}
