/** What this program is, in which version, how it finds the machine, and where its things lie. */
import { useState } from 'react';
import type { Finding } from '../../../contract/handrail.ts';
import { RequestFailure } from '../../api/request.ts';
import { useApp, useStore } from '../../app/use-app.ts';
import { PageLink } from '../../shell/page-link.tsx';
import { Bones } from '../../ui/bones.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { IconName } from '../../ui/icon-paths.ts';
import { useWords } from '../../words/use-words.ts';
import { SettingsFailed } from '../settings-failed.tsx';
import { useLoaded } from '../use-loaded.ts';
import { useSetupApi } from '../use-setup.ts';
import './about.css';

export function AboutPage() {
  const { t } = useWords();
  const state = useStore(useApp().serverState);
  return (
    <>
      <section className="sect" aria-labelledby="about-program">
        <header>
          <h2 id="about-program">Handrail</h2>
        </header>
        <dl className="card about-facts">
          <dt>{t('about.version')}</dt>
          <dd>{state?.version ?? ''}</dd>
          <dt>{t('about.licence')}</dt>
          <dd>MIT</dd>
          <dt>{t('about.rung')}</dt>
          <dd>{state?.rung ?? ''}</dd>
        </dl>
        <div className="actions">
          <PageLink to={{ page: 'welcome' }} className="btn">
            {t('about.welcome')}
          </PageLink>
          <SignOut />
        </div>
      </section>
      <Findings />
    </>
  );
}

/** The cookie ends with it; another link signs in again. */
function SignOut() {
  const { t } = useWords();
  const { request } = useApp();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const signOut = (): void => {
    setBusy(true);
    request('DELETE', '/api/session', {}).then(
      () => window.location.reload(),
      (error: unknown) => {
        setBusy(false);
        setProblem(error instanceof RequestFailure && error.message !== '' ? error.message : t('about.not-signed-out'));
      },
    );
  };
  return (
    <>
      <Button isBusy={isBusy} onClick={signOut}>
        <Icon name="exit" />
        {t('about.sign-out')}
      </Button>
      {problem === '' ? null : (
        <span className="bad sm" role="alert">
          {problem}
        </span>
      )}
    </>
  );
}

const icons: Readonly<Record<Finding['state'], IconName>> = { good: 'check', warning: 'warn', bad: 'x' };
const rank: Readonly<Record<Finding['state'], number>> = { bad: 0, warning: 1, good: 2 };

/** What is to be mended first. */
function Findings() {
  const { t } = useWords();
  const { findings: load } = useSetupApi();
  const { value, problem, isLoading, reload } = useLoaded(load);
  return (
    <section className="sect" aria-labelledby="about-findings">
      <header>
        <h2 id="about-findings">{t('about.findings')}</h2>
        <p>{t('about.findings-text')}</p>
        <Button look="ghost" isSmall className="end" isBusy={isLoading && value !== undefined} onClick={reload}>
          {t('about.look-again')}
        </Button>
      </header>
      {problem === '' ? null : <SettingsFailed reason={problem} retry={reload} />}
      {value === undefined ? (
        problem === '' ? (
          <Bones label={t('page.loading')} count={8} />
        ) : null
      ) : (
        <ul className="list">
          {value
            .toSorted((one, other) => rank[one.state] - rank[other.state])
            .map((finding) => (
              <li key={finding.area + finding.text} className="finding">
                <Icon name={icons[finding.state]} className={finding.state} />
                <span className="grow">
                  <b>{finding.area}</b>
                  {finding.state === 'good' ? null : <span className="sr">{t(`about.state-${finding.state}`)}</span>}
                  <span className="finding-text">{finding.text}</span>
                  {finding.fix === undefined ? null : (
                    <span className="finding-fix">
                      <code>{finding.fix}</code>
                      <CopyButton text={finding.fix} label={t('about.copy-fix', { area: finding.area })} />
                    </span>
                  )}
                </span>
              </li>
            ))}
        </ul>
      )}
    </section>
  );
}
