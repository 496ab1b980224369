/** The field of the composer, and what was wrong with what stood in it. */
import { useEffect, useId, useRef, type ClipboardEvent, type KeyboardEvent } from 'react';
import { useWords } from '../words/use-words.ts';
import type { useCompletion } from './use-completion.ts';

export function MessageField({
  text,
  setText,
  press,
  paste,
  completion,
  problem,
  isEditing,
}: {
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly press: (event: KeyboardEvent) => void;
  readonly paste: (event: ClipboardEvent) => void;
  readonly completion: ReturnType<typeof useCompletion>;
  readonly problem: string;
  readonly isEditing: boolean;
}) {
  const { t } = useWords();
  const problemId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // What was asked for a moment ago is to be typed now.
    if (!isEditing) return;
    field.current?.focus();
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length);
  }, [isEditing]);
  const isOpen = completion.candidates.length > 0;
  return (
    <>
      <textarea
        ref={field}
        id="message"
        rows={1}
        autoFocus={matchMedia('(min-width: 720px)').matches}
        aria-label={t('composer.field')}
        aria-describedby={problem === '' ? undefined : problemId}
        aria-invalid={problem !== '' || undefined}
        aria-controls={isOpen ? completion.id : undefined}
        aria-activedescendant={isOpen ? `${completion.id}-${completion.at}` : undefined}
        placeholder={t('composer.placeholder')}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={press}
        onPaste={paste}
      />
      <p className="composer-problem" id={problemId} role="alert" hidden={problem === ''}>
        {problem}
      </p>
    </>
  );
}
