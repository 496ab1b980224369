import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStorage } from '../../../test/kit/open-test-storage.ts';
import type { Reservation } from '../../contract/budget.ts';
import type { EventBody } from '../../contract/event.ts';
import { ToolFailure } from '../../contract/failure.ts';
import type { ModelInfo, Usage } from '../../contract/model.ts';
import type { Answer, Asker, Question } from '../../contract/permission.ts';
import type { Settings } from '../../contract/settings.ts';
import type { Storage } from '../../contract/storage.ts';
import { createBudget } from './create-budget.ts';

const noBudgets: Settings['budgets'] = { conversation: {}, day: {}, schedule: {} };
const model: ModelInfo = {
  id: 'test/model',
  contextWindow: 10_000,
  maxOutputTokens: 900,
  acceptsImages: false,
  hasNativeCalls: true,
  isSmall: false,
  price: { input: 3, output: 15, cachedInput: 0.3 },
};
const unpriced: ModelInfo = { ...model, id: 'test/unpriced', price: undefined as never };
const usageOf = (inputTokens: number, outputTokens: number, cachedInputTokens = 0): Usage => ({
  ...{ inputTokens, outputTokens, cachedInputTokens },
  reasoningTokens: 0,
});

let folder: string;
let storage: Storage;
let events: EventBody[];
let ids = 0;
let now: Date;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'handrail-budget-'));
  storage = await openStorage(folder);
  events = [];
  now = new Date(2026, 0, 31, 12);
  const at = now.toISOString();
  const conversation = { id: 'c', title: '', workspace: '/w', isThrowaway: false, createdAt: at, updatedAt: at };
  await storage.conversations.create(conversation);
});
afterEach(async () => {
  await storage.close();
  rmSync(folder, { recursive: true, force: true });
});

const record = async (event: EventBody): Promise<void> => void events.push(event);
const notes = () => events.flatMap((event) => (event.type === 'note' ? [event.text] : []));
const live = new AbortController().signal;

function budgetOf(settings: Partial<Settings['budgets']>, asker?: Asker, scopeId?: string) {
  const budget = createBudget({
    settings: { ...noBudgets, ...settings },
    store: storage.spending,
    grants: storage.grants,
    conversation: { id: 'c', workspace: '/w', isThrowaway: false },
    asker,
    now: () => now,
    newId: () => `id-${(ids += 1)}`,
    ...(scopeId === undefined ? {} : { scopeId }),
  });
  return {
    reserve: (of = model, signal = live): Promise<Reservation> =>
      budget.reserve({ model: of, estimatedInputTokens: 100, maxOutputTokens: of.maxOutputTokens }, record, signal),
    async spend(usage: Usage, of = model) {
      return (await this.reserve(of)).settle({ model: of, usage });
    },
  };
}

function askerOf(...answers: readonly Answer[]): Asker & { readonly questions: readonly Question[] } {
  const questions: Question[] = [];
  return {
    origin: 'test',
    questions,
    ask: async (question) => {
      questions.push(question);
      return answers[questions.length - 1] ?? { verdict: 'deny' };
    },
  };
}

const yes = (scope: 'once' | 'conversation' | 'always'): Answer => ({ verdict: 'allow', scope });

