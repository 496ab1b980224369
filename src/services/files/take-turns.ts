/** Lets operations on the same thing run one after the other. */

export type TakeTurns = <Result>(key: string, act: () => Promise<Result>) => Promise<Result>;

/** Calls of one response run in parallel: without turns, two that compare and then write the same file could both win. */
export function createTurns(): TakeTurns {
  const last = new Map<string, Promise<unknown>>();
  return async (key, act) => {
    const before = last.get(key) ?? Promise.resolve();
    const own = before.then(act, act);
    last.set(key, own);
    try {
      return await own;
    } finally {
      if (last.get(key) === own) last.delete(key);
    }
  };
}
