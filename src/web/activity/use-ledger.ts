/** The calls on screen: a page at a time, kept new while somebody looks, without moving what is read. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { LedgerCount, LedgerEntry } from '../../contract/ledger.ts';
import type { WebLedgerQuery } from '../../contract/web-activity.ts';
import type { ActivityApi } from '../api/activity-api.ts';
import { useFailureWords } from '../sandbox/userland/use-sandbox.ts';
import { appendCalls, lookFrom, mergeCalls } from './merge-calls.ts';
import { usePolling } from './use-polling.ts';

export type Ledger = {
  /** Undefined until they were read. */
  readonly calls: readonly LedgerEntry[] | undefined;
  /** That came on top while something else was read. */
  readonly waiting: readonly LedgerEntry[];
  readonly count: LedgerCount | undefined;
  readonly hasMore: boolean;
  readonly isReadingMore: boolean;
  readonly problem: string;
  showWaiting(): void;
  more(): Promise<void>;
  retry(): void;
};

const pageCalls = 50;
const maxNew = 200;

/** `canMove`: nobody reads anything that new lines on top would move. */
export function useLedger(api: ActivityApi, query: WebLedgerQuery, canMove: () => boolean): Ledger {
  const failureWords = useFailureWords();
  const key = JSON.stringify(query);
  const [state, setState] = useState<LedgerShown>(nothingShown);
  const [problem, setProblem] = useState('');
  const [tries, setTries] = useState(0);
  const shown = useRef(state);
  shown.current = state;
  // The query is a new object with each drawing; what it says is the key.
  const asked = useMemo(() => query, [key]);

  useEffect(() => {
    let isOld = false;
    setProblem('');
    Promise.all([api.ledger({ ...asked, limit: pageCalls }), api.count(asked)]).then(
      ([calls, count]) => {
        if (!isOld) setState({ calls, count, waiting: [], hasMore: calls.length === pageCalls, isReadingMore: false });
      },
      (error: unknown) => {
        if (!isOld) setProblem(failureWords(error));
      },
    );
    return () => {
      isOld = true;
      setState(nothingShown);
    };
  }, [api, asked, tries, failureWords]);

  const look = useCallback(async (): Promise<void> => {
    const before = shown.current;
    const news = await lookForNews(api, asked, before);
    if (news !== undefined) setState((now) => (now === before ? withNews(now, news, canMove()) : now));
  }, [api, asked, canMove]);
  usePolling(look);

  const more = async (): Promise<void> => {
    setState((now) => ({ ...now, isReadingMore: true }));
    const { calls: known = [], waiting } = shown.current;
    try {
      // New ones on top push the others down by as many.
      const page = await api.ledger({ ...asked, limit: pageCalls, offset: known.length + waiting.length });
      setState((now) => ({
        ...now,
        calls: appendCalls(now.calls ?? [], page),
        hasMore: page.length === pageCalls,
        isReadingMore: false,
      }));
    } catch (error) {
      setProblem(failureWords(error));
      setState((now) => ({ ...now, isReadingMore: false }));
    }
  };
  return {
    ...state,
    problem,
    more,
    showWaiting: () => setState((now) => ({ ...now, calls: [...now.waiting, ...(now.calls ?? [])], waiting: [] })),
    retry: () => setTries((count) => count + 1),
  };
}

type LedgerShown = Pick<Ledger, 'calls' | 'waiting' | 'count' | 'hasMore' | 'isReadingMore'>;

const nothingShown: LedgerShown = {
  calls: undefined,
  waiting: [],
  count: undefined,
  hasMore: false,
  isReadingMore: false,
};

type News = {
  readonly fresh: readonly LedgerEntry[];
  /** Since when they are all that fit. */
  readonly from: string | undefined;
  readonly count: LedgerCount | undefined;
};

/** Undefined: all is as it was. */
async function lookForNews(api: ActivityApi, asked: WebLedgerQuery, before: LedgerShown): Promise<News | undefined> {
  if (before.calls === undefined) return undefined;
  const known = [...before.waiting, ...before.calls];
  const since = lookFrom(known.slice(0, maxNew / 2)) ?? asked.since;
  const fresh = await api.ledger({ ...asked, ...(since === undefined ? {} : { since }), limit: maxNew });
  // Further back than that nothing is known of what is missing.
  const from = fresh.length < maxNew ? since : fresh.at(-1)?.startedAt;
  const { calls, added } = mergeCalls(known, fresh, from);
  const isSame = added.length === 0 && calls.length === known.length && calls.every((each, at) => each === known[at]);
  return isSame ? undefined : { fresh, from, count: await api.count(asked) };
}

function withNews(now: LedgerShown, { fresh, from, count }: News, canMove: boolean): LedgerShown {
  const { calls: known = [], waiting } = now;
  const { calls, added } = mergeCalls([...waiting, ...known], fresh, from);
  const kept = new Set(known.map(({ callId, conversationId }) => `${conversationId} ${callId}`));
  const isShown = (each: LedgerEntry): boolean => kept.has(`${each.conversationId} ${each.callId}`);
  const held = [...added, ...calls.filter((each) => !isShown(each))];
  const below = calls.filter(isShown);
  return {
    ...now,
    count,
    ...(canMove ? { calls: [...held, ...below], waiting: [] } : { calls: below, waiting: held }),
  };
}
