/** Whether a new conversation is a chat, or one screen after the other. */
import { useId } from 'react';
import { useWords } from '../words/use-words.ts';
import './mode-choice.css';

export function ModeChoice({
  isInteractive,
  choose,
}: {
  readonly isInteractive: boolean;
  readonly choose: (isInteractive: boolean) => void;
}) {
  const { t } = useWords();
  const name = useId();
  return (
    <fieldset className="mode-choice">
      <legend className="sr">{t('kai.mode')}</legend>
      <div className="seg">
        {[false, true].map((each) => (
          <label key={String(each)}>
            <input type="radio" name={name} checked={each === isInteractive} onChange={() => choose(each)} />
            {t(each ? 'kai.mode-interactive' : 'kai.mode-chat')}
          </label>
        ))}
      </div>
      <p className="xs muted">{isInteractive ? t('kai.mode-text') : '\u00a0'}</p>
    </fieldset>
  );
}
