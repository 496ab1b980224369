/** Ctrl-C: stops what runs; a second one soon after, or two at an empty prompt, leave. */
import type { ChatParts } from './chat-parts.ts';
import { addToHistory } from './input-history.ts';
import { emptyDraft } from './line-editor.ts';

const secondWithinMs = 2_000;

export function createInterrupt(parts: ChatParts): () => void {
  const { store, runner } = parts;
  let pressedAtMs = Number.NEGATIVE_INFINITY;

  function hint(text: string): void {
    pressedAtMs = performance.now();
    store.change((state) => ({ ...state, hint: text }));
    setTimeout(
      () => store.change((state) => (state.hint === text ? { ...state, hint: '' } : state)),
      secondWithinMs,
    ).unref();
  }

  return () => {
    const { work, picker, draft } = store.get();
    if (performance.now() - pressedAtMs < secondWithinMs) return parts.leave(work === undefined ? 0 : 130);
    if (work !== undefined) {
      runner.stop();
      return hint('Press Ctrl-C again to leave');
    }
    if (picker !== undefined) {
      store.change((state) => ({ ...state, picker: undefined }));
      return;
    }
    if (draft.text !== '') {
      // Cleared, not lost: it comes back with the up key.
      store.change((state) => ({
        ...state,
        draft: emptyDraft,
        candidates: [],
        history: addToHistory(state.history, draft.text),
      }));
      return;
    }
    hint('Press Ctrl-C again to leave');
  };
}
