import { expect, it } from 'vitest';
import { ModelFailure } from '../contract/failure.ts';
import type { ModelClient, ModelEvent } from '../contract/model.ts';
import { withRetry } from './with-retry.ts';
import type { RetryOptions } from './with-retry.ts';

const request = { system: '', messages: [], tools: [] };
const end: ModelEvent = {
  type: 'end',
  message: { role: 'assistant', parts: [{ type: 'text', text: 'whole' }] },
  usage: { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0 },
  finish: 'answer',
};
const info: ModelClient['info'] = {
  id: 'a/b',
  contextWindow: 1,
  maxOutputTokens: 1,
  acceptsImages: true,
  hasNativeCalls: true,
  isSmall: false,
};

/** Fails as the list says, one failure per attempt, after one delta each; then answers. */
function failing(failures: readonly Error[]): ModelClient & { attempts(): number } {
  let attempts = 0;
  return {
    info,
    attempts: () => attempts,
    async *stream() {
      const failure = failures[attempts++];
      yield { type: 'text-delta', text: `part ${attempts}` };
      if (failure) throw failure;
      yield end;
    },
  };
}

async function run(client: ModelClient, options: RetryOptions, signal = new AbortController().signal) {
  const log: unknown[] = [];
  const retrying = withRetry(client, {
    random: () => 0.5,
    sleep: async (ms) => void log.push(['sleep', ms]),
    ...options,
  });
  for await (const event of retrying.stream(request, signal))
    if (event.type === 'retry') log.push(['retry', event.kind, event.attempt, event.waitMs]);
    else log.push('text' in event ? event.text : event.type);
  return log;
}

it('waits half a second, then a whole one, and tells the consumer before each wait', async () => {
  const client = failing([new ModelFailure('overloaded', 'busy'), new ModelFailure('network', 'cut')]);
  expect(await run(client, {})).toEqual([
    'part 1', ['retry', 'overloaded', 1, 500], ['sleep', 500],
    'part 2', ['retry', 'network', 2, 1000], ['sleep', 1000],
    'part 3', 'end',
  ]); // prettier-ignore
});

it('spreads the waits', async () => {
  for (const [random, waitMs] of [[0, 375], [1, 625]] as const) {
    const log = await run(failing([new ModelFailure('overloaded', 'busy')]), { random: () => random });
    expect(log).toContainEqual(['sleep', waitMs]);
  }
}); // prettier-ignore

it('gives the last failure when no attempt is left', async () => {
  const client = failing(Array.from({ length: 9 }, (_, at) => new ModelFailure('overloaded', `busy ${at}`)));
  await expect(run(client, { retries: 3 })).rejects.toThrow('busy 3');
  expect(client.attempts()).toBe(4);
});

it.each(['auth', 'quota', 'context_overflow', 'unknown_model', 'bad_request', 'refused', 'cancelled'] as const)(
  'does not repeat after %s',
  async (kind) => {
    const client = failing([new ModelFailure(kind, 'no')]);
    await expect(run(client, {})).rejects.toMatchObject({ kind });
    expect(client.attempts()).toBe(1);
  },
);

it('lets an error that is no ModelFailure through', async () => {
  await expect(run(failing([new TypeError('a bug')]), {})).rejects.toThrow(TypeError);
});

it('waits as long as it is asked to, up to a minute', async () => {
  const log = await run(failing([new ModelFailure('rate_limit', 'slow', { retryAfterMs: 60_000 })]), {});
  expect(log).toContainEqual(['sleep', 60_000]);
});

it('gives up when it is asked to wait longer, and says how long', async () => {
  const client = failing([new ModelFailure('rate_limit', 'slow.', { retryAfterMs: 61 * 60_000, status: 429 })]);
  const failed = await run(client, {}).catch((error: unknown) => error);
  expect(failed).toMatchObject({ kind: 'rate_limit', retryable: false, status: 429, retryAfterMs: 61 * 60_000 });
  expect(String(failed)).toContain('61 minutes');
  expect(client.attempts()).toBe(1);
});

it('ends at once when stopped while it waits', async () => {
  const stop = new AbortController();
  const retrying = withRetry(failing([new ModelFailure('overloaded', 'busy', { retryAfterMs: 50_000 })]));
  const began = performance.now();
  const reading = (async () => {
    for await (const event of retrying.stream(request, stop.signal))
      if (event.type === 'retry') setTimeout(() => stop.abort(), 10);
  })();
  await expect(reading).rejects.toMatchObject({ kind: 'cancelled' });
  expect(performance.now() - began).toBeLessThan(1000);
});
