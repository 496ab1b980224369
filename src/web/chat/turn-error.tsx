/** Why a turn failed, and what to do about it: by the kind of the failure, with the way there. */
import { PageLink } from '../shell/page-link.tsx';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import type { WordKey } from '../words/words.ts';
import { useWords } from '../words/use-words.ts';
import type { Turn } from './screen.ts';
import { useTurnActions } from './turn-actions.ts';

type Advice = { readonly words: WordKey; readonly way: 'retry' | 'models' | 'budgets' | 'none' };

/** Of ModelFailureKind; others say all in their message. */
const advices: Readonly<Record<string, Advice>> = {
  auth: { words: 'error.auth', way: 'models' },
  quota: { words: 'error.quota', way: 'models' },
  rate_limit: { words: 'error.busy', way: 'retry' },
  overloaded: { words: 'error.busy', way: 'retry' },
  network: { words: 'error.network', way: 'retry' },
  incomplete: { words: 'error.incomplete', way: 'retry' },
  unknown_model: { words: 'error.unknown-model', way: 'models' },
  context_overflow: { words: 'error.overflow', way: 'none' },
  refused: { words: 'error.refused', way: 'none' },
  budget: { words: 'error.budget', way: 'budgets' },
};

const sections = { models: 'models', budgets: 'agent' } as const;

export function TurnError({ turn }: { readonly turn: Turn }) {
  const { t } = useWords();
  const actions = useTurnActions();
  const error = turn.end?.error;
  if (error === undefined) return null;
  const { words, way } = advices[error.kind] ?? { words: undefined, way: 'retry' };
  const retry =
    way === 'retry' && actions !== undefined && turn.said !== undefined ? (
      <Button isSmall disabled={!actions.isIdle} onClick={() => actions.retry(turn)}>
        {t('again')}
      </Button>
    ) : undefined;
  const link =
    way === 'models' || way === 'budgets' ? (
      <PageLink to={{ page: 'settings', section: sections[way] }} className="btn small">
        {t(`error.to-${way}`)}
      </PageLink>
    ) : undefined;
  return (
    <Notice icon="warn" look="bad" actions={retry ?? link}>
      <p>{error.message}</p>
      {words === undefined ? null : <p>{t(words)}</p>}
    </Notice>
  );
}
