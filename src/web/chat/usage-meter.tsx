/** How full the model's context is, and what this chat has cost. */
import { useApp, useStore } from '../app/use-app.ts';
import { showDollars, showTokens } from '../words/amounts.ts';
import { useWords } from '../words/use-words.ts';

export function UsageMeter({ contextTokens, costUsd }: { readonly contextTokens: number; readonly costUsd: number }) {
  const { t } = useWords();
  const { serverState } = useApp();
  const window = useStore(serverState)?.model?.contextWindow;
  const cost = costUsd > 0 ? showDollars(costUsd) : '';
  if (contextTokens === 0 || window === undefined || window === 0) return <span className="usage num">{cost}</span>;
  const percent = Math.min(100, Math.round((100 * contextTokens) / window));
  return (
    <span
      className="usage num"
      title={t('usage.title', { tokens: showTokens(contextTokens), window: showTokens(window) })}
    >
      <span
        className="meter"
        role="meter"
        aria-label={t('usage.context')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <i style={{ width: `${percent}%` }} />
      </span>
      {percent} %{cost === '' ? '' : ` · ${cost}`}
    </span>
  );
}
