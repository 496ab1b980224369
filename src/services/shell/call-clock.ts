/** The time limit of one command: it stands still while a question about the command is open. */

export type CallClock = {
  /** Whether `happening` resolves before the time is over; the time begins with this. Once. */
  within(happening: Promise<unknown>, limitMs: number): Promise<boolean>;
  /** Several may be open at once. */
  pause(): void;
  resume(): void;
};

export function createCallClock(now: () => number = () => performance.now()): CallClock {
  let pauses = 0;
  let leftMs: number | undefined;
  let startedMs = 0;
  let timer: NodeJS.Timeout | undefined;
  let expire: (() => void) | undefined;

  function run(): void {
    if (leftMs === undefined || pauses > 0) return;
    startedMs = now();
    timer = setTimeout(() => expire?.(), leftMs);
  }

  function stop(): void {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    leftMs = Math.max(0, (leftMs ?? 0) - (now() - startedMs));
  }

  return {
    async within(happening, limitMs) {
      const expired = new Promise<boolean>((resolve) => {
        expire = () => resolve(false);
      });
      leftMs = limitMs;
      run();
      try {
        return await Promise.race([happening.then(() => true), expired]);
      } finally {
        stop();
        leftMs = undefined;
      }
    },
    pause() {
      pauses += 1;
      stop();
    },
    resume() {
      pauses -= 1;
      if (pauses === 0) run();
    },
  };
}
