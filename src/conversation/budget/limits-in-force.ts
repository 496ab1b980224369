/** The limits of a turn: those of the settings, with what a person has allowed on top of them. */
import type { Settings } from '../../contract/settings.ts';
import type { LimitUse, SpendingLimit } from '../../contract/spending.ts';
import type { BudgetOptions } from './create-budget.ts';
import { nextMidnight } from './local-day.ts';
import { settingOf } from './say-limit.ts';

/** What grants that lift a limit are filed under; no tool is named so. */
const grantTool = 'budget';

export type Limits = {
  inForce(): readonly SpendingLimit[];
  /** How much a yes for this turn adds. */
  shareOf(use: LimitUse): number;
  raise(use: LimitUse, share: number): void;
  /** For as long as the conversation lasts; the limit of a day for the rest of it. */
  lift(use: LimitUse, origin: string): Promise<void>;
  /** Whether somebody has lifted it earlier; then it is in force no more. */
  isLifted(use: LimitUse): Promise<boolean>;
};

export function createLimits(
  options: Pick<BudgetOptions, 'settings' | 'grants' | 'conversation' | 'scopeId' | 'now' | 'newId'>,
): Limits {
  const { settings, grants, conversation, scopeId, now, newId } = options;
  const limits = new Map(limitsOf(settings, scopeId !== undefined).map((limit) => [settingOf(limit), limit] as const));
  return {
    inForce: () => [...limits.values()],
    // Where the limit is zero, nothing is the natural share: a thousandth of a dollar would ask for ever.
    shareOf: (use) => originalLimit(settings, use) || (use.unit === 'usd' ? 1 : 100_000),
    raise: (use, share) => void limits.set(settingOf(use), { of: use.of, unit: use.unit, limit: use.spent + share }),
    async lift(use, origin) {
      const at = now();
      limits.delete(settingOf(use));
      await grants.add({
        id: newId(),
        tool: grantTool,
        pattern: settingOf(use),
        scope: 'conversation',
        conversationId: conversation.id,
        origin,
        createdAt: at.toISOString(),
        ...(use.of === 'day' ? { expiresAt: nextMidnight(at).toISOString() } : {}),
      });
    },
    async isLifted(use) {
      const time = now().toISOString();
      const isLifted = (await grants.list(conversation.id)).some(
        ({ tool, pattern, expiresAt = time }) => tool === grantTool && pattern === settingOf(use) && expiresAt >= time,
      );
      if (isLifted) limits.delete(settingOf(use));
      return isLifted;
    },
  };
}

function limitsOf(settings: Settings['budgets'], hasScope: boolean): readonly SpendingLimit[] {
  const places = hasScope ? (['conversation', 'day', 'schedule'] as const) : (['conversation', 'day'] as const);
  return places.flatMap((of) =>
    (['tokens', 'usd'] as const).flatMap((unit) => {
      const limit = settings[of][unit];
      return limit === undefined ? [] : [{ of, unit, limit }];
    }),
  );
}

const originalLimit = (settings: Settings['budgets'], { of, unit }: SpendingLimit): number => settings[of][unit] ?? 0;