describe('a budget', () => {
  it('counts tokens and dollars, what was cached at its own price, also where nothing is limited', async () => {
    expect(await budgetOf({}).spend(usageOf(1_000_000, 100_000, 400_000))).toBeCloseTo(1.8 + 0.12 + 1.5, 9);
    expect(await budgetOf({}).spend(usageOf(10, 10, 99), unpriced)).toBeUndefined();
    expect(await storage.spending.list()).toMatchObject([
      { day: '2026-01-31', conversationId: 'c', model: 'test/model', inputTokens: 1_000_000, costUsd: 3.42 },
      { model: 'test/unpriced', unpricedRequests: 1, costUsd: 0 },
    ]);
    expect(events).toEqual([]);
  });

  it('ends the turn when a limit is used up and nobody can be asked; twin: without the limit it goes on', async () => {
    const limited = { conversation: { tokens: 1000 } };
    await budgetOf(limited).spend(usageOf(900, 304));
    await expect(budgetOf(limited).reserve()).rejects.toMatchObject({
      name: 'ModelFailure',
      kind: 'budget',
      message:
        'The budget of this conversation is used up: 1,204 of 1,000 tokens are spent, and nobody is here to allow more. Raise "budgets.conversation.tokens" in settings.json, then ask again.',
    });
    await budgetOf({}).spend(usageOf(1, 1));
  });

  it('of dollars and of a day names both, and is whole again the next day', async () => {
    const limited = { day: { usd: 0.01 } };
    await budgetOf(limited).spend(usageOf(1000, 1000));
    await expect(budgetOf(limited).reserve()).rejects.toThrow(
      /today is used up: \$0\.0180 of \$0\.0100 are spent.*"budgets\.day\.usd".* or go on tomorrow/u,
    );
    now = new Date(2026, 1, 1, 0, 0, 1);
    await budgetOf(limited).spend(usageOf(1, 1));
  });

  it('of a schedule counts only what the schedule has spent', async () => {
    const limited = { schedule: { tokens: 100 } };
    await budgetOf(limited).spend(usageOf(100, 0));
    await budgetOf(limited, undefined, 'schedule 1').spend(usageOf(100, 0));
    await budgetOf(limited, undefined, 'schedule 2').spend(usageOf(100, 0));
    await expect(budgetOf(limited, undefined, 'schedule 1').reserve()).rejects.toThrow(/budget of this schedule/u);
  });

  it('asks with the figures, and a yes once is worth another share for this turn alone', async () => {
    const limited = { conversation: { tokens: 1000 } };
    await budgetOf(limited).spend(usageOf(5000, 0));
    const asker = askerOf(yes('once'), { verdict: 'deny' });
    const budget = budgetOf(limited, asker);
    await budget.spend(usageOf(999, 0));
    await budget.spend(usageOf(2, 0));
    await expect(budget.reserve()).rejects.toThrow(/6,001 of 6,000 tokens are spent, and you allowed no more/u);
    expect(asker.questions[0]).toMatchObject({
      tool: 'budget',
      reason: expect.stringMatching(/5,000 of 1,000 tokens are spent/u),
      summary: expect.stringMatching(/1,000 tokens more for this turn/u),
      scopes: ['once', 'conversation'],
    });
    expect(events.map((event) => event.type)).toEqual([
      ...['permission-ask', 'permission-answer', 'permission-ask', 'permission-answer'],
    ]);
    await expect(budgetOf(limited).reserve()).rejects.toThrow(/of 1,000 tokens/u);
  });

  it('lifted for the conversation is lifted in later turns too, that of a day until midnight', async () => {
    const limited = { day: { tokens: 10 } };
    await budgetOf(limited).spend(usageOf(10, 0));
    await budgetOf(limited, askerOf(yes('conversation'))).spend(usageOf(10, 0));
    await budgetOf(limited).spend(usageOf(10, 0));
    now = new Date(2026, 1, 1, 8);
    await budgetOf(limited).spend(usageOf(10, 0));
    await expect(budgetOf(limited).reserve()).rejects.toMatchObject({ kind: 'budget' });
  });

  it('takes a scope that was not offered for a no', async () => {
    await expect(budgetOf({ day: { usd: 0 } }, askerOf(yes('always'))).reserve()).rejects.toThrow(
      /you allowed no more/u,
    );
  });

  it('asks once for two requests that are both too much', async () => {
    const asker = askerOf(yes('once'));
    const budget = budgetOf({ conversation: { tokens: 0 } }, asker);
    const both = await Promise.all([budget.reserve(), budget.reserve()]);
    expect(asker.questions).toHaveLength(1);
    for (const reservation of both) await reservation.release();
  });

  it('ends at once when the turn is stopped while its question is open', async () => {
    const control = new AbortController();
    const asker: Asker = {
      origin: 'test',
      ask: (_question, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new ToolFailure('cancelled', 'Stopped.')));
          control.abort();
        }),
    };
    await expect(budgetOf({ day: { tokens: 0 } }, asker).reserve(model, control.signal)).rejects.toMatchObject({
      kind: 'cancelled',
    });
  });

  it('waits for what others have reserved, says so, and goes on with what they leave', async () => {
    const limited = { day: { tokens: 1000 } };
    const first = await budgetOf(limited).reserve();
    const second = budgetOf(limited).reserve();
    await expect.poll(() => notes(), { timeout: 5000 }).toHaveLength(1);
    expect(notes()[0]).toMatch(/The rest of the budget of today is reserved .*1,000 of 1,000 tokens/u);
    await first.settle({ model, usage: usageOf(500, 499) });
    await (await second).release();
    const last = await budgetOf(limited).reserve();
    const control = new AbortController();
    const waiting = budgetOf(limited).reserve(model, control.signal);
    await expect.poll(() => notes(), { timeout: 5000 }).toHaveLength(2);
    control.abort();
    await expect(waiting).rejects.toMatchObject({ kind: 'cancelled' });
    await last.release();
  });

  it('estimates what a provider leaves out, and says so', async () => {
    const budget = budgetOf({ conversation: { tokens: 10_000 } });
    const text = 'x'.repeat(400);
    const message = { role: 'assistant', parts: [{ type: 'text', text }] } as const;
    for (let round = 0; round < 2; round += 1) {
      await (await budget.reserve()).settle({ model, usage: usageOf(0, 0), message });
    }
    expect(await storage.spending.list()).toMatchObject([{ inputTokens: 200, outputTokens: 200 }]);
    expect(notes()).toEqual(['test/model did not say how many tokens it took; they are estimated.']);
  });

  it('says once that dollars of an unknown price cannot be counted', async () => {
    const budget = budgetOf({ day: { usd: 1 } });
    await budget.spend(usageOf(1, 1), unpriced);
    await budget.spend(usageOf(1, 1), unpriced);
    expect(notes()).toEqual([
      'The price of test/unpriced is unknown, so "budgets.day.usd" cannot count what it costs.',
    ]);
  });
});
