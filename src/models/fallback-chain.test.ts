import { describe, expect, it } from 'vitest';
import { ModelFailure } from '../contract/failure.ts';
import type { ModelClient, ModelEvent, ModelInfo, ModelRequest } from '../contract/model.ts';
import { createFallbackChain } from './fallback-chain.ts';
import { withRetry } from './with-retry.ts';

const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0 };

type Script = readonly (ModelFailure | string)[];
type Scripted = ModelClient & { readonly requests: ModelRequest[] };

/** One entry per request: a failure after half a word, or an answer; the last one again and again. */
function scripted(id: string, script: Script, about: Partial<ModelInfo> = {}): Scripted {
  const requests: ModelRequest[] = [];
  return {
    requests,
    info: {
      id,
      contextWindow: 100_000,
      maxOutputTokens: 4_000,
      acceptsImages: true,
      hasNativeCalls: true,
      isSmall: false,
      ...about,
    },
    async *stream(request) {
      const step = script[Math.min(requests.push(request), script.length) - 1] ?? 'nothing';
      yield { type: 'text-delta', text: 'half' };
      if (step instanceof ModelFailure) throw step;
      yield {
        type: 'end',
        message: { role: 'assistant', parts: [{ type: 'text', text: step }] },
        usage,
        finish: 'answer',
      };
    },
  };
}

const quota = new ModelFailure('quota', 'No credit left.');
const busy = new ModelFailure('overloaded', 'Busy.');

async function ask(chain: ModelClient, more: Partial<ModelRequest> = {}, signal = new AbortController().signal) {
  const events: ModelEvent[] = [];
  for await (const event of chain.stream({ system: '', messages: [], tools: [], ...more }, signal)) events.push(event);
  const fallbacks = events.filter((event) => event.type === 'fallback');
  const end = events.at(-1);
  return { events, fallbacks, answeredBy: end?.type === 'end' ? end.answeredBy?.id : undefined };
}

const failureOf = (asked: Promise<unknown>): Promise<ModelFailure> =>
  asked.then(() => expect.unreachable('it answered'), (error: unknown) => error as ModelFailure); // prettier-ignore

describe('a chain', () => {
  it('of one is that model itself', () => {
    const only = scripted('a/one', ['hi']);
    expect(createFallbackChain([only])).toBe(only);
  });

  it('[K74] asks the next when one cannot answer, says which and why, and names who answered', async () => {
    const chain = createFallbackChain([scripted('a/one', [quota]), scripted('b/two', ['hi'])]);
    const { events, answeredBy } = await ask(chain);
    expect(events.map(({ type }) => type)).toEqual(['text-delta', 'fallback', 'text-delta', 'end']);
    expect(events[1]).toEqual({
      type: 'fallback',
      from: 'a/one',
      to: 'b/two',
      kind: 'quota',
      message: 'a/one: No credit left. Now b/two is asked.',
    });
    expect(answeredBy).toBe('b/two');
    expect(chain.info.id).toBe('a/one');
    expect(chain.chain?.map(({ id }) => id)).toEqual(['a/one', 'b/two']);
  });

  it('gives each model two retries of its own, and none where a retry cannot help', async () => {
    const sleep = async () => undefined;
    const [one, two, three] = [
      scripted('a/one', [busy]),
      scripted('b/two', [quota]),
      scripted('c/three', [busy, busy, 'hi']),
    ];
    const { events } = await ask(createFallbackChain([one, two, three].map((client) => withRetry(client, { sleep }))));
    expect([one, two, three].map(({ requests }) => requests.length)).toEqual([3, 1, 3]);
    expect(events.filter(({ type }) => type === 'retry')).toHaveLength(4);
    expect(events.filter(({ type }) => type === 'fallback')).toHaveLength(2);
  });

  it('begins with the one that answered last; a new chain, that is the next turn, begins at the top', async () => {
    const [one, two] = [scripted('a/one', [quota]), scripted('b/two', ['hi'])];
    const chain = createFallbackChain([one, two]);
    for (let round = 0; round < 4; round += 1) await ask(chain);
    expect([one.requests.length, two.requests.length]).toEqual([1, 4]);
    await ask(createFallbackChain([one, two]));
    expect(one.requests).toHaveLength(2);
  });

  it('comes back to the first when the one that helped out fails later', async () => {
    const [one, two] = [scripted('a/one', [quota, 'back']), scripted('b/two', ['hi', busy])];
    const chain = createFallbackChain([one, two]);
    expect((await ask(chain)).answeredBy).toBe('b/two');
    const { fallbacks, answeredBy } = await ask(chain);
    expect(fallbacks).toMatchObject([{ from: 'b/two', to: 'a/one', kind: 'overloaded' }]);
    expect(answeredBy).toBe('a/one');
  });

  it.each(['cancelled', 'budget', 'refused'] as const)('asks nobody else after %s', async (kind) => {
    const two = scripted('b/two', ['hi']);
    const failed = await failureOf(ask(createFallbackChain([scripted('a/one', [new ModelFailure(kind, 'no')]), two])));
    expect(failed).toMatchObject({ kind, message: 'no' });
    expect(two.requests).toEqual([]);
  });

  it('names every model with its reason when none could answer', async () => {
    const failed = await failureOf(
      ask(
        createFallbackChain([
          scripted('a/one', [quota]),
          scripted('b/two', [new ModelFailure('auth', `Bad key. ${'x'.repeat(2_000)}`)]),
        ]),
      ),
    );
    expect(failed).toMatchObject({ kind: 'quota', retryable: false });
    expect(failed.message).toMatch(
      /^None of the 2 models could answer\. a\/one: No credit left\. b\/two: Bad key\. x+…$/u,
    );
    expect(failed.message.length).toBeLessThan(1_000);
  });

  it('lets an error through that is no failure of a model', async () => {
    const broken: ModelClient = { ...scripted('a/one', []), stream: () => { throw new TypeError('a bug'); } }; // prettier-ignore
    expect(await failureOf(ask(createFallbackChain([broken, scripted('b/two', ['hi'])])))).toBeInstanceOf(TypeError);
  });
});

