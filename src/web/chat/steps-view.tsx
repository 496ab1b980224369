/** The rail: the steps between two pieces of text. Finished, it folds to one line; a question or a failure keeps it open. */
import { memo, useState } from 'react';
import { Icon } from '../ui/icon.tsx';
import { showDuration } from '../words/amounts.ts';
import { useWords } from '../words/use-words.ts';
import { isOpen } from './fold-step.ts';
import type { Step } from './screen.ts';
import { StepView } from './step-view.tsx';

/** Fewer are shown as they are: a line that says "2 steps" would save nothing. */
const fewest = 3;

/** `isOver`: their turn has ended. */
export const StepsView = memo(function StepsView({
  steps,
  isOver,
}: {
  readonly steps: readonly Step[];
  readonly isOver: boolean;
}) {
  const { counted } = useWords();
  const [chosen, setChosen] = useState<boolean>();
  const isShown = chosen ?? (!isOver || steps.some(isOpen) || steps.length < fewest);
  const rail = (
    <ul className="rail">
      {steps.map((step) => (
        <StepView key={step.callId} step={step} />
      ))}
    </ul>
  );
  if (steps.length < fewest) return rail;
  return (
    <details className="steps" open={isShown}>
      <summary
        onClick={(event) => {
          event.preventDefault();
          setChosen(!isShown);
        }}
      >
        <Icon name="right" isSmall className="fold" />
        <span>{counted('steps', steps.length)}</span>
        <StepsMeta steps={steps} />
      </summary>
      {isShown ? rail : null}
    </details>
  );
});

function StepsMeta({ steps }: { readonly steps: readonly Step[] }) {
  const { counted } = useWords();
  const failed = steps.filter((step) => step.status === 'failed' || step.status === 'lost').length;
  const changed = new Set(
    steps.flatMap((step) => (step.outcome?.view?.kind === 'diff' && step.outcome.ok ? [step.outcome.view.path] : [])),
  ).size;
  const facts = [
    ...(steps.some(isOpen) ? [] : [showDuration(steps.reduce((sum, step) => sum + step.durationMs, 0))]),
    ...(changed > 0 ? [counted('steps.changed', changed)] : []),
    ...(failed > 0 ? [counted('steps.failed', failed)] : []),
  ];
  return <span className="muted num">{facts.join(' · ')}</span>;
}
