/** Everything about one call: as the journal tells it; where that holds nothing of it, as the ledger does. */
import { useEffect, useState } from 'react';
import type { JournalEvent } from '../../contract/event.ts';
import type { LedgerEntry } from '../../contract/ledger.ts';
import { useApp, useStore } from '../app/use-app.ts';
import { exactLine } from '../chat/exact-text.ts';
import { foldEvents } from '../chat/fold-screen.ts';
import { emptyScreen, type Step } from '../chat/screen.ts';
import { StepDetails } from '../chat/step-details.tsx';
import { OutputText } from '../chat/views/output-text.tsx';
import { PageLink } from '../shell/page-link.tsx';
import { Bones } from '../ui/bones.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { showBytes, showDollars } from '../words/amounts.ts';
import { useWords } from '../words/use-words.ts';

export function LedgerDetails({ entry }: { readonly entry: LedgerEntry }) {
  const { t } = useWords();
  const step = useStep(entry);
  return (
    <div className="stack call-details">
      {step === undefined ? <Bones label={t('activity.loading')} count={3} /> : null}
      {step === 'none' ? <FromLedger entry={entry} /> : null}
      {step === undefined || step === 'none' ? null : <StepDetails step={step} />}
      <Facts entry={entry} step={step} />
    </div>
  );
}

function FromLedger({ entry: { input, end } }: { readonly entry: LedgerEntry }) {
  const { t } = useWords();
  return (
    <div className="detail">
      <section>
        <h3>{t('step.input')}</h3>
        <OutputText text={input} />
      </section>
      {end === undefined ? null : (
        <section>
          <h3>{t(end.ok ? 'step.output' : 'step.problem')}</h3>
          <OutputText text={end.resultHead} />
        </section>
      )}
    </div>
  );
}

function Facts({ entry, step }: { readonly entry: LedgerEntry; readonly step: Step | 'none' | undefined }) {
  const { t } = useWords();
  const { end, costUsd, callId, conversationId } = entry;
  const rung = typeof step === 'object' ? rungOf(step.outcome?.data) : undefined;
  const title = useTitle(conversationId);
  const facts: readonly (readonly [string, string])[] = [
    [t('activity.fact.began'), new Date(entry.startedAt).toLocaleString()],
    ...(rung === undefined ? [] : [[t('activity.fact.rung'), exactLine(rung)] as const]),
    [t('activity.fact.effect'), t(`activity.effect.${entry.effect}`)],
    ...(end === undefined ? [] : [[t('activity.fact.result'), showBytes(end.resultBytes)] as const]),
    ...(costUsd === undefined ? [] : [[t('activity.fact.cost'), showDollars(costUsd)] as const]),
  ];
  return (
    <>
      <dl className="call-facts sm">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="num">{value}</dd>
          </div>
        ))}
        <div>
          <dt>{t('activity.fact.id')}</dt>
          <dd className="row">
            <PageLink
              to={{
                page: 'activity',
                query: new URLSearchParams({ call: callId, conversation: conversationId }).toString(),
              }}
              className="mono cut"
            >
              {exactLine(callId)}
            </PageLink>
            <CopyButton text={callId} label={t('activity.copy-id')} />
          </dd>
        </div>
      </dl>
      {title === undefined ? null : (
        <p>
          <PageLink to={{ page: 'chat', conversationId }} className="btn small">
            {t('activity.to-chat', { title })}
          </PageLink>
        </p>
      )}
    </>
  );
}

/** What ran it says so in its result. */
function rungOf(data: unknown): string | undefined {
  const rung = (data as { readonly rung?: unknown } | undefined | null)?.rung;
  return typeof rung === 'string' ? rung : undefined;
}

const pageEvents = 500;
/** So much output may lie between the begin and the end of a call. */
const maxPages = 20;

/** `none`: the journal holds nothing of it. Undefined until it was read. */
function useStep(entry: LedgerEntry): Step | 'none' | undefined {
  const { api } = useApp();
  const [step, setStep] = useState<Step | 'none'>();
  const { conversationId, callId, seq, end } = entry;
  const isEnded = end !== undefined;
  useEffect(() => {
    let isOld = false;
    const read = async (): Promise<Step | 'none'> => {
      const events: JournalEvent[] = [];
      let after = Math.max(0, seq - 1);
      for (let page = 0; page < maxPages; page += 1) {
        const found = await api.conversations.events(conversationId, { after, limit: pageEvents, whole: '1' });
        events.push(...found.events);
        after = found.reachesSeq;
        const isWhole = events.some((event) => event.type === 'tool-end' && event.callId === callId);
        if (isWhole || found.reachesSeq === 0 || found.reachesSeq >= found.lastSeq) break;
      }
      const parts = foldEvents({ ...emptyScreen, lastSeq: seq - 1 }, events).turns.flatMap((turn) => turn.parts);
      const steps = parts.flatMap((part) => (part.kind === 'steps' ? part.steps : []));
      return steps.find((each) => each.callId === callId) ?? 'none';
    };
    read().then(
      (found) => isOld || setStep(found),
      () => isOld || setStep('none'),
    );
    return () => {
      isOld = true;
    };
  }, [api, conversationId, callId, seq, isEnded]);
  return step;
}

/** Undefined: there is no chat to open. */
function useTitle(id: string): string | undefined {
  const { t } = useWords();
  const { api, list } = useApp();
  const { conversations } = useStore(list.state);
  const known = conversations.find((each) => each.id === id)?.title;
  const [asked, setAsked] = useState<string>();
  const isListed = known !== undefined;
  useEffect(() => {
    // Of a call without a conversation there is none.
    if (!isListed)
      api.conversations.get(id).then(
        ({ title }) => setAsked(title),
        () => undefined,
      );
  }, [api, id, isListed]);
  const title = known ?? asked;
  return title === '' ? t('chat.untitled') : title;
}
