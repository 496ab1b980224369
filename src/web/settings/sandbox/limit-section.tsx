/** How much of the machine commands may use, and what holds each limit. */
import type { SandboxReport } from '../../../contract/services.ts';
import { Icon } from '../../ui/icon.tsx';
import { useWords } from '../../words/use-words.ts';
import { NumberField } from '../number-field.tsx';
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
            <NumberField
              key={name}
              settings={settings}
              path={limitPath(name)}
              label={t(`sandbox-page.limit.${name}`)}
              hint={t(`sandbox-page.limit-hint.${name}`)}
              unit={name.endsWith('Megabytes') ? 'MB' : ''}
              usualText={t('sandbox-page.limit-usual')}
              step={name === 'cpus' ? 'any' : 1}
            />
          ))}
        </div>
        {report.limits === undefined ? null : (
          <details className="work-output">
            <summary className="sm">
              <Icon name="right" isSmall className="turns" />
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
