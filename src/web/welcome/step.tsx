/** One of the first steps: open it is a card with its content, before and after that a line. */
import { useId, type ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { useWords } from '../words/use-words.ts';

export type StepNumber = 1 | 2 | 3;

/** What each step is given: which one is open, and how another one is opened. */
export type StepPlace = { readonly step: StepNumber; readonly go: (step: StepNumber) => void };

export function Step({
  number,
  place: { step, go },
  title,
  text,
  children,
}: {
  readonly number: StepNumber;
  readonly place: StepPlace;
  readonly title: string;
  readonly text: ReactNode;
  readonly children: ReactNode;
}) {
  const { t } = useWords();
  const id = useId();
  const isOpen = step === number;
  const isDone = step > number;
  return (
    <li className={isDone ? 'done' : undefined} aria-current={isOpen ? 'step' : undefined}>
      <span className="no" aria-hidden="true">
        {isDone ? <Icon name="check" /> : number}
      </span>
      <section className={isOpen ? 'card stack' : 'card row'} aria-labelledby={id}>
        <div className="grow">
          <h2 id={id} tabIndex={-1}>
            {title}
          </h2>
          <p className="sm muted">{text}</p>
        </div>
        {isOpen ? children : null}
        {isDone ? (
          <Button look="ghost" isSmall onClick={() => go(number)}>
            {t('first.change')}
            <span className="sr"> {title}</span>
          </Button>
        ) : null}
      </section>
    </li>
  );
}
