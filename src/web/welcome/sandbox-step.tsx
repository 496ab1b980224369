/** Third step: what holds the hands on this machine, and what would hold them better. */
import { useMemo } from 'react';
import type { SandboxReport } from '../../contract/services.ts';
import type { WebState } from '../../contract/web-api.ts';
import { createSandboxApi } from '../api/sandbox-api.ts';
import { useApp } from '../app/use-app.ts';
import { useLoaded } from '../settings/use-loaded.ts';
import { Bones } from '../ui/bones.tsx';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Notice } from '../ui/notice.tsx';
import { useWords } from '../words/use-words.ts';
import { Step, type StepPlace } from './step.tsx';

export function SandboxStep({
  state,
  end,
  ...place
}: StepPlace & { readonly state: WebState | undefined; readonly end: () => void }) {
  const { t } = useWords();
  const { request } = useApp();
  const look = useMemo(() => createSandboxApi(request, undefined).look, [request]);
  const { value, problem } = useLoaded(look);
  const report = value?.report;
  return (
    <Step number={3} place={place} title={t('first.sandbox')} text={t('first.sandbox-text')}>
      {report === undefined ? (
        problem === '' ? (
          <Bones label={t('page.loading')} count={5} />
        ) : (
          <p className="hint bad">{problem}</p>
        )
      ) : (
        <Ladder report={report} />
      )}
      {report?.reason === undefined ? null : (
        <Notice icon="warn" look="ask">
          {report.reason} <Fix fix={report.fix} />
        </Notice>
      )}
      {(report?.warnings ?? []).length === 0 ? null : (
        <Notice icon="info">
          <b>{t('first.mend')}</b>
          <ul>
            {report?.warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Notice>
      )}
      <p className="hint">{state?.settings.sandbox.network.mode === 'allow-list' ? t('first.network') : ''}</p>
      <div className="actions">
        <Button look="primary" onClick={end}>
          {t('first.start')}
        </Button>
        <Button look="ghost" onClick={() => place.go(2)}>
          {t('first.back')}
        </Button>
      </div>
    </Step>
  );
}

function Fix({ fix }: { readonly fix: string | undefined }) {
  const { t } = useWords();
  if (fix === undefined) return null;
  return (
    <span className="row wrap">
      <code>{fix}</code>
      <CopyButton text={fix} label={t('userland.copy-fix')} />
    </span>
  );
}

function Ladder({ report }: { readonly report: SandboxReport }) {
  const { t } = useWords();
  return (
    <ol className="first-ladder">
      {(report.ladder ?? []).map(({ rung, fix }) => (
        <li key={rung} aria-current={report.rung === rung ? 'true' : undefined}>
          <Icon name={rung === 'host' ? 'warn' : rung === 'proot' ? 'info' : rung === 'container' ? 'box' : 'shield'} />
          <span className="grow">
            {report.rung === rung ? <b>{t(`rung.${rung}`)}</b> : t(`rung.${rung}`)}
            <span className="xs muted first-meaning">{t(`sandbox-page.rung.${rung}`)}</span>
          </span>
          <span className="xs muted">
            {report.rung === rung ? t('first.in-use') : fix === undefined ? '' : t('sandbox-page.missing')}
          </span>
        </li>
      ))}
    </ol>
  );
}
