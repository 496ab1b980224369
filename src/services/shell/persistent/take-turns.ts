/** One at a time, in the order of coming. */

export type Turns = {
  /** Resolves with what ends the turn. Rejects with the signal's reason when it is called off before. */
  take(signal: AbortSignal): Promise<() => void>;
  isBusy(): boolean;
};

export function createTurns(): Turns {
  const waiting: (() => void)[] = [];
  let isTaken = false;

  function endTurn(): () => void {
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const next = waiting.shift();
      if (next === undefined) isTaken = false;
      else next();
    };
  }

  return {
    isBusy: () => isTaken,
    async take(signal) {
      signal.throwIfAborted();
      if (isTaken) {
        await new Promise<void>((resolve, reject) => {
          const onAbort = (): void => {
            waiting.splice(waiting.indexOf(onTurn), 1);
            reject(signal.reason as Error);
          };
          const onTurn = (): void => {
            signal.removeEventListener('abort', onAbort);
            resolve();
          };
          waiting.push(onTurn);
          signal.addEventListener('abort', onAbort, { once: true });
        });
      }
      isTaken = true;
      return endTurn();
    },
  };
}
