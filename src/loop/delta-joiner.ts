/** Joins streamed pieces, so that the journal gets a row per glance and not one per token. */

/** A person sees no difference below this. */
const joinMs = 40;

export type DeltaJoiner = {
  add(type: 'text-delta' | 'reasoning-delta', text: string): Promise<void>;
  flush(): Promise<void>;
};

/** `write` is called at most every 40 ms, and by `flush`, always in the order the pieces came. */
export function createDeltaJoiner(
  write: (type: 'text-delta' | 'reasoning-delta', text: string) => Promise<void>,
): DeltaJoiner {
  let type: 'text-delta' | 'reasoning-delta' = 'text-delta';
  let pending = '';
  let writtenAt = 0;

  async function flush(): Promise<void> {
    if (pending === '') return;
    const text = pending;
    pending = '';
    writtenAt = performance.now();
    await write(type, text);
  }

  return {
    async add(nextType, text) {
      if (nextType !== type) {
        await flush();
        type = nextType;
      }
      pending += text;
      if (performance.now() - writtenAt >= joinMs) await flush();
    },
    flush,
  };
}
