/** How a piece of work on the userland goes: its steps with mirror and percent, what is printed, Stop; then how it ended. */
import { useEffect, useRef, type ReactNode } from 'react';
import type { WebSandboxProgress, WebSandboxWork } from '../../../contract/web-sandbox.ts';
import { Clock } from '../../chat/clock.tsx';
import { exactLine } from '../../chat/exact-text.ts';
import { ExactPieces } from '../../chat/exact-view.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Dot } from '../../ui/indicator.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useWords } from '../../words/use-words.ts';
import { stepsOf, type StepLook, type WorkStep } from './steps-of.ts';
import './userland.css';

export function WorkSteps({
  work,
  output,
  stop,
  children,
}: {
  readonly work: WebSandboxWork;
  readonly output: string;
  readonly stop: () => void;
  /** What can be done once it has ended. */
  readonly children?: ReactNode;
}) {
  const { t } = useWords();
  const steps = stepsOf(work);
  const { end } = work;
  const current = steps.find(({ look }) => look === 'running');
  return (
    <section className="card work" aria-label={t(`userland.${work.action.kind}`)}>
      <header>
        <h2>{t(`userland.${work.action.kind}`)}</h2>
        {end === undefined ? (
          <span className="row end">
            <span className="xs muted">
              <Clock sinceMs={Date.parse(work.startedAt)} />
            </span>
            <Button isSmall onClick={stop} disabled={work.action.kind === 'uninstall'}>
              <Icon name="stop" isSmall />
              {t('userland.stop')}
            </Button>
          </span>
        ) : null}
      </header>
      <p className="sr" role="status">
        {current === undefined ? '' : t(`userland.step.${current.step}`)}
      </p>
      <ol className="work-steps">
        {steps.map((each) => (
          <StepLine key={each.step} {...each} />
        ))}
      </ol>
      <Output text={output} isOpen={false} />
      <WorkEnd work={work} />
      {end === undefined ? null : <div className="actions">{children}</div>}
    </section>
  );
}

function StepLine({ step, look, progress }: WorkStep) {
  const { t } = useWords();
  const isRunning = look === 'running';
  const percent = isRunning ? progress?.percent : undefined;
  return (
    <li className={look} aria-current={isRunning ? 'step' : undefined}>
      <span className="node">
        <StepMark look={look} />
      </span>
      <b>{t(`userland.step.${step}`)}</b>
      <span className="cut sm muted" title={progress?.text}>
        {progress === undefined ? '' : exactLine(progress.text)}
        {progress?.mirror === undefined ? '' : ` · ${exactLine(progress.mirror)}`}
      </span>
      {/* Its room is there before it is known. */}
      <span className="num xs muted percent">{percent === undefined ? '' : `${percent} %`}</span>
      {isRunning ? (
        <span
          className="meter wide"
          role="progressbar"
          aria-label={t(`userland.step.${step}`)}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
        >
          <i style={{ width: `${percent ?? 0}%` }} />
        </span>
      ) : null}
    </li>
  );
}

function StepMark({ look }: { readonly look: StepLook }) {
  const { t } = useWords();
  const label = t(`userland.look.${look}`);
  if (look === 'running') return <Dot label={label} />;
  if (look === 'waiting') return <Dot look="off" label={label} />;
  return (
    <span role="img" aria-label={label} title={label}>
      <Icon name={look === 'done' ? 'check' : look === 'failed' ? 'x' : 'stop'} isSmall />
    </span>
  );
}

/** How it ended, in words; nothing while it goes on. */
export function WorkEnd({ work }: { readonly work: WebSandboxWork }) {
  const { t } = useWords();
  const { end, action } = work;
  if (end === undefined) return null;
  if (end.problem !== undefined)
    return (
      <Notice icon="warn" look="bad" role="alert">
        {exactLine(end.problem)}
      </Notice>
    );
  const names = 'names' in action ? action.names.join(', ') : '';
  return (
    <Notice icon={end.isStopped ? 'stop' : 'check'} role="status">
      {end.isStopped ? t(`userland.stopped.${stopWords(action.kind)}`) : t(`userland.done.${action.kind}`, { names })}
    </Notice>
  );
}

/** An installation that was stopped goes on later; of packages those that were done are done. */
const stopWords = (kind: WebSandboxWork['action']['kind']): 'installation' | 'packages' =>
  kind === 'install-packages' || kind === 'remove-packages' ? 'packages' : 'installation';

/** What the package manager prints, as it comes; it follows its end while it is there. */
export function Output({ text, isOpen }: { readonly text: WebSandboxProgress['output']; readonly isOpen: boolean }) {
  const { t } = useWords();
  if (text === '') return null;
  if (isOpen) return <OutputBox text={text} />;
  return (
    <details className="work-output">
      <summary className="sm">
        <Icon name="right" isSmall className="turns" />
        {t('userland.output')}
      </summary>
      <OutputBox text={text} />
    </details>
  );
}

const nearPx = 24;

function OutputBox({ text }: { readonly text: string }) {
  const { t } = useWords();
  const box = useRef<HTMLPreElement>(null);
  const sticks = useRef(true);
  useEffect(() => {
    if (box.current !== null && sticks.current) box.current.scrollTop = box.current.scrollHeight;
  }, [text]);
  const look = (): void => {
    const place = box.current;
    if (place !== null) sticks.current = place.scrollHeight - place.scrollTop - place.clientHeight < nearPx;
  };
  return (
    // Read out line by line it would drown everything else: the steps are what is announced.
    <pre
      ref={box}
      className="work-lines"
      tabIndex={0}
      role="log"
      aria-live="off"
      aria-label={t('userland.output')}
      onScroll={look}
    >
      <ExactPieces text={text.replaceAll('\r\n', '\n')} />
    </pre>
  );
}
