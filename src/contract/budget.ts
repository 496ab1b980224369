/** What a turn may spend: tokens and money, reserved before each request so that parallel requests cannot overshoot together. */
import type { Recorder } from './event.ts';
import type { AssistantMessage } from './message.ts';
import type { ModelInfo, Usage } from './model.ts';

/** What one request will take at most, before it is sent. */
export type Expense = {
  readonly model: ModelInfo;
  readonly estimatedInputTokens: number;
  readonly maxOutputTokens: number;
};

export type Reservation = {
  /** What it really took; gives its dollars, undefined when the price is unknown. */
  settle(spent: {
    readonly model: ModelInfo;
    readonly usage: Usage;
    /** The answer, whose length stands for a count that its provider left out. Omitted: the count is taken as it is. */
    readonly message?: AssistantMessage;
  }): Promise<number | undefined>;
  /** The request failed before it was answered: gives back what was reserved. */
  release(): Promise<void>;
};

export type Budget = {
  /**
   * Asks a person where there is one when a limit would be passed. Rejects with ModelFailure: `budget` when nobody raised it
   * (the message names the limit and its setting), `cancelled` when the signal fires meanwhile.
   */
  reserve(expense: Expense, record: Recorder, signal: AbortSignal): Promise<Reservation>;
};
