/** What commands have as their system: this machine's, or a Linux system of their own; installed, renewed and removed here. */
import { useState, type ReactNode } from 'react';
import type { WebSandbox, WebSandboxAction } from '../../../contract/web-sandbox.ts';
import { InstallOffer } from '../../sandbox/userland/install-offer.tsx';
import type { Sandbox } from '../../sandbox/userland/use-sandbox.ts';
import { WorkEnd, WorkSteps } from '../../sandbox/userland/work-steps.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useWords } from '../../words/use-words.ts';
import type { PageSettings } from '../use-settings.ts';
import { rootPath } from './sandbox-paths.ts';
import { Segments } from './segments.tsx';

const roots = ['host-view', 'userland'] as const;

export function SystemSection({
  sandbox,
  now,
  settings,
}: {
  readonly sandbox: Sandbox;
  readonly now: WebSandbox;
  readonly settings: PageSettings;
}) {
  const { t } = useWords();
  const { userland } = now;
  return (
    <section className="sect" aria-labelledby="system-title">
      <header>
        <h2 id="system-title">{t('sandbox-page.system')}</h2>
      </header>
      <div className="card stack">
        <Segments
          label={t('sandbox-page.root')}
          value={String(settings.value(rootPath))}
          options={roots.map((value) => ({
            value,
            label: t(`sandbox-page.root.${value}`),
            isDisabled: value === 'userland' && userland.state !== 'ready' && !userland.isInForce,
          }))}
          hint={t(userland.state === 'ready' ? 'sandbox-page.root-hint' : 'sandbox-page.root-missing')}
          problem={settings.problem(rootPath)}
          choose={(value) => void settings.set(rootPath, value)}
        />
        {sandbox.problem === '' ? null : (
          <Notice icon="warn" look="bad" role="alert">
            {sandbox.problem}
          </Notice>
        )}
        <Userland sandbox={sandbox} now={now} />
      </div>
    </section>
  );
}

function Userland({ sandbox, now: { userland, report } }: { readonly sandbox: Sandbox; readonly now: WebSandbox }) {
  const { t } = useWords();
  const { work, output } = sandbox.progress;
  if (work !== undefined && work.end === undefined)
    return <WorkSteps work={work} output={output} stop={() => void sandbox.stop()} />;
  const ended =
    work === undefined ? null : (
      <div className="stack">
        <WorkEnd work={work} />
        <div className="actions">
          <Button isSmall onClick={() => void sandbox.forget()}>
            {t('userland.put-away')}
          </Button>
        </div>
      </div>
    );
  if (userland.state !== 'ready') {
    return (
      <>
        {ended}
        <InstallOffer status={userland} isBusy={report.configured === 'host'} begin={sandbox.begin} />
        {report.configured === 'host' ? <p className="hint">{t('sandbox-page.host-no-install')}</p> : null}
      </>
    );
  }
  return (
    <>
      {ended}
      <Facts userland={userland} />
      <Actions userland={userland} begin={sandbox.begin} />
    </>
  );
}

function Facts({ userland }: { readonly userland: WebSandbox['userland'] }) {
  const { t } = useWords();
  const { prettyName, packageManager, mirror, installedAt, folder, packages, notes } = userland;
  const facts: readonly (readonly [string, string | undefined])[] = [
    [t('sandbox-page.fact.system'), prettyName],
    [
      t('sandbox-page.fact.packages'),
      `${packageManager ?? ''} · ${t(packages === 'basic' ? 'userland.basic' : 'userland.bare')}`,
    ],
    [t('sandbox-page.fact.from'), mirror],
    [t('sandbox-page.fact.installed'), installedAt === undefined ? undefined : new Date(installedAt).toLocaleString()],
    [t('sandbox-page.fact.place'), folder],
  ];
  return (
    <>
      {notes.map((note) => (
        <Notice key={note} icon="warn" look="ask">
          {note}
        </Notice>
      ))}
      <dl className="pairs sm">
        {facts.map(([name, value]) =>
          value === undefined ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
    </>
  );
}

type Begin = (action: WebSandboxAction) => Promise<void>;

function Actions({ userland, begin }: { readonly userland: WebSandbox['userland']; readonly begin: Begin }) {
  const { t } = useWords();
  const [asked, setAsked] = useState<'reset' | 'uninstall'>();
  const [withHome, setWithHome] = useState(false);
  if (asked !== undefined) {
    const action: WebSandboxAction = asked === 'reset' ? { kind: 'reset', withHome } : { kind: 'uninstall' };
    return (
      <Ask text={t(`sandbox-page.ask.${asked}`)}>
        {asked === 'reset' ? (
          <label className="row sm">
            <input type="checkbox" checked={withHome} onChange={(event) => setWithHome(event.target.checked)} />
            {t('sandbox-page.with-home')}
          </label>
        ) : null}
        <div className="actions">
          <Button
            look="danger"
            onClick={() => {
              setAsked(undefined);
              void begin(action);
            }}
          >
            {t(`userland.${asked}`)}
          </Button>
          {/* What was asked for a moment ago is answered now, and the safe answer is the one at hand. */}
          <Button autoFocus onClick={() => setAsked(undefined)}>
            {t('sandbox-page.keep')}
          </Button>
        </div>
      </Ask>
    );
  }
  return (
    <div className="actions">
      {userland.packages === 'bare' ? (
        <Button look="primary" onClick={() => void begin({ kind: 'add-basic' })}>
          {t('userland.add-basic')}
        </Button>
      ) : null}
      <Button onClick={() => setAsked('reset')}>{t('userland.reset')}</Button>
      <Button look="danger" onClick={() => setAsked('uninstall')}>
        {t('userland.uninstall')}
      </Button>
    </div>
  );
}

function Ask({ text, children }: { readonly text: string; readonly children: ReactNode }) {
  return (
    <Notice icon="warn" look="ask">
      <div className="stack" role="group" aria-label={text}>
        <p>{text}</p>
        {children}
      </div>
    </Notice>
  );
}
