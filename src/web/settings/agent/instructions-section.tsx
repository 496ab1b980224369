/** The user's own instructions: written when the field is left; a draft is never lost to a reading of the settings. */
import { useEffect, useId, useState } from 'react';
import { useWords } from '../../words/use-words.ts';
import type { PageSettings } from '../use-settings.ts';

const path = ['agent', 'instructions'];
const maxChars = 8_000;

export function InstructionsSection({ settings }: { readonly settings: PageSettings }) {
  const { t, counted } = useWords();
  const id = useId();
  const stored = settings.value(path);
  const shown = typeof stored === 'string' ? stored : '';
  const [draft, setDraft] = useState(shown);
  const [isDirty, setDirty] = useState(false);
  useEffect(() => {
    if (!isDirty) setDraft(shown);
  }, [shown, isDirty]);
  const commit = async (): Promise<void> => {
    if (!isDirty) return;
    const text = draft.trim();
    if (await settings.set(path, text === '' ? null : text)) setDirty(false);
  };
  const problem = settings.problem(path);
  return (
    <section className="sect" aria-labelledby={`${id}-title`}>
      <header>
        <h2 id={`${id}-title`}>{t('agent.instructions')}</h2>
        <p id={`${id}-text`}>{t('agent.instructions-text')}</p>
      </header>
      <textarea
        className="instructions"
        rows={5}
        maxLength={maxChars}
        value={draft}
        placeholder={t('agent.instructions-example')}
        disabled={settings.file?.problem !== undefined}
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-text ${id}-state`}
        aria-invalid={problem !== undefined || undefined}
        onChange={(event) => {
          setDraft(event.target.value);
          setDirty(true);
        }}
        onBlur={() => void commit()}
      />
      <p id={`${id}-state`} className={problem === undefined ? 'hint' : 'hint bad'} role="status">
        {problem ?? (isDirty ? t('agent.instructions-unsaved') : counted('agent.characters', draft.length))}
      </p>
    </section>
  );
}
