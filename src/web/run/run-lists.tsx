/** The lists of the panel "This run"; those with nothing in them are left out. */
import { useMemo, useState, type ReactNode } from 'react';
import { Clock } from '../chat/clock.tsx';
import { useShortPath } from '../chat/conversation-context.ts';
import { exactLine } from '../chat/exact-text.ts';
import type { Step } from '../chat/screen.ts';
import { questionTitle } from '../chat/question-text.ts';
import { ChecklistView } from '../chat/views/checklist-view.tsx';
import { DiffCounts } from '../chat/views/diff-view.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Dot } from '../ui/indicator.tsx';
import { useWords } from '../words/use-words.ts';
import { foldRun, type AnsweredQuestion, type ContactedHost, type RanCommand } from './fold-run.ts';
import { ReviewDialog } from './review-dialog.tsx';
import { RunAmounts } from './run-amounts.tsx';
import { RunJobs } from './run-jobs.tsx';
import type { RunPanelProps } from './run-panel.tsx';
import { Section } from './run-section.tsx';

export function RunLists({ conversationId, screen, hasEarlier, isRunning, stop }: RunPanelProps) {
  const { t } = useWords();
  const run = useMemo(() => foldRun(screen.turns), [screen.turns]);
  const short = useShortPath();
  const [reviewed, setReviewed] = useState<string>();
  return (
    <>
      <Running steps={run.running} isRunning={isRunning} stop={stop} />
      <RunJobs conversationId={conversationId} isRunning={isRunning} />
      {run.plan.length === 0 ? null : (
        <Section title={t('run.plan')}>
          <ChecklistView items={run.plan} />
        </Section>
      )}
      {run.files.length === 0 ? null : (
        <Section
          title={t('run.files')}
          action={
            <button type="button" className="link" onClick={() => setReviewed('')}>
              {t('run.review')}
            </button>
          }
        >
          <ul>
            {run.files.map(({ path, added, removed }) => (
              <li key={path}>
                <button type="button" className="run-row" title={exactLine(path)} onClick={() => setReviewed(path)}>
                  <Icon name="file" isSmall />
                  <span className="grow cut mono">{exactLine(short(path))}</span>
                  <span className="meta">
                    <DiffCounts added={added} removed={removed} />
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Commands commands={run.commands} />
      <Hosts hosts={run.hosts} />
      <Answers answers={run.answers} />
      <RunAmounts run={run} contextTokens={screen.contextTokens} />
      {hasEarlier ? <p className="xs muted">{t('run.earlier')}</p> : null}
      {reviewed === undefined ? null : (
        <ReviewDialog files={run.files} first={reviewed} close={() => setReviewed(undefined)} />
      )}
    </>
  );
}

function Running({
  steps,
  isRunning,
  stop,
}: Pick<RunPanelProps, 'isRunning' | 'stop'> & { readonly steps: readonly Step[] }) {
  const { t } = useWords();
  return (
    <Section title={t('run.running')} action={isRunning ? <StopButton stop={stop} /> : null}>
      {steps.length === 0 ? (
        <p className="xs muted">{t(isRunning ? 'run.thinking' : 'run.idle')}</p>
      ) : (
        <ul>
          {steps.map((step) => (
            <li key={step.callId}>
              <Dot look={step.status === 'asking' ? 'ask' : 'live'} />
              <span className="grow cut" title={exactLine(step.summary)}>
                {exactLine(step.title)} <span className="muted">{exactLine(step.summary)}</span>
              </span>
              <span className={step.status === 'asking' ? 'xs warn' : 'xs muted'}>
                {step.status === 'asking' ? t('run.asks') : <Clock sinceMs={step.startedAtMs} />}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function StopButton({ stop }: { readonly stop: () => void }) {
  const { t } = useWords();
  return (
    <Button isSmall look="ghost" onClick={stop}>
      <Icon name="stop" isSmall />
      {t('composer.stop')}
    </Button>
  );
}

/** More are shown on demand: a panel is to be taken in at a glance. */
const firstRows = 8;

function Folded<Row>({ rows, draw }: { readonly rows: readonly Row[]; readonly draw: (row: Row) => ReactNode }) {
  const { counted } = useWords();
  const [isWhole, setWhole] = useState(false);
  const hidden = isWhole ? 0 : Math.max(0, rows.length - firstRows);
  return (
    <>
      {hidden === 0 ? null : (
        <Button look="ghost" isSmall onClick={() => setWhole(true)}>
          {counted('run.more', hidden)}
        </Button>
      )}
      <ul>{rows.slice(hidden).map(draw)}</ul>
    </>
  );
}

function Commands({ commands }: { readonly commands: readonly RanCommand[] }) {
  const { t } = useWords();
  if (commands.length === 0) return null;
  return (
    <Section title={t('run.commands')}>
      <Folded
        rows={commands}
        draw={({ callId, command, exitCode }) => (
          <li key={callId}>
            <details>
              <summary className="run-row">
                <Icon name={exitCode === 0 ? 'check' : 'x'} isSmall className={exitCode === 0 ? '' : 'bad'} />
                <code className="grow cut">{exactLine(command)}</code>
                {exitCode === 0 || exitCode === null ? null : (
                  <span className="xs bad">{t('step.exit-code', { code: exitCode })}</span>
                )}
              </summary>
              <pre className="output">{exactLine(command)}</pre>
            </details>
          </li>
        )}
      />
    </Section>
  );
}

function Hosts({ hosts }: { readonly hosts: readonly ContactedHost[] }) {
  const { t } = useWords();
  if (hosts.length === 0) return null;
  return (
    <Section title={t('run.hosts')}>
      <Folded
        rows={hosts}
        draw={({ host, state }) => (
          <li key={host}>
            <Icon name={state === 'reached' ? 'globe' : 'exit'} isSmall className={state === 'asks' ? 'warn' : ''} />
            <span className="grow cut mono" title={host}>
              {exactLine(host)}
            </span>
            {state === 'reached' ? null : (
              <span className={state === 'asks' ? 'xs warn' : 'xs bad'}>
                {t(state === 'asks' ? 'run.asks' : 'result.denied')}
              </span>
            )}
          </li>
        )}
      />
    </Section>
  );
}

function Answers({ answers }: { readonly answers: readonly AnsweredQuestion[] }) {
  const words = useWords();
  const { t } = words;
  if (answers.length === 0) return null;
  return (
    <Section title={t('run.answers')}>
      <Folded
        rows={answers}
        draw={({ step, answer }) => (
          <li key={step.callId}>
            <details>
              <summary className="run-row">
                <Icon name={answer.verdict === 'allow' ? 'check' : 'x'} isSmall />
                <span className="grow cut">{exactLine(step.summary === '' ? step.title : step.summary)}</span>
                <span className="xs muted">{t(answer.verdict === 'allow' ? `scope.${answer.scope}` : 'run.no')}</span>
              </summary>
              <p className="xs">
                {step.question === undefined ? null : `${questionTitle(step.question, words)} `}
                {answer.verdict === 'allow' ? t(`answered.${answer.scope}`) : t('answered.deny')}
              </p>
            </details>
          </li>
        )}
      />
    </Section>
  );
}
