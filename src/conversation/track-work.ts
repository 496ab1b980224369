/** The work that runs in this program: it is waited for when the program closes, so that nothing is cut off half written. */

export type WorkTracker = {
  /** `signal` omitted: only closing ends it early. */
  track<Result>(signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
  /** Stops everything and waits for its end. */
  close(): Promise<void>;
};

export function createWorkTracker(): WorkTracker {
  const running = new Map<Promise<unknown>, AbortController>();
  return {
    track(signal, work) {
      const control = new AbortController();
      const promise = work(signal === undefined ? control.signal : AbortSignal.any([signal, control.signal]));
      running.set(promise, control);
      const forget = () => running.delete(promise);
      promise.then(forget, forget);
      return promise;
    },
    async close() {
      for (const control of running.values()) control.abort();
      await Promise.allSettled(running.keys());
    },
  };
}
