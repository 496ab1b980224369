/** Below the list: what the package manager does now, with what it prints; then how it ended, and the way back. */
import type { WebSandboxWork } from '../../../contract/web-sandbox.ts';
import { Clock } from '../../chat/clock.tsx';
import { exactLine } from '../../chat/exact-text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Dot } from '../../ui/indicator.tsx';
import { useWords } from '../../words/use-words.ts';
import { Output } from '../userland/work-steps.tsx';
import type { Sandbox } from '../userland/use-sandbox.ts';

export function PackageWork({ sandbox }: { readonly sandbox: Sandbox }) {
  const { t } = useWords();
  const { work, output } = sandbox.progress;
  if (work === undefined || !('names' in work.action)) return null;
  const { end } = work;
  return (
    <section className="package-work" aria-label={t('packages.work')}>
      <header className="row">
        <Mark work={work} />
        <p className={end?.problem === undefined ? 'grow sm' : 'grow sm bad'} role={end?.problem ? 'alert' : 'status'}>
          {wordsOf(work, t)}
        </p>
        {end === undefined ? (
          <>
            <span className="xs muted">
              <Clock sinceMs={Date.parse(work.startedAt)} />
            </span>
            <Button isSmall onClick={() => void sandbox.stop()}>
              <Icon name="stop" isSmall />
              {t('userland.stop')}
            </Button>
          </>
        ) : (
          <AfterWork work={work} sandbox={sandbox} />
        )}
      </header>
      <Output text={output} isOpen />
    </section>
  );
}

function Mark({ work: { end } }: { readonly work: WebSandboxWork }) {
  if (end === undefined) return <Dot />;
  return <Icon name={end.problem !== undefined ? 'warn' : end.isStopped ? 'stop' : 'check'} isSmall />;
}

function wordsOf({ action, end }: WebSandboxWork, t: ReturnType<typeof useWords>['t']): string {
  const names = 'names' in action ? exactLine(action.names.join(', ')) : '';
  if (end === undefined)
    return t(`userland.now.${action.kind === 'remove-packages' ? 'remove' : 'install'}`, { names });
  if (end.problem !== undefined) return exactLine(end.problem);
  return end.isStopped ? t('userland.stopped.packages') : t(`userland.done.${action.kind}`, { names });
}

/** What was done is undone by its contrary; what failed is tried again. */
function AfterWork({ work, sandbox }: { readonly work: WebSandboxWork; readonly sandbox: Sandbox }) {
  const { t } = useWords();
  const { action, end } = work;
  const hasFailed = end?.problem !== undefined || end?.isStopped === true;
  const back = 'names' in action && action.kind === 'remove-packages' ? 'install-packages' : 'remove-packages';
  return (
    <>
      <Button
        isSmall
        onClick={() =>
          void sandbox.begin(hasFailed || !('names' in action) ? action : { kind: back, names: action.names })
        }
      >
        {t(hasFailed ? 'again' : 'undo')}
      </Button>
      <IconButton icon="x" label={t('userland.put-away')} isSmall onClick={() => void sandbox.forget()} />
    </>
  );
}
