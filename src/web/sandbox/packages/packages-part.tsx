/** The packages of the sandbox: those of its Linux userland; where there is none, what is missing and how it gets here. */
import type { ReactNode } from 'react';
import type { WebSandboxWork } from '../../../contract/web-sandbox.ts';
import { useApp, useStore } from '../../app/use-app.ts';
import { PageLink } from '../../shell/page-link.tsx';
import { Bones } from '../../ui/bones.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useWords } from '../../words/use-words.ts';
import type { SandboxPartProps } from '../sandbox-view.tsx';
import { InstallOffer } from '../userland/install-offer.tsx';
import { RungProblem } from '../userland/rung-problem.tsx';
import { useSandbox, type Sandbox } from '../userland/use-sandbox.ts';
import { WorkSteps } from '../userland/work-steps.tsx';
import { PackageList } from './package-list.tsx';
import './packages.css';

export function PackagesPart({ conversationId }: SandboxPartProps) {
  const { t } = useWords();
  const { live } = useApp();
  const { isKnown } = useStore(live.state);
  const sandbox = useSandbox(conversationId);
  const { now, progress, problem } = sandbox;
  if (sandbox.loadProblem !== '' && now === undefined) {
    return (
      <div className="empty">
        <h2>{t('packages.failed')}</h2>
        <p>{sandbox.loadProblem}</p>
        <Button isSmall onClick={sandbox.reload}>
          {t('again')}
        </Button>
      </div>
    );
  }
  if (now === undefined || !isKnown) {
    return (
      <Centre>
        <Bones label={t('page.loading')} count={6} />
      </Centre>
    );
  }
  const { work, output } = progress;
  const refused =
    problem === '' ? null : (
      <Notice icon="warn" look="bad" role="alert">
        {problem}
      </Notice>
    );
  if (work !== undefined && isAboutSystem(work)) {
    return (
      <Centre>
        {refused}
        <WorkSteps work={work} output={output} stop={() => void sandbox.stop()}>
          <AfterWork work={work} sandbox={sandbox} />
        </WorkSteps>
      </Centre>
    );
  }
  if (now.userland.state === 'ready' && now.report.rung !== 'host') return <PackageList sandbox={sandbox} now={now} />;
  return (
    <Centre>
      {refused}
      <NoPackages sandbox={sandbox} now={now} />
    </Centre>
  );
}

const isAboutSystem = ({ action: { kind } }: WebSandboxWork): boolean =>
  kind !== 'install-packages' && kind !== 'remove-packages';

function Centre({ children }: { readonly children: ReactNode }) {
  return (
    <div className="page">
      <div className="page-in narrow">{children}</div>
    </div>
  );
}

function AfterWork({ work, sandbox }: { readonly work: WebSandboxWork; readonly sandbox: Sandbox }) {
  const { t } = useWords();
  const hasFailed = work.end?.problem !== undefined || work.end?.isStopped === true;
  return (
    <>
      {hasFailed ? (
        <Button look="primary" onClick={() => void sandbox.begin(work.action)}>
          {t('again')}
        </Button>
      ) : null}
      <Button look={hasFailed ? 'secondary' : 'primary'} onClick={() => void sandbox.forget()}>
        {t(hasFailed ? 'userland.put-away' : 'userland.go-to-packages')}
      </Button>
    </>
  );
}

function NoPackages({ sandbox, now }: { readonly sandbox: Sandbox; readonly now: NonNullable<Sandbox['now']> }) {
  const { t } = useWords();
  if (now.report.configured === 'host') {
    return (
      <section className="empty">
        <h2>{t('packages.host-title')}</h2>
        <p>{t('packages.host-text')}</p>
        <PageLink to={{ page: 'settings', section: 'sandbox' }} className="btn">
          {t('packages.to-settings')}
        </PageLink>
      </section>
    );
  }
  return (
    <section className="stack">
      <RungProblem report={now.report} />
      <div>
        <h2>{t('packages.none-title')}</h2>
        <p className="lede">{t(now.userland.isInForce ? 'packages.none-in-force' : 'packages.none-text')}</p>
      </div>
      <InstallOffer
        status={now.userland}
        // Without a rung nothing could be started in it.
        isBusy={sandbox.isWorking || (now.report.rung === undefined && now.report.lacksUserland !== true)}
        begin={sandbox.begin}
      />
    </section>
  );
}
