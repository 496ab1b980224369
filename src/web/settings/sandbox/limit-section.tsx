/** How much of the machine commands may use, and what holds each limit. */
import { useEffect, useId, useState } from 'react';
import type { SandboxReport } from '../../../contract/services.ts';
import { Icon } from '../../ui/icon.tsx';
import { useWords } from '../../words/use-words.ts';
import type { PageSettings } from '../use-settings.ts';
import { limitNames, limitPath } from './sandbox-paths.ts';

export function LimitSection({
  settings,
  report,
}: {
  readonly settings: PageSettings;
  readonly report: SandboxReport;
}) {
  const { t } = useWords();
  return (
    <section className="sect" aria-labelledby="limits-title">
      <header>
        <h2 id="limits-title">{t('sandbox-page.limits')}</h2>
        <p>{t('sandbox-page.limits-hint')}</p>
      </header>
      <div className="card stack">
        <div className="limit-fields">
          {limitNames.map((name) => (
            <LimitField key={name} settings={settings} name={name} />
          ))}
        </div>
        {report.limits === undefined ? null : (
          <details className="work-output">
            <summary className="sm">
              <Icon name="right" isSmall className="fold" />
              {t('sandbox-page.held-by')}
            </summary>
            <ul className="held-by sm">
              {report.limits.map(({ limit, heldBy, isHeld, fix }) => (
                <li key={limit} className="row">
                  <Icon name={isHeld ? 'check' : 'warn'} isSmall className={isHeld ? 'ok' : 'warn'} />
                  <span>
                    <b>{limit}</b>: {heldBy}
                    {fix === undefined ? null : <span className="hint"> {fix}</span>}
                  </span>
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </section>
  );
}

function LimitField({
  settings,
  name,
}: {
  readonly settings: PageSettings;
  readonly name: (typeof limitNames)[number];
}) {
  const { t } = useWords();
  const id = useId();
  const path = limitPath(name);
  const { minimum, maximum, usual } = settings.facts(path);
  const value = settings.value(path);
  const kept = typeof value === 'number' ? String(value) : '';
  const [text, setText] = useState(kept);
  useEffect(() => setText(kept), [kept]);
  const problem = settings.problem(path);
  const save = (): void => {
    if (text.trim() === kept) return;
    void settings.set(path, text.trim() === '' ? null : Number(text));
  };
  return (
    <label className="lab">
      {t(`sandbox-page.limit.${name}`)}
      <span className={problem === undefined ? 'field' : 'field invalid'}>
        <input
          type="number"
          inputMode="decimal"
          step={name === 'cpus' ? 'any' : 1}
          min={minimum}
          max={maximum}
          value={text}
          placeholder={typeof usual === 'number' ? String(usual) : t('sandbox-page.limit-usual')}
          aria-describedby={problem === undefined ? undefined : `${id}-problem`}
          aria-invalid={problem !== undefined || undefined}
          onChange={(event) => setText(event.target.value)}
          onBlur={save}
          onKeyDown={(event) => event.key === 'Enter' && save()}
        />
      </span>
      {problem === undefined ? null : (
        <span className="hint bad" id={`${id}-problem`} role="alert">
          {problem}
        </span>
      )}
    </label>
  );
}
