/** What models have cost: today against its budget, the last days, and by model. */
import { useCallback, useState } from 'react';
import type { Costs } from '../../contract/handrail.ts';
import type { ActivityApi } from '../api/activity-api.ts';
import { useApp, useStore } from '../app/use-app.ts';
import { exactLine } from '../chat/exact-text.ts';
import { Bones } from '../ui/bones.tsx';
import { showDollars, showTokens } from '../words/amounts.ts';
import { useWords } from '../words/use-words.ts';
import { byDay, byModel, sumOf, type CostSum } from './sum-costs.ts';
import { usePolling } from './use-polling.ts';

const shownDays = 14;
const askedDays = 30;

export function CostSection({ api }: { readonly api: ActivityApi }) {
  const { t } = useWords();
  const [costs, setCosts] = useState<Costs>();
  usePolling(useCallback(async () => setCosts(await api.costs(askedDays)), [api]));
  return (
    <section className="sect activity-costs" aria-labelledby="costs-title">
      <header>
        <h2 id="costs-title">{t('activity.costs')}</h2>
        <p>{t('activity.estimate')}</p>
      </header>
      {costs === undefined ? <Bones label={t('activity.loading')} count={4} /> : null}
      {costs === undefined ? null : costs.lines.length === 0 ? (
        <p className="hint">{t('activity.no-costs')}</p>
      ) : (
        <div className="card stack sm">
          <Today costs={costs} />
          <Days costs={costs} />
          <Models costs={costs} />
        </div>
      )}
    </section>
  );
}

function Today({ costs: { today, lines } }: { readonly costs: Costs }) {
  const { t } = useWords();
  const budget = useStore(useApp().serverState)?.settings.budgets.day;
  const sum = sumOf(lines.filter(({ day }) => day === today));
  return (
    <div className="stack meters">
      <Meter
        label={t('activity.today')}
        shown={showDollars(sum.costUsd)}
        value={sum.costUsd}
        limit={budget?.usd}
        of={showDollars}
      />
      <Meter
        label={t('activity.tokens')}
        shown={showTokens(sum.tokens)}
        value={sum.tokens}
        limit={budget?.tokens}
        of={showTokens}
      />
    </div>
  );
}

/** From here on it is nearly spent. */
const nearPart = 0.8;

function Meter({
  label,
  shown,
  value,
  limit,
  of,
}: {
  readonly label: string;
  readonly shown: string;
  readonly value: number;
  readonly limit: number | undefined;
  readonly of: (value: number) => string;
}) {
  const { t } = useWords();
  const part = limit === undefined || limit <= 0 ? undefined : Math.min(1, value / limit);
  const words = limit === undefined ? shown : t('activity.of-limit', { part: shown, whole: of(limit) });
  return (
    <div>
      <p className="row">
        <span className="grow">{label}</span>
        <b className="num">{words}</b>
      </p>
      {part === undefined ? null : (
        <span
          className={part >= nearPart ? 'meter wide ask' : 'meter wide'}
          role="meter"
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(part * 100)}
          aria-valuetext={words}
        >
          <i style={{ width: `${part * 100}%` }} />
        </span>
      )}
    </div>
  );
}

/** Bars without numbers for the eye, the numbers for the ear: they are also the bars' titles. */
function Days({ costs: { today, lines } }: { readonly costs: Costs }) {
  const { t } = useWords();
  const days = byDay(lines, today, shownDays);
  const isPriced = days.some(({ costUsd }) => costUsd > 0);
  const size = (sum: CostSum): number => (isPriced ? sum.costUsd : sum.tokens);
  const most = Math.max(...days.map(size), Number.MIN_VALUE);
  const nameOf = (day: string): string =>
    new Date(`${day}T12:00:00Z`).toLocaleDateString(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const wordsOf = (sum: CostSum): string =>
    isPriced ? showDollars(sum.costUsd) : t('activity.tokens-of', { tokens: showTokens(sum.tokens) });
  return (
    <figure className="days">
      <ul aria-label={t('activity.last-days', { days: shownDays })}>
        {days.map((each) => (
          <li key={each.day} title={`${nameOf(each.day)}: ${wordsOf(each)}`}>
            <span className="sr">
              {nameOf(each.day)}: {wordsOf(each)}
            </span>
            <i style={{ height: `${(size(each) / most) * 100}%` }} />
          </li>
        ))}
      </ul>
      <figcaption className="row xs muted num" aria-hidden="true">
        <span>{nameOf(days[0]?.day ?? today)}</span>
        <span className="end">{nameOf(today)}</span>
      </figcaption>
    </figure>
  );
}

function Models({ costs }: { readonly costs: Costs }) {
  const { t, counted } = useWords();
  const models = byModel(costs.lines);
  const unpriced = sumOf(costs.lines).unpriced;
  return (
    <>
      <ul className="models" aria-label={t('activity.by-model', { days: askedDays })}>
        {models.map((each) => (
          <li key={each.model} className="row">
            <span className="grow cut mono xs" title={each.model}>
              {exactLine(each.model)}
            </span>
            <span className="num xs muted">{showTokens(each.tokens)}</span>
            <span className="num price">{showDollars(each.costUsd)}</span>
          </li>
        ))}
      </ul>
      <p className="hint">
        {t('activity.by-model', { days: askedDays })}
        {unpriced === 0 ? '' : ` ${counted('activity.unpriced', unpriced)}`}
      </p>
    </>
  );
}
