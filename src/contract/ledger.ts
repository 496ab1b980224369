/** The ledger: one line for each call, whoever made it. Written with the journal's events in one transaction, so it lacks none. */
import type { Effect } from './tool.ts';

export type LedgerOrigin = 'model' | 'user' | 'mcp' | 'library';

export type LedgerEntry = {
  readonly callId: string;
  readonly conversationId: string;
  readonly turnId: string;
  /** Who asked for it. */
  readonly origin: LedgerOrigin;
  readonly tool: string;
  readonly effect: Effect;
  /** One line by the tool: what the call does. */
  readonly summary: string;
  /** The arguments, cut when they are long. */
  readonly input: string;
  readonly startedAt: string;
  /** Omitted: it runs, or the program was ended before it was. */
  readonly end?: {
    readonly at: string;
    readonly durationMs: number;
    readonly verdict: 'allow' | 'ask' | 'deny';
    /** Why it was allowed or not. */
    readonly reason: string;
    readonly ok: boolean;
    readonly errorCode?: string;
    /** Of the whole result, kept or cut. */
    readonly resultBytes: number;
    /** How the result begins. */
    readonly resultHead: string;
  };
  /** Dollars, an estimate: what the model's request for it has cost, shared by the calls that it asked for. */
  readonly costUsd?: number;
};

export type LedgerFilter = {
  readonly tool?: string;
  readonly conversationId?: string;
  readonly origin?: LedgerOrigin;
  /** ISO 8601, UTC: this moment and later. */
  readonly since?: string;
  /** Those that ended without a result, denied ones among them. */
  readonly failed?: boolean;
  readonly denied?: boolean;
  /** Omitted: 50. */
  readonly limit?: number;
};

export type LedgerStore = {
  /** Newest first. */
  list(filter?: LedgerFilter): Promise<readonly LedgerEntry[]>;
  /** Those whose id is this, or ends with it; at most ten. */
  find(callId: string): Promise<readonly LedgerEntry[]>;
};
