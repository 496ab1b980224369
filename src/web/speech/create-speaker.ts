/** Reads answers aloud by the browser's own voices. It belongs to the app: it reads on while another page is looked at. */
import { createStore, type Store } from '../live/create-store.ts';
import { spokenPieces } from './spoken-text.ts';

/** `id` names what is read: an answer's turn. */
export type Answer = { readonly id: string; readonly text: string };

export type SpeakerState = {
  /** False: the browser has no voice. */
  readonly canSpeak: boolean;
  /** What is being read. Undefined: nothing. */
  readonly reading: string | undefined;
  /** The last answer of the chat that is open. Undefined: there is none. */
  readonly newest: Answer | undefined;
};

export type Speaker = {
  readonly state: Pick<Store<SpeakerState>, 'get' | 'subscribe'>;
  /** Reads it; what was read before ends. */
  read(answer: Answer): void;
  stop(): void;
  setNewest(answer: Answer | undefined): void;
};

/** `synthesis` is the browser's; undefined where it has none. */
export function createSpeaker(synthesis: SpeechSynthesis | undefined): Speaker {
  const state = createStore<SpeakerState>({ canSpeak: false, reading: undefined, newest: undefined });
  const change = (part: Partial<SpeakerState>): void => state.change((before) => ({ ...before, ...part }));
  /** Counts readings: an end that comes late belongs to one before. */
  let readings = 0;

  // Voices come some time after the page, https://developer.mozilla.org/docs/Web/API/SpeechSynthesis/voiceschanged_event
  const look = (): void => change({ canSpeak: (synthesis?.getVoices().length ?? 0) > 0 });
  look();
  synthesis?.addEventListener('voiceschanged', look);

  function stop(): void {
    readings += 1;
    synthesis?.cancel();
    change({ reading: undefined });
  }

  return {
    state,
    stop,
    read({ id, text }) {
      stop();
      const mine = readings;
      const pieces = spokenPieces(text);
      if (pieces.length === 0 || synthesis === undefined) return;
      change({ reading: id });
      pieces.forEach((piece, at) => {
        const utterance = new SpeechSynthesisUtterance(piece);
        const over = (): void => {
          if (mine === readings) change({ reading: undefined });
        };
        utterance.onerror = over;
        if (at === pieces.length - 1) utterance.onend = over;
        synthesis.speak(utterance);
      });
    },
    setNewest: (newest) => change({ newest }),
  };
}
