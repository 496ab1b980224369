/** Runs a tool under its timeout and the turn's signal; whoever acts first gives the reason. */
import { ToolFailure } from '../contract/failure.ts';

/** Stops the time limit, for example while a person is asked. Pauses may overlap; each gives back what ends it. */
export type RunClock = { pause(): () => void };

/** How long a tool may take to wind up after it was told to stop; then it is left behind and its result ignored. */
const windUpMs = 1_500;

/**
 * Rejects with the signal's reason when `signal` fires, and with ToolFailure('timeout') after `timeoutMs`, also when `work`
 * ignores both. Work that ends by itself after being told to stop still decides: its result is the better answer.
 */
export async function runLimited<Result>(
  work: (signal: AbortSignal, clock: RunClock) => Promise<Result>,
  limits: {
    readonly signal: AbortSignal;
    readonly timeoutMs: number;
    readonly name: string;
    readonly windUpMs?: number;
  },
): Promise<Result> {
  const control = new AbortController();
  const onStop = () => control.abort(stopReason(limits.signal));
  if (limits.signal.aborted) throw stopReason(limits.signal);
  limits.signal.addEventListener('abort', onStop, { once: true });
  const timer = createTimer(limits.timeoutMs, () => control.abort(timeoutFailure(limits)));
  let windUp: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Result>((resolve, reject) => {
      control.signal.addEventListener(
        'abort',
        () => {
          windUp = setTimeout(() => reject(control.signal.reason), limits.windUpMs ?? windUpMs);
        },
        { once: true },
      );
      work(control.signal, timer.clock).then(resolve, (error: unknown) => {
        reject(control.signal.aborted ? control.signal.reason : error);
      });
    });
  } finally {
    timer.clear();
    clearTimeout(windUp);
    limits.signal.removeEventListener('abort', onStop);
  }
}

/** Counts only the time in which nobody has paused it. */
function createTimer(timeoutMs: number, onEnd: () => void): { readonly clock: RunClock; clear(): void } {
  let remainingMs = timeoutMs;
  let startedAt = performance.now();
  let timer: NodeJS.Timeout | undefined = setTimeout(onEnd, remainingMs);
  let pauses = 0;
  let isOver = false;
  const resume = (): void => {
    pauses -= 1;
    if (pauses > 0 || isOver) return;
    startedAt = performance.now();
    timer = setTimeout(onEnd, remainingMs);
  };
  return {
    clock: {
      pause() {
        pauses += 1;
        if (pauses === 1) {
          clearTimeout(timer);
          remainingMs = Math.max(remainingMs - (performance.now() - startedAt), 0);
        }
        let isPaused = true;
        return () => {
          if (isPaused) resume();
          isPaused = false;
        };
      },
    },
    clear() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

/** The failure a stopped call reports, whatever the aborter gave as a reason. */
export function stopReason(signal: AbortSignal): ToolFailure {
  return signal.reason instanceof ToolFailure ? signal.reason : new ToolFailure('cancelled', 'Stopped by the user.');
}

function timeoutFailure(limits: { readonly timeoutMs: number; readonly name: string }): ToolFailure {
  return new ToolFailure(
    'timeout',
    `${limits.name} was stopped after ${limits.timeoutMs / 1000} s, its time limit. Try a smaller piece of work.`,
  );
}
