/** What stands before the first turn on screen: loading, a failure, or the way to what was before, which is fetched as it comes near. */
import { useEffect, useRef } from 'react';
import type { ConversationFeed, FeedState } from '../live/create-conversation-feed.ts';
import { Button } from '../ui/button.tsx';
import { useWords } from '../words/use-words.ts';

/** So far above what is seen: whoever scrolls does not wait for it. */
const fetchPixels = 3_000;

export function Earlier({ feed, state }: { readonly feed: ConversationFeed; readonly state: FeedState }) {
  const { t } = useWords();
  if (state.load === 'loading') {
    return (
      <li className="stack bones" aria-busy="true" aria-label={t('chat.loading')}>
        <span className="bone" />
        <span className="bone" />
        <span className="bone" />
      </li>
    );
  }
  if (state.load === 'failed') {
    return (
      <li className="empty">
        <h2>{t('chat.failed')}</h2>
        <p>{state.failure?.code === 'offline' ? t('chat.failed-offline') : state.failure?.message}</p>
        <Button isSmall onClick={feed.retry}>
          {t('again')}
        </Button>
      </li>
    );
  }
  return state.hasEarlier ? <EarlierRow feed={feed} isLoading={state.isLoadingEarlier} /> : null;
}

function EarlierRow({ feed, isLoading }: { readonly feed: ConversationFeed; readonly isLoading: boolean }) {
  const { t } = useWords();
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    const { current } = row;
    const box = current?.closest('.scroll');
    if (current === null || box === null || box === undefined || isLoading) return;
    // Only for whoever goes there: a conversation that was just opened stands at its end.
    const look = (): void => {
      if (box.scrollTop < fetchPixels) void feed.loadEarlier();
    };
    box.addEventListener('scroll', look, { passive: true });
    return () => box.removeEventListener('scroll', look);
  }, [feed, isLoading]);
  return (
    <li ref={row} className="earlier">
      <Button look="ghost" isSmall isBusy={isLoading} onClick={() => void feed.loadEarlier()}>
        {t('chat.earlier')}
      </Button>
    </li>
  );
}
