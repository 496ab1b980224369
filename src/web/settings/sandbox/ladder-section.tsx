/** The ladder: every rung with what this machine has for it, the one in force, and the way to another one. */
import type { Rung, SandboxReport } from '../../../contract/services.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { IconName } from '../../ui/icon-paths.ts';
import { useWords } from '../../words/use-words.ts';
import type { PageSettings } from '../use-settings.ts';
import { rungPath } from './sandbox-paths.ts';

const icons: Readonly<Record<Rung, IconName>> = {
  namespaces: 'shield',
  'namespaces-shared-network': 'shield',
  container: 'box',
  proot: 'info',
  host: 'warn',
};

export function LadderSection({
  report,
  settings,
}: {
  readonly report: SandboxReport;
  readonly settings: PageSettings;
}) {
  const { t } = useWords();
  const problem = settings.problem(rungPath);
  return (
    <section className="sect" aria-labelledby="ladder-title">
      <header>
        <h2 id="ladder-title">{t('sandbox-page.ladder')}</h2>
        <p>{t('sandbox-page.ladder-hint')}</p>
      </header>
      <ol className="ladder card">
        {(report.ladder ?? []).map((step) => (
          <RungLine key={step.rung} step={step} report={report} settings={settings} />
        ))}
      </ol>
      {problem === undefined ? null : (
        <p className="hint bad" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}

type Step = NonNullable<SandboxReport['ladder']>[number];

function RungLine({
  step: { rung, program, fix },
  report,
  settings,
}: {
  readonly step: Step;
  readonly report: SandboxReport;
  readonly settings: PageSettings;
}) {
  const { t } = useWords();
  const isChosen = report.configured === rung;
  const isMissing = fix !== undefined;
  // Chosen by the settings, and weaker than what holds: it waits for a yes.
  const isWaiting = !isChosen && settings.file?.wanted.sandbox.rung === rung;
  return (
    <li aria-current={isChosen ? 'true' : undefined} className={rung === 'host' ? 'leaving' : undefined}>
      <Icon name={icons[rung]} />
      <span className="grow">
        <b>{t(`rung.${rung}`)}</b>
        <span className="hint">{t(`sandbox-page.rung.${rung}`)}</span>
        {isWaiting && rung === 'host' ? <span className="hint bad">{t('sandbox-page.leaving')}</span> : null}
        {isMissing ? (
          <span className="hint row wrap fix">
            {t('sandbox-page.missing')} <code>{fix}</code>
            <CopyButton text={fix} label={t('userland.copy-fix')} />
          </span>
        ) : program === undefined ? null : (
          <span className="hint mono cut" title={program}>
            {program}
          </span>
        )}
      </span>
      {/* One button in one place: whoever pressed it stays on it. */}
      <span className="row wrap">
        <State report={report} isChosen={isChosen} isWaiting={isWaiting} isLeaving={rung === 'host'} />
        {isChosen ? null : (
          <Button
            isSmall
            look={rung === 'host' && !isWaiting ? 'danger' : 'secondary'}
            disabled={isMissing}
            onClick={() => void settings.set(rungPath, isWaiting ? report.configured : rung)}
          >
            {t(isWaiting ? 'sandbox-page.take-back' : rung === 'host' ? 'sandbox-page.use-host' : 'sandbox-page.use')}
            {rung === 'host' ? null : <span className="sr"> {t(`rung.${rung}`)}</span>}
          </Button>
        )}
      </span>
    </li>
  );
}

function State({
  report,
  isChosen,
  isWaiting,
  isLeaving,
}: {
  readonly report: SandboxReport;
  readonly isChosen: boolean;
  readonly isWaiting: boolean;
  readonly isLeaving: boolean;
}) {
  const { t } = useWords();
  if (isWaiting)
    return (
      <span className="badge ask">
        <Icon name="hand" isSmall />
        {t('sandbox-page.waits')}
      </span>
    );
  if (!isChosen) return null;
  const isReady = report.rung !== undefined;
  return (
    <span className={isReady && !isLeaving ? 'xs ok' : 'xs bad'}>
      {t(isReady ? 'sandbox-page.in-force' : 'sandbox-page.chosen')}
    </span>
  );
}
