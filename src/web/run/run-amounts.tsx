/** What a conversation took: calls, tokens, money, and how full the model's context is. */
import { useApp, useStore } from '../app/use-app.ts';
import { showDollars, showTokens } from '../words/amounts.ts';
import { useWords } from '../words/use-words.ts';
import type { RunSummary } from './fold-run.ts';
import { Section } from './run-section.tsx';

export function RunAmounts({ run, contextTokens }: { readonly run: RunSummary; readonly contextTokens: number }) {
  const { t, counted } = useWords();
  const { serverState } = useApp();
  const state = useStore(serverState);
  const window = state?.model?.contextWindow ?? 0;
  const budget = state?.settings.budgets.conversation;
  const limit = budget?.usd;
  return (
    <Section title={t('run.amounts')}>
      <dl className="amounts num">
        <dt>{t('run.calls')}</dt>
        <dd>{counted('run.calls-made', run.calls)}</dd>
        {run.tokens === 0 ? null : (
          <>
            <dt>{t('run.tokens')}</dt>
            <dd>{showTokens(run.tokens)}</dd>
          </>
        )}
        {run.costUsd === 0 ? null : (
          <>
            <dt>{t('run.cost')}</dt>
            <dd>
              {limit === undefined
                ? showDollars(run.costUsd)
                : t('run.of', { part: showDollars(run.costUsd), whole: showDollars(limit) })}
            </dd>
          </>
        )}
        {contextTokens === 0 || window === 0 ? null : (
          <>
            <dt>{t('usage.context')}</dt>
            <dd>{t('run.of', { part: showTokens(contextTokens), whole: showTokens(window) })}</dd>
          </>
        )}
      </dl>
      {contextTokens === 0 || window === 0 ? null : (
        <span
          className="meter wide"
          role="meter"
          aria-label={t('usage.context')}
          aria-valuemin={0}
          aria-valuemax={window}
          aria-valuenow={Math.min(window, contextTokens)}
        >
          <i style={{ width: `${Math.min(100, (100 * contextTokens) / window)}%` }} />
        </span>
      )}
    </Section>
  );
}
