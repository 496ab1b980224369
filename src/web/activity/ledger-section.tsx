/** The ledger: how much fits, and the calls, newest first. */
import { useMemo } from 'react';
import type { ToolStatus } from '../../contract/handrail.ts';
import type { LedgerEntry } from '../../contract/ledger.ts';
import { Bones } from '../ui/bones.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Notice } from '../ui/notice.tsx';
import { useWords } from '../words/use-words.ts';
import { viewQuery, type LedgerView } from './ledger-filter.ts';
import { LedgerRow } from './ledger-row.tsx';
import { keyOf } from './merge-calls.ts';
import type { Ledger } from './use-ledger.ts';

export function LedgerSection({
  tools,
  ledger,
  view,
  choose,
}: {
  readonly tools: readonly ToolStatus[];
  readonly ledger: Ledger;
  readonly view: LedgerView;
  readonly choose: (view: LedgerView) => void;
}) {
  const { t, counted } = useWords();
  const { calls, waiting, problem } = ledger;
  return (
    <section className="sect activity-ledger" aria-labelledby="ledger-title">
      <header>
        <h2 id="ledger-title">{t('activity.ledger')}</h2>
        <Summary ledger={ledger} />
        {view.call === undefined ? null : (
          <Button isSmall className="end" onClick={() => choose({})}>
            {t('activity.all-calls')}
          </Button>
        )}
      </header>
      {problem === '' ? null : (
        <Notice
          icon="warn"
          look="bad"
          role="alert"
          actions={
            <Button isSmall onClick={ledger.retry}>
              {t('again')}
            </Button>
          }
        >
          {problem}
        </Notice>
      )}
      {waiting.length === 0 ? null : (
        <Button className="new-above" isSmall onClick={ledger.showWaiting}>
          <Icon name="up" isSmall />
          {counted('activity.new', waiting.length)}
        </Button>
      )}
      {calls === undefined && problem === '' ? <Bones label={t('activity.loading')} count={9} /> : null}
      {calls?.length === 0 ? <NoCalls view={view} choose={choose} /> : null}
      {calls === undefined || calls.length === 0 ? null : <Calls calls={calls} tools={tools} opened={view.call} />}
      {ledger.hasMore ? (
        <Button isBusy={ledger.isReadingMore} onClick={() => void ledger.more()}>
          {t('activity.more')}
        </Button>
      ) : null}
    </section>
  );
}

function Calls({
  calls,
  tools,
  opened,
}: {
  readonly calls: readonly LedgerEntry[];
  readonly tools: readonly ToolStatus[];
  /** The id of the one that a link has named. */
  readonly opened: string | undefined;
}) {
  const { t } = useWords();
  const titles = useMemo(() => new Map(tools.map(({ name, title }) => [name, title])), [tools]);
  return (
    <div className="table-box">
      <table className="table ledger">
        <caption className="sr">{t('activity.caption')}</caption>
        <thead>
          <tr>
            {(['time', 'who', 'what', 'decision', 'took'] as const).map((column) => (
              <th key={column} scope="col">
                {t(`activity.column.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {calls.map((entry) => (
            <LedgerRow
              key={keyOf(entry)}
              entry={entry}
              title={titles.get(entry.tool) ?? entry.tool}
              isFirstOpen={opened === entry.callId}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Summary({ ledger: { calls, count } }: { readonly ledger: Ledger }) {
  const { t, counted } = useWords();
  if (calls === undefined || count === undefined) return <p className="num">{'\u00a0'}</p>;
  const parts = [
    counted('activity.of', count.calls, { shown: calls.length }),
    ...(count.failed === 0 ? [] : [t('activity.failed', { number: count.failed })]),
    ...(count.denied === 0 ? [] : [t('activity.denied', { number: count.denied })]),
  ];
  return (
    <p className="num" role="status">
      {parts.join(', ')}
    </p>
  );
}

function NoCalls({ view, choose }: { readonly view: LedgerView; readonly choose: (view: LedgerView) => void }) {
  const { t } = useWords();
  const isNarrow = viewQuery(view) !== undefined;
  return (
    <div className="empty">
      <h3>{t(isNarrow ? 'activity.nothing-fits' : 'activity.nothing-today')}</h3>
      <p>{t('activity.nothing-text')}</p>
      {view.period === 'all' && viewQuery({ ...view, period: 'today' }) === undefined ? null : (
        <Button isSmall onClick={() => choose({ period: 'all' })}>
          {t('activity.show-all')}
        </Button>
      )}
    </div>
  );
}
