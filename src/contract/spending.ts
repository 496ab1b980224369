/** What models have cost, what they may cost, and the store that keeps both. */
import type { Usage } from './model.ts';

/** Who spends. A sub-agent and a scheduled run spend on the account of whoever started them. */
export type SpendingAccount = {
  readonly conversationId: string;
  /** The local calendar day, as 2026-01-31. */
  readonly day: string;
  /** A schedule, or whatever else has a limit of its own over all its requests. Empty: nothing has. */
  readonly scopeId: string;
};

export type SpendingLimit = {
  /** Over which part of the account it counts. */
  readonly of: 'conversation' | 'day' | 'schedule';
  readonly unit: 'tokens' | 'usd';
  readonly limit: number;
};

/** How far a limit is used. `reserved`: by requests that are under way. */
export type LimitUse = SpendingLimit & { readonly spent: number; readonly reserved: number };

export type SpendingReservation = {
  readonly id: string;
  readonly account: SpendingAccount;
  readonly tokens: number;
  readonly usd: number;
  /** ISO 8601, UTC. Afterwards it counts no more, whatever became of its request. */
  readonly expiresAt: string;
};

/** One answer of a model. `costUsd` undefined: its price is unknown. */
export type Spending = { readonly model: string; readonly usage: Usage; readonly costUsd: number | undefined };

/** What one model took of one account. */
export type SpendingLine = SpendingAccount & {
  readonly model: string;
  readonly requests: number;
  /** Those among them whose price is unknown. */
  readonly unpricedRequests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
  readonly costUsd: number;
};

export type SpendingStore = {
  /**
   * Reserves if something is left of each limit, counting what all others have spent and reserved; so together they pass a
   * limit by one request at most. Gives the limits of which nothing is left: none of them means that it is reserved.
   * Reservations of processes that are gone do not count.
   */
  reserve(reservation: SpendingReservation, limits: readonly SpendingLimit[], now: Date): Promise<readonly LimitUse[]>;
  /** Puts what was spent in the place of the reservation. `reservationId` undefined: nothing was reserved. */
  settle(reservationId: string | undefined, account: SpendingAccount, spending: Spending): Promise<void>;
  release(reservationId: string): Promise<void>;
  /** Newest day first. `fromDay` omitted: all days. */
  list(options?: { readonly fromDay?: string }): Promise<readonly SpendingLine[]>;
};
