/** Conversations that a person has removed and may still take back: nothing is removed before the time is over. */

export type Removals = {
  has(id: string): boolean;
  /** Resolves with the moment until which `restore` works. */
  remove(id: string): Date;
  /** False: it was not being removed. */
  restore(id: string): boolean;
  /** Removes at once what waits. */
  close(): Promise<void>;
};

export function createRemovals(carryOut: (id: string) => Promise<void>, undoMs: number): Removals {
  const waiting = new Map<string, { readonly timer: NodeJS.Timeout; readonly until: Date }>();

  async function finish(id: string): Promise<void> {
    await carryOut(id).finally(() => waiting.delete(id));
  }

  return {
    has: (id) => waiting.has(id),
    remove(id) {
      const existing = waiting.get(id);
      if (existing !== undefined) return existing.until;
      const until = new Date(Date.now() + undoMs);
      waiting.set(id, { timer: setTimeout(() => void finish(id), undoMs), until });
      return until;
    },
    restore(id) {
      clearTimeout(waiting.get(id)?.timer);
      return waiting.delete(id);
    },
    async close() {
      const ids = [...waiting.keys()];
      for (const { timer } of waiting.values()) clearTimeout(timer);
      await Promise.all(ids.map(finish));
    },
  };
}
