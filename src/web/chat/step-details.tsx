/** Everything about one call: input, output, what was decided and why, how long. */
import type { ReactNode } from 'react';
import { PageLink } from '../shell/page-link.tsx';
import { showBytes, showDuration } from '../words/amounts.ts';
import { useWords } from '../words/use-words.ts';
import { exactLine } from './exact-text.ts';
import { ExactPieces } from './exact-view.tsx';
import { argumentsOf } from './question-text.ts';
import type { Step } from './screen.ts';
import { LiveOutput } from './views/live-output.tsx';
import { OutputText } from './views/output-text.tsx';
import { WholeResult } from './views/whole-result.tsx';
import { ViewOf } from './views/view-of.tsx';

export function StepDetails({ step }: { readonly step: Step }) {
  const { t } = useWords();
  const { outcome } = step;
  const hasView = outcome?.view !== undefined && outcome.ok;
  return (
    <div className="detail">
      <Section title={t('step.input')}>
        <Input input={step.input} />
        {step.repairs.length === 0 ? null : <p className="xs muted">{step.repairs.join(' ')}</p>}
      </Section>
      {outcome === undefined && step.progress !== '' ? (
        <Section title={t('step.output')}>
          <LiveOutput text={step.progress} />
        </Section>
      ) : null}
      {outcome === undefined ? null : (
        <Section title={t(outcome.ok ? 'step.output' : 'step.problem')}>
          {hasView && outcome.view !== undefined ? <ViewOf view={outcome.view} /> : <OutputText text={outcome.text} />}
          {outcome.artifact === undefined ? null : <WholeResult artifact={outcome.artifact} />}
        </Section>
      )}
      <Facts step={step} />
    </div>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function Input({ input }: { readonly input: string }) {
  const { t } = useWords();
  const all = argumentsOf(input);
  if (all.length === 0) return <p className="xs muted">{t('step.no-input')}</p>;
  return (
    <dl className="pairs">
      {all.map(({ name, text }) => (
        <div key={name ?? ''}>
          <dt>{exactLine(name ?? '')}</dt>
          <dd className="mono">
            <ExactPieces text={text} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Facts({ step }: { readonly step: Step }) {
  const { t } = useWords();
  const { decision, answer, outcome } = step;
  const verdict = answer === undefined ? decision?.verdict : answer.verdict;
  return (
    <div className="facts">
      {verdict === undefined || verdict === 'ask' ? null : (
        <span>
          {t(`decision.${verdict}`)}
          {decision === undefined || decision.reason === '' ? '' : `: ${exactLine(decision.reason)}`}
        </span>
      )}
      {answer === undefined ? null : (
        <span>{answer.verdict === 'allow' ? t(`answered.${answer.scope}`) : t('answered.deny')}</span>
      )}
      {outcome === undefined ? null : <span>{showDuration(step.durationMs)}</span>}
      <span className="mono">{exactLine(step.tool)}</span>
      {outcome?.untrusted === undefined ? null : (
        <span className="warn">{t('step.untrusted', { from: exactLine(outcome.untrusted) })}</span>
      )}
      {outcome?.artifact === undefined ? null : (
        <span>{t('step.artifact', { id: outcome.artifact.id, size: showBytes(outcome.artifact.bytes) })}</span>
      )}
      <PageLink to={{ page: 'activity', query: `call=${encodeURIComponent(step.callId)}` }} className="xs">
        {t('activity.in-ledger')}
      </PageLink>
      {outcome?.truncated === true && outcome.artifact === undefined ? <span>{t('step.truncated')}</span> : null}
    </div>
  );
}
