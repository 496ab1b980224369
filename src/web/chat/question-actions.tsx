/** How far an allowance reaches, and the two buttons. The button names the scope that it gives. */
import { useId } from 'react';
import type { GrantScope, Question } from '../../contract/permission.ts';
import { Button } from '../ui/button.tsx';
import { useWords } from '../words/use-words.ts';
import type { Verdict } from './question-card.tsx';

export function QuestionActions({
  question,
  scope,
  setScope,
  decide,
  isSending,
}: {
  readonly question: Question;
  readonly scope: GrantScope;
  readonly setScope: (scope: GrantScope) => void;
  readonly decide: (verdict: Verdict) => void;
  readonly isSending: boolean;
}) {
  const { t } = useWords();
  const group = useId();
  return (
    <>
      {question.scopes.length < 2 ? null : (
        <fieldset>
          <legend className="sr">{t('question.how-long')}</legend>
          <div className="seg">
            {question.scopes.map((each) => (
              <label key={each}>
                <input type="radio" name={group} checked={each === scope} onChange={() => setScope(each)} />
                {t(`scope.${each}`)}
                {each === 'conversation' ? <kbd aria-hidden="true">C</kbd> : null}
              </label>
            ))}
          </div>
        </fieldset>
      )}
      <div className="actions full">
        <Button
          look="primary"
          isBusy={isSending}
          aria-keyshortcuts="a"
          onClick={() => decide({ verdict: 'allow', scope })}
        >
          {t(`allow.${scope}`)} <kbd aria-hidden="true">A</kbd>
        </Button>
        <Button disabled={isSending} aria-keyshortcuts="d" onClick={() => decide({ verdict: 'deny' })}>
          {t('question.deny')} <kbd aria-hidden="true">D</kbd>
        </Button>
        <span className="hint hide-s">{t('question.nothing-ran')}</span>
      </div>
    </>
  );
}
