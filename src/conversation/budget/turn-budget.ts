/** The budget that a turn begins with: from the settings, asking whoever attends it. */
import type { Budget } from '../../contract/budget.ts';
import type { ApproveMode, Asker } from '../../contract/permission.ts';
import type { ConversationInfo } from '../../contract/services.ts';
import type { Settings } from '../../contract/settings.ts';
import type { Storage } from '../../contract/storage.ts';
import { createBudget } from './create-budget.ts';

type Sources = {
  readonly storage: Pick<Storage, 'spending' | 'grants'>;
  readonly now: () => Date;
  readonly newId: () => string;
};

export function createTurnBudget(
  { storage, now, newId }: Sources,
  conversation: ConversationInfo,
  options: {
    readonly approve: ApproveMode;
    readonly asker: Asker | undefined;
    readonly budgets?: Settings['budgets'];
  },
): Budget {
  return createBudget({
    settings: options.budgets ?? { conversation: {}, day: {}, schedule: {} },
    store: storage.spending,
    grants: storage.grants,
    conversation,
    // No flag that approves calls raises what may be spent.
    asker: options.approve === 'ask' ? options.asker : undefined,
    ...{ now, newId },
  });
}
