/**
 * What the server and its pages say to each other about what was done and what goes on now.
 *
 * | method and path | takes | gives |
 * |---|---|---|
 * | GET /api/ledger | WebLedgerQuery | LedgerEntry[], newest first |
 * | GET /api/ledger/count | WebLedgerQuery | LedgerCount: all that fit |
 * | GET /api/ledger/export | WebLedgerExport | a file with all that fit |
 * | GET /api/hosts | ?days= (omitted: 1) | WebHost[], the last contacted first |
 * | GET /api/running | | WebRunning |
 * | POST /api/running/shells/:conversation/close | | Done: it has ended, with all that it had started |
 * | POST /api/running/terminals/:conversation/:name/close | | Done: likewise |
 *
 * Jobs are listed, read and killed by the routes of contract/web-api.ts.
 */
import type { JobInfo } from './jobs.ts';
import type { LedgerFilter } from './ledger.ts';
import type { OpenShell } from './shell-state.ts';

/** `failed`, `denied`: `1` or left out. */
export type WebLedgerQuery = Omit<LedgerFilter, 'conversationId' | 'callId' | 'failed' | 'denied'> & {
  readonly conversation?: string;
  /** The id of one call. */
  readonly call?: string;
  readonly failed?: '1';
  readonly denied?: '1';
};

export type WebLedgerExport = Omit<WebLedgerQuery, 'limit' | 'offset'> & { readonly format: 'csv' | 'json' };

/** A host that commands have contacted, or tried to. */
export type WebHost = {
  readonly host: string;
  readonly allowed: number;
  readonly refused: number;
  /** Allowed, but not there. */
  readonly failed: number;
  readonly bytesSent: number;
  readonly bytesReceived: number;
  readonly lastAt: string;
  /** Of the last refusal, else of the last contact. */
  readonly reason?: string;
  /** The last conversations that did, at most five. */
  readonly conversations: readonly string[];
};

/** Where it belongs, for a link. `title` omitted: the conversation is not known, or is not shown to people. */
type Placed = { readonly conversation: string; readonly workspace: string; readonly title?: string };

export type WebRunning = {
  /** Those that run. */
  readonly jobs: readonly (JobInfo & Placed)[];
  readonly shells: readonly (OpenShell & Placed)[];
  /** Those whose program runs. */
  readonly terminals: readonly (Placed & { readonly name: string; readonly command: string })[];
};
