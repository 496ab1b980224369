/** Below an answer: when, how long, what it took, and what can be done with it. */
import { CopyButton } from '../ui/copy-button.tsx';
import { IconButton } from '../ui/button.tsx';
import { ReadAloudButton } from '../speech/read-aloud-button.tsx';
import { showDollars, showDuration, showTime, showTokens } from '../words/amounts.ts';
import { useWords } from '../words/use-words.ts';
import type { Turn, TurnEnd } from './screen.ts';
import { NoteView } from './small-parts.tsx';
import { TurnError } from './turn-error.tsx';
import { isWithoutAnswer, useTurnActions } from './turn-actions.ts';

export function TurnFoot({ turn, end }: { readonly turn: Turn; readonly end: TurnEnd }) {
  const { t } = useWords();
  const facts = [
    showTime(end.atMs),
    showDuration(end.durationMs),
    ...(end.tokens === 0 ? [] : [t('turn.tokens', { tokens: showTokens(end.tokens) })]),
    ...(end.costUsd === undefined ? [] : [showDollars(end.costUsd)]),
  ];
  return (
    <>
      <TurnError turn={turn} />
      {end.reason === 'answer' || end.error !== undefined ? null : <NoteView text={t(`turn.${end.reason}`)} />}
      <div className="turn-foot">
        <p className="turn-end num">{facts.join(' · ')}</p>
        <Actions turn={turn} />
        {turn.model === undefined ? null : <span className="turn-model xs muted">{turn.model}</span>}
      </div>
    </>
  );
}

function Actions({ turn }: { readonly turn: Turn }) {
  const { t } = useWords();
  const actions = useTurnActions();
  const text = turn.parts
    .flatMap((part) => (part.kind === 'text' ? [part.text] : []))
    .join('\n\n')
    .trim();
  return (
    <div className="turn-actions">
      {text === '' ? null : <CopyButton text={text} label={t('turn.copy')} />}
      <ReadAloudButton answer={{ id: turn.turnId, text }} />
      {actions === undefined ? null : (
        <>
          {turn.said === undefined ? null : (
            <IconButton
              icon="again"
              label={t('turn.retry')}
              hint={t(isWithoutAnswer(turn) ? 'turn.retry' : 'turn.retry-hint')}
              isSmall
              disabled={!actions.isIdle}
              onClick={() => actions.retry(turn)}
            />
          )}
          <IconButton
            icon="branch"
            label={t('turn.branch')}
            hint={t('turn.branch-hint')}
            isSmall
            onClick={() => actions.branchBehind(turn)}
          />
        </>
      )}
    </div>
  );
}
