/** Closes the journal before what runs is ended, so that its turns stay open and can be resumed, as after a crash. */
import { ToolFailure } from '../contract/failure.ts';
import type { Storage } from '../contract/storage.ts';

export type JournalSeal = {
  wrap(storage: Storage): Storage;
  /** From now on nothing is written. */
  close(): void;
};

export function createJournalSeal(): JournalSeal {
  let isClosed = false;
  return {
    wrap: (storage) => ({
      ...storage,
      events: {
        ...storage.events,
        async append(events, position) {
          if (isClosed) throw new ToolFailure('cancelled', 'Handrail is ending; the turn can be resumed afterwards.');
          return storage.events.append(events, position);
        },
      },
    }),
    close() {
      isClosed = true;
    },
  };
}
