/** One number of the settings: written when the field is left or Enter is pressed; empty is the default. */
import { useEffect, useId, useState } from 'react';
import { useWords } from '../words/use-words.ts';
import type { PageSettings } from './use-settings.ts';
import type { KeyPath } from './create-settings-store.ts';

export function NumberField({
  settings,
  path,
  label,
  hint,
  unit,
  usualText,
  step = 1,
}: {
  readonly settings: PageSettings;
  readonly path: KeyPath;
  readonly label: string;
  readonly hint: string;
  readonly unit: string;
  /** Shown where nothing is set and the schema has no default. Omitted: that there is no limit. */
  readonly usualText?: string;
  readonly step?: number | 'any';
}) {
  const { t } = useWords();
  const id = useId();
  const { usual, draft, setDraft, commit, reset, problem } = useNumberDraft(settings, path, step === 1);
  const said = problem === '' ? (settings.problem(path) ?? '') : problem;
  return (
    <div className="lab">
      <label htmlFor={id}>{label}</label>
      <span className={said === '' ? 'field' : 'field invalid'}>
        <input
          id={id}
          inputMode={step === 1 ? 'numeric' : 'decimal'}
          value={draft}
          placeholder={typeof usual === 'number' ? String(usual) : (usualText ?? t('field.none'))}
          disabled={settings.file?.problem !== undefined}
          aria-invalid={said !== '' || undefined}
          aria-describedby={`${id}-hint ${id}-problem`}
          onChange={(event) => setDraft(event.target.value)}
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key === 'Enter') commit();
            if (event.key === 'Escape') reset();
          }}
        />
        <span className="muted xs">{unit}</span>
      </span>
      <span className="hint" id={`${id}-hint`}>
        {hint}
      </span>
      <span className="hint bad" id={`${id}-problem`} role="alert">
        {said}
      </span>
    </div>
  );
}

/** What is typed, until it is written or given up. */
function useNumberDraft(settings: PageSettings, path: KeyPath, isWhole: boolean) {
  const { t } = useWords();
  const { usual, minimum, maximum } = settings.facts(path);
  const stored = settings.isWritten(path) || settings.isPending(path) ? settings.value(path) : undefined;
  const shown = typeof stored === 'number' && stored !== usual ? String(stored) : '';
  const [draft, setDraft] = useState(shown);
  const [problem, setProblem] = useState('');
  useEffect(() => setDraft(shown), [shown]);
  const commit = (): void => {
    setProblem('');
    if (draft === shown) return;
    const value = draft.trim() === '' ? null : Number(draft);
    if (value !== null && !isFitting(value, { minimum, maximum, isWhole })) {
      setProblem(t('field.between', { minimum: minimum ?? 0, maximum: maximum ?? '∞' }));
      return;
    }
    void settings.set(path, value);
  };
  return { usual, draft, setDraft, commit, reset: () => setDraft(shown), problem };
}

function isFitting(
  value: number,
  bounds: { readonly minimum: number | undefined; readonly maximum: number | undefined; readonly isWhole: boolean },
): boolean {
  if (!Number.isFinite(value) || (bounds.isWhole && !Number.isInteger(value))) return false;
  return value >= (bounds.minimum ?? -Infinity) && value <= (bounds.maximum ?? Infinity);
}
