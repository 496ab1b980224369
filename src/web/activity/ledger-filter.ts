/** The filters of the ledger, as they stand in the address, and what they ask of the server. Pure. */
import type { LedgerOrigin, LedgerState } from '../../contract/ledger.ts';
import type { WebLedgerQuery } from '../../contract/web-activity.ts';

export const periods = ['today', 'week', 'month', 'all'] as const;
export const origins = ['model', 'user', 'mcp', 'library'] as const satisfies readonly LedgerOrigin[];
export const states = ['done', 'failed', 'denied', 'running'] as const satisfies readonly LedgerState[];

export type Period = (typeof periods)[number];

/** Omitted or empty: any. */
export type LedgerView = {
  readonly text?: string;
  readonly origin?: LedgerOrigin;
  readonly tool?: string;
  readonly state?: LedgerState;
  /** Omitted: `today`. */
  readonly period?: Period;
  readonly conversation?: string;
  /** Only this call, whatever else is chosen. */
  readonly call?: string;
};

/** What is in no list is left out: an address may be from another version, or mistyped. */
export function readView(query: string | undefined): LedgerView {
  const values = new URLSearchParams(query);
  const text = (name: string): string | undefined => values.get(name)?.slice(0, 200) || undefined;
  const oneOf = <Value extends string>(name: string, all: readonly Value[]): Value | undefined =>
    all.find((each) => each === values.get(name));
  return withoutEmpty({
    text: text('text'),
    origin: oneOf('origin', origins),
    tool: text('tool'),
    state: oneOf('state', states),
    period: oneOf('period', periods),
    conversation: text('conversation'),
    call: text('call'),
  });
}

/** Undefined: no filter. */
export function viewQuery(view: LedgerView): string | undefined {
  const values = new URLSearchParams();
  for (const [name, value] of Object.entries(view)) {
    if (value !== '' && !(name === 'period' && value === 'today')) values.set(name, value);
  }
  const query = values.toString();
  return query === '' ? undefined : query;
}

export function queryOf(view: LedgerView, now: Date): WebLedgerQuery {
  const { call, conversation, period, text, ...rest } = view;
  const chat = conversation === undefined ? {} : { conversation };
  // The one that a link names is meant, whenever it was.
  if (call !== undefined) return { call, ...chat };
  const since = startOf(period ?? 'today', now);
  const wanted = text?.trim() ?? '';
  return { ...rest, ...chat, ...(wanted === '' ? {} : { text: wanted }), ...(since === undefined ? {} : { since }) };
}

export const periodDays: Readonly<Record<Period, number>> = { today: 1, week: 7, month: 30, all: 366 };

/** Days are those of the person who looks. */
function startOf(period: Period, now: Date): string | undefined {
  if (period === 'all') return undefined;
  const first = new Date(now.getFullYear(), now.getMonth(), now.getDate() - periodDays[period] + 1);
  return first.toISOString();
}

type Filled = { readonly [Name in keyof LedgerView]: LedgerView[Name] | undefined };

export function withoutEmpty(view: Filled): LedgerView {
  return Object.fromEntries(Object.entries(view).filter(([, value]) => value !== undefined && value !== ''));
}