describe('windows', () => {
  const small = { contextWindow: 8_000 };

  it('[K74] of 8K are passed over with 50K of history, and that is said', async () => {
    const [one, two] = [scripted('a/small', ['hi'], small), scripted('b/large', ['hi'], { contextWindow: 200_000 })];
    const { fallbacks, answeredBy } = await ask(createFallbackChain([one, two]), { estimatedInputTokens: 50_000 });
    expect(answeredBy).toBe('b/large');
    expect(one.requests).toEqual([]);
    expect(fallbacks).toEqual([
      {
        type: 'fallback',
        from: 'a/small',
        to: 'b/large',
        kind: 'context_overflow',
        message: 'a/small: its window of 8000 tokens is too small for about 50000 and an answer. Now b/large is asked.',
      },
    ]);
  });

  it('that hold the history and no answer are too small as well; one that just does both is asked', async () => {
    const [one, two] = [scripted('a/small', ['hi'], small), scripted('b/large', ['hi'])];
    const chain = () => createFallbackChain([one, two]);
    expect((await ask(chain(), { estimatedInputTokens: 7_501 })).answeredBy).toBe('b/large');
    expect((await ask(chain(), { estimatedInputTokens: 7_500 })).answeredBy).toBe('a/small');
    expect((await ask(chain())).answeredBy).toBe('a/small');
  });

  it('[K74] that are all too small end in one failure with every window and the estimate', async () => {
    const chain = createFallbackChain([
      scripted('a/one', ['hi'], small),
      scripted('b/two', ['hi'], { contextWindow: 9_000 }),
    ]);
    const failed = await failureOf(ask(chain, { estimatedInputTokens: 50_000 }));
    expect(failed.kind).toBe('context_overflow');
    for (const part of ['50000', 'a/one', '8000', 'b/two', '9000', '"fallback"'])
      expect(failed.message).toContain(part);
  });

  it('that overflowed send the request on to larger ones only', async () => {
    const overflow = new ModelFailure('context_overflow', 'Too long.');
    const [one, two, three] = [
      scripted('a/one', [overflow], { contextWindow: 30_000 }),
      scripted('b/two', ['hi'], { contextWindow: 30_000 }),
      scripted('c/three', ['hi'], { contextWindow: 60_000 }),
    ];
    const { fallbacks, answeredBy } = await ask(createFallbackChain([one, two, three]));
    expect(answeredBy).toBe('c/three');
    expect(two.requests).toEqual([]);
    expect(fallbacks).toHaveLength(1);
    expect(fallbacks[0]).toMatchObject({ from: 'a/one', to: 'c/three', kind: 'context_overflow' });
    expect(JSON.stringify(fallbacks)).toMatch(/Too long\..*b\/two: its window of 30000 tokens is no larger/u);
  });
});

it('[K82] a small model that helps out gets only the tools that are made for such', async () => {
  const tools = [
    { name: 'all', description: '', inputSchema: {}, isForSmallModels: true },
    { name: 'large', description: '', inputSchema: {}, isForSmallModels: false },
    { name: 'own', description: '', inputSchema: {} },
  ];
  const [one, two] = [scripted('a/one', [quota]), scripted('b/two', ['hi'], { isSmall: true })];
  await ask(createFallbackChain([one, two]), { tools });
  expect(one.requests[0]?.tools).toHaveLength(3);
  expect(two.requests[0]?.tools.map(({ name }) => name)).toEqual(['all', 'own']);
});
