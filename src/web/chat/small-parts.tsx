/** The quiet lines of a turn: a model's notes, notes of ours, another attempt. */
import { Icon } from '../ui/icon.tsx';
import { showDuration } from '../words/amounts.ts';
import { useWords } from '../words/use-words.ts';
import type { Part } from './screen.ts';

export function ThoughtView({ thought }: { readonly thought: Extract<Part, { kind: 'thought' }> }) {
  const { t } = useWords();
  return (
    <details className="steps">
      <summary>
        <Icon name="right" isSmall className="fold" />
        {thought.durationMs === undefined ? (
          <span>{t('thought.now')}</span>
        ) : (
          <>
            <span>{t('thought.over')}</span>
            <span className="num">{thought.durationMs === 0 ? '' : showDuration(thought.durationMs)}</span>
          </>
        )}
      </summary>
      <p className="thought">{thought.text.trim()}</p>
    </details>
  );
}

export function NoteView({ text, more }: { readonly text: string; readonly more?: string }) {
  const { t } = useWords();
  if (more === undefined) {
    return (
      <p className="note">
        <Icon name="info" isSmall />
        <span>{text}</span>
      </p>
    );
  }
  return (
    <details className="steps">
      <summary>
        <Icon name="right" isSmall className="fold" />
        <span>{text}</span>
      </summary>
      <p className="thought" aria-label={t('note.summary')}>
        {more}
      </p>
    </details>
  );
}

export function RetryView({ retry }: { readonly retry: Extract<Part, { kind: 'retry' }> }) {
  const { t } = useWords();
  const next =
    retry.nextModel === undefined
      ? t('retry.again', { wait: showDuration(retry.waitMs ?? 0), attempt: retry.attempt })
      : t('retry.other', { model: retry.nextModel });
  return (
    <p className="note">
      <Icon name="again" isSmall />
      <span>
        {retry.message} {next}
      </span>
    </p>
  );
}
