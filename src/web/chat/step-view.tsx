/** One step on the rail: what, with what result, how long; opened, everything about it. */
import { memo, useState } from 'react';
import { Icon } from '../ui/icon.tsx';
import { Dot } from '../ui/indicator.tsx';
import { showDuration } from '../words/amounts.ts';
import { useWords } from '../words/use-words.ts';
import { Clock } from './clock.tsx';
import { exactLine } from './exact-text.ts';
import { QuestionSlot } from './question-slot.tsx';
import type { Step, StepStatus } from './screen.ts';
import { StepDetails } from './step-details.tsx';
import { lastLine, resultWords, statusWord } from './step-line.ts';
import { DiffCounts } from './views/diff-view.tsx';

const looks: Readonly<Record<StepStatus, string>> = {
  running: 'is-run',
  asking: 'is-wait',
  done: 'is-ok',
  failed: 'is-fail',
  lost: 'is-fail',
};

export const StepView = memo(function StepView({ step }: { readonly step: Step }) {
  const words = useWords();
  const [isOpen, setOpen] = useState(false);
  return (
    <li className={`step ${looks[step.status]}`}>
      <span className="node">
        <Node status={step.status} />
      </span>
      {step.status === 'asking' && step.question !== undefined ? (
        <QuestionSlot question={step.question} askedAtMs={step.askedAtMs ?? step.startedAtMs} />
      ) : (
        <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>
            <span className="sr">{statusWord(step.status, words)}</span>
            <b>{exactLine(step.title)}</b>
            <span className="cut mono">{exactLine(step.summary)}</span>
            <StepMeta step={step} />
            <Icon name="right" isSmall className="fold" />
          </summary>
          {isOpen ? <StepDetails step={step} /> : null}
        </details>
      )}
    </li>
  );
});

function Node({ status }: { readonly status: StepStatus }) {
  switch (status) {
    case 'running':
      return <Dot />;
    case 'asking':
      return <Dot look="ask" />;
    case 'done':
      return <Icon name="check" isSmall />;
    case 'failed':
    case 'lost':
      return <Icon name="x" isSmall />;
  }
}

function StepMeta({ step }: { readonly step: Step }) {
  const words = useWords();
  const view = step.outcome?.view;
  if (step.status === 'running') {
    return (
      <span className="meta">
        <span className="progress cut">{lastLine(step.progress)}</span>
        <Clock sinceMs={step.startedAtMs} />
      </span>
    );
  }
  return (
    <span className="meta">
      {view?.kind === 'diff' ? <DiffCounts added={view.added} removed={view.removed} /> : null}
      <span className={step.status === 'failed' ? 'bad' : undefined}>{resultWords(step, words)}</span>
      {step.status === 'lost' ? null : <span>{showDuration(step.durationMs)}</span>}
    </span>
  );
}
