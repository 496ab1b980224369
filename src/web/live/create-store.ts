/** A value that pages watch: React's useSyncExternalStore reads it. */

export type Store<Value> = {
  get(): Value;
  set(value: Value): void;
  change(change: (value: Value) => Value): void;
  /** Returns the function that ends it. */
  subscribe(listener: () => void): () => void;
};

export function createStore<Value>(initial: Value): Store<Value> {
  let value = initial;
  const listeners = new Set<() => void>();
  const set = (next: Value): void => {
    if (Object.is(next, value)) return;
    value = next;
    for (const listener of listeners) listener();
  };
  return {
    get: () => value,
    set,
    change: (change) => set(change(value)),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
