/** Repeats a request that failed for a passing reason, after a growing wait that Stop ends at once. */
import { setTimeout as sleepFor } from 'node:timers/promises';
import { ModelFailure } from '../contract/failure.ts';
import type { ModelClient, ModelEvent, ModelRequest } from '../contract/model.ts';

export type RetryOptions = {
  /** Omitted: 2. */
  readonly retries?: number;
  /** Rejects when the signal fires. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** From 0 to 1. */
  readonly random?: () => number;
};

const firstWaitMs = 500;
const maxBackoffMs = 30_000;
/** A provider that asks for more is not waited for: the user had better decide. */
const maxAskedWaitMs = 60_000;

/** Yields a `retry` event before each wait: what was streamed so far is void, the next attempt begins anew. */
export function withRetry(client: ModelClient, options: RetryOptions = {}): ModelClient {
  const { retries = 2, random = Math.random } = options;
  const sleep = options.sleep ?? (async (ms, signal) => void (await sleepFor(ms, undefined, { signal })));

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void, undefined> {
    for (let attempt = 1; ; attempt++) {
      try {
        yield* client.stream(request, signal);
        return;
      } catch (error) {
        if (!(error instanceof ModelFailure) || !error.retryable || attempt > retries) throw error;
        const waitMs = findWaitMs(error, attempt, random());
        yield { type: 'retry', kind: error.kind, message: error.message, attempt, waitMs };
        await wait(waitMs, signal, sleep);
      }
    }
  }
  return { info: client.info, stream };
}

function findWaitMs(failure: ModelFailure, attempt: number, random: number): number {
  const asked = failure.retryAfterMs;
  if (asked === undefined) {
    const backoffMs = Math.min(firstWaitMs * 2 ** (attempt - 1), maxBackoffMs);
    return Math.round(backoffMs * (0.75 + random / 2));
  }
  if (asked <= maxAskedWaitMs) return Math.round(asked);
  throw new ModelFailure(
    failure.kind,
    `${failure.message} It asks to wait ${sayDuration(asked)}, which is too long to wait here.`,
    { retryable: false, retryAfterMs: asked, ...(failure.status !== undefined && { status: failure.status }) },
  );
}

async function wait(
  ms: number,
  signal: AbortSignal,
  sleep: (ms: number, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  try {
    if (!signal.aborted) await sleep(ms, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  if (signal.aborted)
    throw new ModelFailure('cancelled', 'The request to the model was stopped while waiting to repeat it.');
}

function sayDuration(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 120) return `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
