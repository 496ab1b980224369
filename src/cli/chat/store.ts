/** Holds one value and tells who follows it; many changes in a moment are told once. */

export type Store<State> = {
  get(): State;
  /** Changes the value at once; followers hear of it within `paceMs`. */
  change(step: (state: State) => State): void;
  /** Gives back how to stop following. */
  follow(listener: () => void): () => void;
};

/** A command may report thousands of lines a second; nobody sees more than this. */
const paceMs = 16;

export function createStore<State>(initial: State): Store<State> {
  let state = initial;
  let timer: NodeJS.Timeout | undefined;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    change(step) {
      const next = step(state);
      if (next === state) return;
      state = next;
      timer ??= setTimeout(() => {
        timer = undefined;
        for (const listener of listeners) listener();
      }, paceMs);
    },
    follow(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
