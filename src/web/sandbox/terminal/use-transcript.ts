/** The transcript of a conversation's shell: its newest part from the journal, then whatever is written. */
import { useEffect, useState } from 'react';
import type { JournalEvent } from '../../../contract/event.ts';
import { RequestFailure } from '../../api/request.ts';
import { useApp } from '../../app/use-app.ts';
import { useWords } from '../../words/use-words.ts';
import { foldTranscript, type Transcript } from './fold-transcript.ts';

export type TranscriptState = {
  readonly transcript: Transcript;
  readonly load: 'loading' | 'ready' | 'failed';
  readonly problem: string;
  /** Events up to here were there before. */
  readonly restoredUntil: string | undefined;
};

const pageEvents = 1_000;

export function useTranscript(conversationId: string): TranscriptState & { readonly reload: () => void } {
  const { t } = useWords();
  const { api, streams } = useApp();
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<TranscriptState>(nothing);
  useEffect(() => {
    let isClosed = false;
    let stop = (): void => undefined;
    let arrived: JournalEvent[] = [];
    let timer = 0;
    async function load(): Promise<void> {
      const [tools, page] = await Promise.all([
        api.tools(),
        api.conversations.events(conversationId, {
          limit: pageEvents,
          whole: '1',
          before: Number.MAX_SAFE_INTEGER,
        }),
      ]);
      if (isClosed) return;
      const names = new Set(tools.filter(({ needs }) => needs?.includes('shell') === true).map(({ name }) => name));
      const isShell = (tool: string): boolean => names.has(tool);
      let lastSeq = page.reachesSeq;
      const transcript = foldTranscript([], page.events, isShell);
      setState({ transcript, load: 'ready', problem: '', restoredUntil: transcript.at(-1)?.callId });
      const flush = (): void => {
        timer = 0;
        const news = arrived;
        arrived = [];
        setState((before) => ({ ...before, transcript: foldTranscript(before.transcript, news, isShell) }));
      };
      const follower = streams.follow({
        path: `/api/conversations/${encodeURIComponent(conversationId)}/stream`,
        after: () => lastSeq,
        onData(data) {
          const event = data as JournalEvent;
          lastSeq = event.seq;
          arrived.push(event);
          // Many lines are one change.
          if (timer === 0) timer = window.setTimeout(flush, 30);
        },
        // The line above the page says whether the server is there.
        onState: () => undefined,
      });
      stop = () => follower.close();
    }
    setState(nothing);
    load().catch((error: unknown) => {
      const problem = error instanceof RequestFailure && error.message !== '' ? error.message : t('terminal.no-log');
      if (!isClosed) setState({ ...nothing, load: 'failed', problem });
    });
    return () => {
      isClosed = true;
      window.clearTimeout(timer);
      stop();
    };
  }, [api, attempt, conversationId, streams, t]);
  return { ...state, reload: () => setAttempt((before) => before + 1) };
}

const nothing: TranscriptState = { transcript: [], load: 'loading', problem: '', restoredUntil: undefined };
