/** The ledger: one line for each call, whoever made it. Written with the journal's events in one transaction, so it lacks none. */
import type { Effect } from './tool.ts';

export type LedgerOrigin = 'model' | 'user' | 'mcp' | 'library';

export type LedgerEntry = {
  readonly callId: string;
  readonly conversationId: string;
  readonly turnId: string;
  /** Where the journal says that it began. */
  readonly seq: number;
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

/** `running`: it has no end. `failed`: it was allowed and went wrong. */
export type LedgerState = 'running' | 'done' | 'failed' | 'denied';

export type LedgerFilter = {
  readonly tool?: string;
  readonly conversationId?: string;
  readonly origin?: LedgerOrigin;
  /** ISO 8601, UTC: this moment and later. */
  readonly since?: string;
  /** Likewise, and no later. */
  readonly until?: string;
  /** Exactly this one. */
  readonly callId?: string;
  /** Part of what it does, of its arguments, of the reason or of its id, in any case of letters. */
  readonly text?: string;
  readonly state?: LedgerState;
  /** Those that ended without a result, denied ones among them. */
  readonly failed?: boolean;
  readonly denied?: boolean;
  /** Omitted: 50. */
  readonly limit?: number;
  /** So many of the first are left out. Omitted: none. */
  readonly offset?: number;
};

export type LedgerCount = { readonly calls: number; readonly failed: number; readonly denied: number };

export type LedgerStore = {
  /** Newest first. */
  list(filter?: LedgerFilter): Promise<readonly LedgerEntry[]>;
  /** All that fit, whatever `limit` and `offset` say. */
  count(filter?: LedgerFilter): Promise<LedgerCount>;
  /** Those whose id is this, or ends with it; at most ten. */
  find(callId: string): Promise<readonly LedgerEntry[]>;
};
