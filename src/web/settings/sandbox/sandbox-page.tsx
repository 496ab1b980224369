/** The sandbox: where commands run, with which system, how far they reach, and how much they may use. */
import { useApp, useStore } from '../../app/use-app.ts';
import { Rung } from '../../shell/bar.tsx';
import { Bones } from '../../ui/bones.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useWords } from '../../words/use-words.ts';
import { RungProblem } from '../../sandbox/userland/rung-problem.tsx';
import { useSandbox } from '../../sandbox/userland/use-sandbox.ts';
import { useSettings } from '../use-settings.ts';
import { LadderSection } from './ladder-section.tsx';
import { LimitSection } from './limit-section.tsx';
import { NetworkSection } from './network-section.tsx';
import { SystemSection } from './system-section.tsx';
import './sandbox-page.css';

export function SandboxPage() {
  const { t } = useWords();
  const settings = useSettings();
  const sandbox = useSandbox(undefined);
  const state = useStore(useApp().serverState);
  const failure = settings.failure ?? (sandbox.now === undefined ? sandbox.loadProblem : '');
  if (failure !== '' && (settings.file === undefined || sandbox.now === undefined)) {
    return (
      <div className="empty">
        <h2>{t('packages.failed')}</h2>
        <p>{failure}</p>
        <Button
          isSmall
          onClick={() => {
            settings.retry();
            sandbox.reload();
          }}
        >
          {t('again')}
        </Button>
      </div>
    );
  }
  if (settings.file === undefined || sandbox.now === undefined) return <Bones label={t('page.loading')} count={9} />;
  const { report } = sandbox.now;
  return (
    <div className="stack sandbox-page">
      <div className="row wrap">
        <p className="lede grow">{t('sandbox-page.lede')}</p>
        {state === undefined ? null : <Rung rung={state.rung} network={state.settings.sandbox.network.mode} />}
      </div>
      <RungProblem report={report} />
      <LadderSection report={report} settings={settings} />
      {report.warnings.length === 0 ? null : (
        <Notice icon="info">
          <ul className="stack">
            {report.warnings.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </Notice>
      )}
      <SystemSection sandbox={sandbox} now={sandbox.now} settings={settings} />
      <NetworkSection settings={settings} />
      <LimitSection settings={settings} report={report} />
    </div>
  );
}
