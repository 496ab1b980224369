/** One call of the ledger: when, who, what, what was decided and why, how long; opened, everything about it. */
import { memo, useId, useState } from 'react';
import type { LedgerEntry } from '../../contract/ledger.ts';
import { useApp, useStore } from '../app/use-app.ts';
import { Clock } from '../chat/clock.tsx';
import { exactLine } from '../chat/exact-text.ts';
import { Icon } from '../ui/icon.tsx';
import { Dot } from '../ui/indicator.tsx';
import { showDuration } from '../words/amounts.ts';
import { useWords } from '../words/use-words.ts';
import { LedgerDetails } from './ledger-details.tsx';
import { showMoment } from './show-moment.ts';

export const LedgerRow = memo(function LedgerRow({
  entry,
  title,
  isFirstOpen,
}: {
  readonly entry: LedgerEntry;
  /** Of its tool. */
  readonly title: string;
  readonly isFirstOpen: boolean;
}) {
  const { t } = useWords();
  const id = useId();
  const [isOpen, setOpen] = useState(isFirstOpen);
  const { end } = entry;
  return (
    <>
      <tr className={isOpen ? 'open' : undefined} onClick={() => setOpen(!isOpen)}>
        <td className="num">
          <time dateTime={entry.startedAt}>{showMoment(entry.startedAt)}</time>
        </td>
        <td>{t(`activity.origin.${entry.origin}`)}</td>
        <td className="what">
          <button
            type="button"
            className="row-open"
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            // The row takes a click anywhere; here it would count twice.
            onClick={(event) => {
              event.stopPropagation();
              setOpen(!isOpen);
            }}
          >
            <Icon name="right" isSmall className="turns" />
            <b>{exactLine(title)}</b>
          </button>
          <small className="mono cut" title={entry.summary}>
            {exactLine(entry.summary)}
          </small>
        </td>
        <td>
          <Verdict entry={entry} />
        </td>
        <td className="num">{end === undefined ? <Since entry={entry} /> : showDuration(end.durationMs)}</td>
      </tr>
      {isOpen ? (
        <tr className="details" id={id}>
          <td colSpan={5}>
            <LedgerDetails entry={entry} />
          </td>
        </tr>
      ) : null}
    </>
  );
});

/** A call without an end runs, waits for an answer, or was cut off with its program. */
function useUnended({ callId, conversationId }: LedgerEntry): 'asking' | 'running' | 'unknown' {
  const { live } = useApp();
  const { questions, running } = useStore(live.state);
  if (questions.some((each) => each.callId === callId)) return 'asking';
  return running.has(conversationId) ? 'running' : 'unknown';
}

function Since({ entry }: { readonly entry: LedgerEntry }) {
  return useUnended(entry) === 'unknown' ? null : <Clock sinceMs={Date.parse(entry.startedAt)} />;
}

function Verdict({ entry }: { readonly entry: LedgerEntry }) {
  return entry.end === undefined ? <Unended entry={entry} /> : <Ended end={entry.end} />;
}

function Unended({ entry }: { readonly entry: LedgerEntry }) {
  const { t } = useWords();
  const state = useUnended(entry);
  return (
    <span className="row sm">
      {state === 'asking' ? (
        <Icon name="hand" isSmall className="warn" />
      ) : (
        <Dot look={state === 'running' ? 'live' : 'off'} />
      )}
      {t(`activity.unended.${state}`)}
    </span>
  );
}

function Ended({ end }: { readonly end: NonNullable<LedgerEntry['end']> }) {
  const { t } = useWords();
  const isDenied = end.errorCode === 'denied' || end.verdict === 'deny';
  const look = isDenied ? 'denied' : end.ok ? 'done' : 'failed';
  const why = look === 'failed' ? (end.errorCode ?? '') : '';
  return (
    <>
      <span className={look === 'done' ? 'row sm' : 'row sm bad'}>
        <Icon name={look === 'done' ? 'check' : 'x'} isSmall className={look === 'done' ? 'ok' : ''} />
        {t(`activity.verdict.${look}`)}
        {why === '' ? null : <span className="mono xs">{exactLine(why)}</span>}
      </span>
      <small title={end.reason}>{exactLine(end.reason)}</small>
    </>
  );
}
