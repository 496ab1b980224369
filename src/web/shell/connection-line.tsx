/** Says that the server cannot be reached, and until when it is not tried again. Typing goes on meanwhile. */
import { useEffect, useState } from 'react';
import type { StreamState } from '../api/follow-stream.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { usePatience } from '../ui/use-patience.ts';
import { useWords } from '../words/use-words.ts';

/** A connection that is back within this time is not worth a word. */
const patienceMs = 1_000;

export function ConnectionLine({ state, retry }: { readonly state: StreamState; readonly retry: () => void }) {
  const { t } = useWords();
  const isLost = state.kind === 'waiting' || state.kind === 'connecting';
  const isWorthAWord = usePatience(isLost, patienceMs);
  if (state.kind === 'refused') {
    return (
      <Notice icon="warn" look="bad" role="alert">
        {state.failure.code === 'no_session' ? t('connection.no-session') : state.failure.message}
      </Notice>
    );
  }
  if (!isWorthAWord) return null;
  return (
    <Notice
      icon="again"
      role="status"
      actions={
        <Button isSmall onClick={retry}>
          {t('connection.try-now')}
        </Button>
      }
    >
      {t('connection.lost')}{' '}
      {state.kind === 'waiting' ? <Countdown toMs={state.nextTryAtMs} /> : t('connection.trying')}
    </Notice>
  );
}

/** Not read out: the sentence before it is. */
function Countdown({ toMs }: { readonly toMs: number }) {
  const { t } = useWords();
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = window.setInterval(() => setNowMs(Date.now()), 500);
    return () => window.clearInterval(timer);
  }, []);
  return (
    <span className="num" aria-hidden="true">
      {t('connection.next-try', { seconds: Math.max(1, Math.ceil((toMs - nowMs) / 1000)) })}
    </span>
  );
}
