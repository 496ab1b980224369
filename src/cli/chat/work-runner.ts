/** Runs one piece of work at a time (a turn, a typed call), shows its events, and stops it when asked. */
import type { JournalEvent } from '../../contract/event.ts';
import { ToolFailure } from '../../contract/failure.ts';
import type { ChatState } from './chat-state.ts';
import { foldScreen } from './fold-screen.ts';
import { problemNotice, say } from './notices.ts';
import type { Store } from './store.ts';

export type WorkRunner = {
  /** Starts at once; the caller has seen that nothing runs. `onEnd` also comes after a failure or a stop. */
  run(label: string, work: (signal: AbortSignal, onEvent: (event: JournalEvent) => void) => Promise<unknown>): void;
  /** False when nothing runs. */
  stop(): boolean;
  /** Resolves when nothing runs any more. */
  settled(): Promise<void>;
};

/** The prompt is back after this, even if a tool refuses to end; whatever it still reports is shown when it comes. */
const stopGraceMs = 1_900;

export function createWorkRunner(store: Store<ChatState>, onEnd: (wasStopped: boolean) => void): WorkRunner {
  let control: AbortController | undefined;
  let last: Promise<void> = Promise.resolve();
  let grace: NodeJS.Timeout | undefined;

  /** The first call for a piece of work ends it; later ones find another piece or none. */
  function end(of: AbortController): void {
    if (control !== of) return;
    clearTimeout(grace);
    control = undefined;
    store.change((state) => ({ ...state, work: undefined }));
    onEnd(of.signal.aborted);
  }

  return {
    run(label, work) {
      const own = new AbortController();
      control = own;
      store.change((state) => ({ ...state, work: { label, startedAtMs: Date.now(), isStopping: false } }));
      const show = (event: JournalEvent): void =>
        store.change((state) => ({ ...state, screen: foldScreen(state.screen, event) }));
      last = last
        .then(() => (own.signal.aborted ? undefined : work(own.signal, show)))
        .then(
          () => end(own),
          (error: unknown) => {
            if (!own.signal.aborted) say(store, problemNotice(error));
            end(own);
          },
        );
    },
    stop() {
      const own = control;
      if (own === undefined) return false;
      if (own.signal.aborted) return true;
      store.change((state) =>
        state.work === undefined ? state : { ...state, work: { ...state.work, isStopping: true } },
      );
      grace = setTimeout(() => end(own), stopGraceMs);
      own.abort(new ToolFailure('cancelled', 'Stopped by the user.'));
      return true;
    },
    settled: () => last,
  };
}
