/** What was done, by whom and why it was allowed; what runs now, what it has cost, and which hosts were contacted. */
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { createActivityApi } from '../api/activity-api.ts';
import { useApp, useStore } from '../app/use-app.ts';
import { PageBar } from '../shell/page-bar.tsx';
import { Icon } from '../ui/icon.tsx';
import { useWords } from '../words/use-words.ts';
import { CostSection } from './cost-section.tsx';
import { HostSection } from './host-section.tsx';
import { LedgerFilters } from './ledger-filters.tsx';
import { periodDays, queryOf, readView, viewQuery, type LedgerView } from './ledger-filter.ts';
import { LedgerSection } from './ledger-section.tsx';
import { RunningSection } from './running-section.tsx';
import { useLedger } from './use-ledger.ts';
import { useTools } from './use-tools.ts';
import './activity.css';

/** This close to the top counts as being there. */
const nearTopPx = 8;

export function ActivityPage() {
  const { t } = useWords();
  const { request, navigation } = useApp();
  const route = useStore(navigation.route);
  const api = useMemo(() => createActivityApi(request), [request]);
  const tools = useTools();
  const query = route.page === 'activity' ? route.query : undefined;
  const view = useMemo(() => readView(query), [query]);
  const wanted = queryOf(view, new Date());
  const place = useRef<HTMLDivElement>(null);
  const canMove = useCallback(() => {
    const box = place.current;
    if (box === null || box.scrollTop >= nearTopPx) return false;
    return box.querySelector('.ledger [aria-expanded="true"], .ledger :focus') === null;
  }, []);
  const ledger = useLedger(api, wanted, canMove);
  useEffect(() => {
    document.title = `${t('shell.activity')} · Handrail`;
  }, [t]);
  const choose = (next: LedgerView): void => {
    const chosen = viewQuery(next);
    navigation.go({ page: 'activity', ...(chosen === undefined ? {} : { query: chosen }) }, { replaces: true });
  };
  return (
    <>
      <PageBar title={t('shell.activity')}>
        {(['csv', 'json'] as const).map((format) => (
          <a
            key={format}
            className="btn small export"
            href={api.exportAddress(wanted, format)}
            download
            title={t('activity.export-hint')}
          >
            <Icon name="load" isSmall />
            <span className="sr">{t('activity.export')} </span>
            {format.toUpperCase()}
          </a>
        ))}
      </PageBar>
      <div className="page" ref={place}>
        <div className="page-in">
          <LedgerFilters tools={tools} view={view} choose={choose} />
          <div className="activity">
            <RunningSection api={api} />
            <LedgerSection tools={tools} ledger={ledger} view={view} choose={choose} />
            <CostSection api={api} />
            <HostSection
              api={api}
              days={periodDays[view.period ?? 'today']}
              choose={(text) => choose({ ...view, text })}
            />
          </div>
        </div>
      </div>
    </>
  );
}
