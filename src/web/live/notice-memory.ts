/** What a tab that joins later has to know: the server's snapshot, with all that has changed since. */
import type { WebNotice } from '../../contract/web-api.ts';
import { foldNotice, type LiveState, nothingKnown } from './fold-notices.ts';

export type NoticeMemory = {
  take(data: string): void;
  /** As the server would send it now. Undefined: it has sent none yet. */
  snapshot(): string | undefined;
};

export function createNoticeMemory(): NoticeMemory {
  let first: Extract<WebNotice, { type: 'snapshot' }> | undefined;
  let state: LiveState = nothingKnown;
  return {
    take(data) {
      const notice = JSON.parse(data) as WebNotice;
      if (notice.type === 'snapshot') first = notice;
      // The list of conversations is read by each tab itself.
      state = { ...foldNotice(state, notice), changed: nothingKnown.changed };
    },
    snapshot() {
      if (first === undefined) return undefined;
      const { questions, running, sandbox, queues } = state;
      const now = { questions, running: [...running], sandbox, queues: [...queues.values()] };
      return JSON.stringify({ ...first, ...now } satisfies WebNotice);
    },
  };
}
