/** What a run of a tool gave: the step with its question, then the text and the data as a model and a program get them. */
import { useEffect, useRef, type ReactNode } from 'react';
import type { CallOutcome } from '../../contract/output.ts';
import { useStore } from '../app/use-app.ts';
import type { Step } from '../chat/screen.ts';
import { StepView } from '../chat/step-view.tsx';
import { OutputText } from '../chat/views/output-text.tsx';
import { useConversationFeed } from '../live/use-conversation-feed.ts';
import { CodeBlock } from '../markdown/code-block.tsx';
import { PageLink } from '../shell/page-link.tsx';
import { Notice } from '../ui/notice.tsx';
import { useWords } from '../words/use-words.ts';

export function RunView({
  conversationId,
  isRunning,
  outcome,
  problem,
}: {
  /** Undefined: nothing was run yet. */
  readonly conversationId: string | undefined;
  readonly isRunning: boolean;
  readonly outcome: CallOutcome | undefined;
  readonly problem: string;
}) {
  const { t } = useWords();
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    // Below the form on a narrow page: whoever pressed Run wants to see it.
    if (isRunning) place.current?.scrollIntoView({ block: 'nearest' });
  }, [isRunning]);
  return (
    <section ref={place} className="tool-run" aria-label={t('tool.result')} aria-busy={isRunning}>
      <header className="row">
        <h2>{t('tool.result')}</h2>
        {conversationId === undefined ? null : (
          <PageLink to={{ page: 'chat', conversationId }} className="end sm">
            {t('tool.open-chat')}
          </PageLink>
        )}
      </header>
      {problem === '' ? null : (
        <Notice icon="warn" look="bad" role="alert">
          {problem}
        </Notice>
      )}
      {conversationId === undefined ? (
        <p className="empty sm">{t('tool.no-result')}</p>
      ) : (
        <LastStep key={conversationId} conversationId={conversationId} isWanted={isRunning || outcome !== undefined} />
      )}
      {outcome === undefined ? null : <Outcome outcome={outcome} />}
    </section>
  );
}

/** Its question is answered here, too. */
function LastStep({ conversationId, isWanted }: { readonly conversationId: string; readonly isWanted: boolean }) {
  const feed = useConversationFeed(conversationId);
  const { screen } = useStore(feed.state);
  const step = isWanted ? lastStep(screen.turns.at(-1)?.parts ?? []) : undefined;
  return <ol className="rail">{step === undefined ? null : <StepView key={step.callId} step={step} />}</ol>;
}

function lastStep(parts: readonly { readonly kind: string }[]): Step | undefined {
  const part = parts.findLast((each): each is { kind: 'steps'; steps: readonly Step[] } => each.kind === 'steps');
  return part?.steps.at(-1);
}

function Outcome({ outcome }: { readonly outcome: CallOutcome }) {
  const { t } = useWords();
  const { ok, text, data, error } = outcome;
  return (
    <>
      <Part title={t(ok ? 'tool.text' : 'tool.error', { code: error?.code ?? '' })}>
        {text === '' ? <p className="muted sm">{t('tool.empty-text')}</p> : <OutputText text={text} />}
      </Part>
      {data === undefined ? null : (
        <Part title={t('tool.data')}>
          <CodeBlock text={JSON.stringify(data, undefined, 2)} language="json" />
        </Part>
      )}
    </>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <h3 className="xs muted">{title}</h3>
      {children}
    </section>
  );
}
