/** The budget of one turn: reserves before each request, asks when a limit is used up, settles with what was really taken. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Budget, Expense, Reservation } from '../../contract/budget.ts';
import type { Recorder } from '../../contract/event.ts';
import { ModelFailure, ToolFailure } from '../../contract/failure.ts';
import type { Asker } from '../../contract/permission.ts';
import type { ConversationInfo } from '../../contract/services.ts';
import type { Settings } from '../../contract/settings.ts';
import type { SpendingAccount, SpendingStore } from '../../contract/spending.ts';
import type { GrantStore } from '../../contract/storage.ts';
import { costOf, mostOf, withEstimates } from './cost-of.ts';
import { createLimits, type Limits } from './limits-in-force.ts';
import { questionAbout, unknownPriceText, usedUpFailure, waitingText } from './say-limit.ts';
import { localDay } from './local-day.ts';

export type BudgetOptions = {
  readonly settings: Settings['budgets'];
  readonly store: Pick<SpendingStore, 'reserve' | 'settle' | 'release'>;
  readonly grants: Pick<GrantStore, 'list' | 'add'>;
  readonly conversation: ConversationInfo;
  /** A schedule, whose limit is then counted too. Omitted: the turn was asked for by somebody. */
  readonly scopeId?: string;
  /** Undefined: nobody is there to allow more. */
  readonly asker: Asker | undefined;
  readonly now: () => Date;
  readonly newId: () => string;
};

/** Longer than any request takes. Until then a reservation of another machine counts, whatever became of its process. */
const reservedForMs = 30 * 60_000;
/** How soon to look again whether requests of others have left something. */
const lookAgainMs = 200;

/** Sub-agents get the same one: what they take is taken from the turn that started them. */
export function createBudget(options: BudgetOptions): Budget {
  const limits = createLimits(options);
  const said = new Set<string>();
  // One at a time, so that two requests that are both too much make one question.
  let last: Promise<unknown> = Promise.resolve();

  async function sayOnce(text: string, record: Recorder): Promise<void> {
    if (said.has(text)) return;
    said.add(text);
    await record({ type: 'note', text });
  }

  async function reserve(expense: Expense, record: Recorder, signal: AbortSignal): Promise<Reservation> {
    const account = accountOf(options);
    const id = await reserveId({ expense, account, record, signal });
    return {
      async settle({ model, usage: reported, message }) {
        const { usage, isEstimated } = withEstimates(reported, expense, message);
        if (isEstimated && id !== undefined)
          await sayOnce(`${model.id} did not say how many tokens it took; they are estimated.`, record);
        const costUsd = costOf(model, usage);
        await options.store.settle(id, account, { model: model.id, usage, costUsd });
        return costUsd;
      },
      release: async () => (id === undefined ? undefined : options.store.release(id)),
    };
  }

  /** Undefined when nothing is limited, so that nothing has to be reserved. */
  async function reserveId(request: Request): Promise<string | undefined> {
    const { expense, account, record, signal } = request;
    await sayUnknownPrice(expense);
    for (;;) {
      if (signal.aborted) throw stopped();
      const inForce = limits.inForce();
      if (inForce.length === 0) return undefined;
      const id = options.newId();
      const now = options.now();
      const expiresAt = new Date(now.getTime() + reservedForMs).toISOString();
      const usedUp = await options.store.reserve({ id, account, ...mostOf(expense), expiresAt }, inForce, now);
      const [first] = usedUp;
      if (first === undefined) return id;
      const spent = usedUp.find((use) => use.spent >= use.limit);
      if (spent === undefined) {
        await sayOnce(waitingText(first), record);
        await sleep(lookAgainMs, undefined, { signal }).catch(() => undefined);
      } else if (!(await limits.isLifted(spent))) {
        await askForMore(spent, request);
      }
    }

    async function sayUnknownPrice({ model }: Expense): Promise<void> {
      if (model.price !== undefined) return;
      const dollars = limits.inForce().filter((limit) => limit.unit === 'usd');
      if (dollars.length > 0) await sayOnce(unknownPriceText(model.id, dollars), record);
    }
  }

  /** Rejects with ModelFailure unless a person allows it. */
  async function askForMore(use: Parameters<Limits['raise']>[0], { record, signal }: Request): Promise<void> {
    const { asker, conversation, newId } = options;
    if (asker === undefined) throw usedUpFailure(use, 'nobody is here to allow more');
    const share = limits.shareOf(use);
    const question = questionAbout(use, share, { id: newId(), conversation });
    await record({ type: 'permission-ask', question });
    const answer = await asker.ask(question, signal).catch((error: unknown) => {
      throw error instanceof ToolFailure && error.code === 'cancelled' ? stopped() : error;
    });
    if (signal.aborted) throw stopped();
    const { id, callId, scopes } = question;
    await record(
      { type: 'permission-answer', questionId: id, callId, answer, origin: asker.origin },
      { durable: true },
    );
    if (answer.verdict === 'deny' || !scopes.includes(answer.scope)) throw usedUpFailure(use, 'you allowed no more');
    if (answer.scope === 'once') limits.raise(use, share);
    else await limits.lift(use, asker.origin);
  }

  return {
    reserve(expense, record, signal) {
      const next = last.then(() => reserve(expense, record, signal));
      last = next.catch(() => undefined);
      return next;
    },
  };
}

type Request = {
  readonly expense: Expense;
  readonly account: SpendingAccount;
  readonly record: Recorder;
  readonly signal: AbortSignal;
};

function accountOf({ conversation, scopeId = '', now }: BudgetOptions): SpendingAccount {
  return { conversationId: conversation.id, scopeId, day: localDay(now()) };
}

function stopped(): ModelFailure {
  return new ModelFailure('cancelled', 'Stopped before the request was sent.');
}
