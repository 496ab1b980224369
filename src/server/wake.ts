/** Waiting for a change that may come at any time. */

export type Wake = {
  /** True when woken, false when `maxMs` have passed. */
  wait(maxMs: number): Promise<boolean>;
  wake(): void;
};

export function createWake(): Wake {
  const waiting = new Set<(isWoken: boolean) => void>();
  return {
    wait: (maxMs) =>
      new Promise((resolve) => {
        const done = (isWoken: boolean): void => {
          clearTimeout(timer);
          waiting.delete(done);
          resolve(isWoken);
        };
        const timer = setTimeout(() => done(false), maxMs);
        waiting.add(done);
      }),
    wake() {
      for (const done of [...waiting]) done(true);
    },
  };
}
