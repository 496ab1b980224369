/** One model: what it is, whether it answers, its place in the order, its price and its window. */
import { useId, useRef, useState, type ReactNode } from 'react';
import type { ModelChoice } from '../../../contract/handrail.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { showTokens } from '../../words/amounts.ts';
import { useWords } from '../../words/use-words.ts';
import type { Words } from '../../words/words.ts';
import type { PageSettings } from '../use-settings.ts';
import { PriceForm } from './price-form.tsx';
import { TrialLine } from './trial-line.tsx';
import { useTrial } from './use-trial.ts';

export type Moves = {
  /** Undefined: it stands at that end. */
  readonly up: (() => void) | undefined;
  readonly down: (() => void) | undefined;
  readonly out: () => void;
};

export function ModelRow({
  choice,
  settings,
  isDefault = false,
  move,
  children,
}: {
  readonly choice: ModelChoice;
  readonly settings: PageSettings;
  readonly isDefault?: boolean;
  readonly move?: Moves;
  readonly children?: ReactNode;
}) {
  const words = useWords();
  const { t } = words;
  const id = useId();
  const trial = useTrial();
  const [isOpen, setOpen] = useState(false);
  const { id: model, problem } = choice;
  return (
    <li className="model-entry">
      <span className="model-line">
        <span className="grow model-name">
          <span className="row wrap">
            <b>{model}</b>
            {isDefault ? <span className="badge good">{t('models.default')}</span> : null}
            {problem === undefined ? null : <span className="badge bad">{t('models.cannot')}</span>}
          </span>
          <span className="xs muted num">{problem ?? factsOf(choice, words)}</span>
        </span>
        <span className="model-buttons">
          {move === undefined ? null : <MoveButtons model={model} move={move} />}
          <Button isSmall isBusy={trial.state.isBusy} onClick={() => void trial.run({ model })}>
            {t('models.test')}
            <span className="sr"> {model}</span>
          </Button>
          {children}
          <IconButton
            icon="set"
            label={t('models.details', { model })}
            isSmall
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
          />
        </span>
      </span>
      <TrialLine state={trial.state} />
      <div id={id} hidden={!isOpen}>
        {isOpen ? <PriceForm choice={choice} settings={settings} close={() => setOpen(false)} /> : null}
      </div>
    </li>
  );
}

/** The button that was pressed keeps the focus, wherever its row goes; at an end, the one of the other way has it. */
function MoveButtons({ model, move }: { readonly model: string; readonly move: Moves }) {
  const { t } = useWords();
  const buttons = useRef<HTMLSpanElement>(null);
  const press = (way: 'up' | 'down'): void => {
    move[way]?.();
    requestAnimationFrame(() => {
      const [up, down] = buttons.current?.querySelectorAll('button') ?? [];
      const wished = way === 'up' ? up : down;
      (wished?.disabled === true ? (way === 'up' ? down : up) : wished)?.focus();
    });
  };
  return (
    <span ref={buttons} className="row">
      <IconButton
        icon="up"
        label={t('models.up', { model })}
        isSmall
        disabled={move.up === undefined}
        onClick={() => press('up')}
      />
      <IconButton
        icon="down"
        label={t('models.down', { model })}
        isSmall
        disabled={move.down === undefined}
        onClick={() => press('down')}
      />
      <IconButton icon="x" label={t('models.remove', { model })} isSmall onClick={move.out} />
    </span>
  );
}

function factsOf({ source, info }: ModelChoice, { t }: Words): string {
  if (info === undefined) return source;
  const { price, contextWindow, isSmall } = info;
  return [
    source === 'settings' ? t('models.from-settings') : source,
    t('models.window', { tokens: showTokens(contextWindow) }),
    price === undefined ? t('models.no-price') : t('models.price', { input: price.input, output: price.output }),
    ...(isSmall ? [t('models.small')] : []),
  ].join(' · ');
}
