/** A chain of models before the real program: when one cannot answer, the next does, and the turn goes on with it. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { startModelServer } from '../kit/model-server.ts';
import type { ModelServerOptions, WireDialectName } from '../kit/model-server.ts';
import { createProgramWorld, type RunEnd } from '../kit/program.ts';
import { eventsOf, turnEnd } from '../kit/turn-journey.ts';

type Link = { readonly dialect: WireDialectName; readonly turns: ModelServerOptions['turns']; readonly more?: object };

/** Services one, two … with one server each; the first is asked, the others stand behind it. */
async function createChain(links: readonly Link[], settings: object = {}) {
  const servers = await Promise.all(links.map(({ dialect, turns }) => startModelServer({ dialect, turns })));
  const world = createProgramWorld();
  onTestFinished(async () => {
    for (const server of servers) await server.close();
  });
  const names = ['one', 'two', 'three'];
  world.writeSettings({
    model: 'one/m',
    fallback: links.slice(1).map((_, at) => `${names[at + 1]}/m`),
    limits: { modelRetries: 0 },
    models: links.map(({ dialect, more }, at) => ({ service: names[at], dialect, baseUrl: servers[at]?.url, ...more })),
    ...settings,
  });
  const ask = (...words: string[]): Promise<RunEnd> => world.run(['ask', '--json', ...words]);
  return { ...world, ask, servers, counts: () => servers.map(({ requests }) => requests.length) };
}

describe('a chain', () => {
  test('[K74] goes on with the next model in the middle of a turn, and stays with it until the turn ends', async () => {
    const chain = await createChain([
      {
        dialect: 'anthropic',
        turns: [
          {
            reasoning: 'Hm.',
            signature: 'c2lnbmVk',
            text: 'Looking.',
            calls: [{ name: 'read_file', input: { path: 'a.txt' } }],
          },
          { error: 'quota' },
          { text: 'Here again.' },
        ],
      },
      {
        dialect: 'gemini',
        turns: [{ calls: [{ name: 'read_file', input: { path: 'b.txt' } }] }, { text: 'alpha and beta' }],
      },
    ]);
    chain.write('a.txt', 'alpha\n');
    chain.write('b.txt', 'beta\n');
    const end = await chain.ask('Read both');
    expect(turnEnd(end)).toMatchObject({ reason: 'answer', answer: 'alpha and beta' });
    expect(chain.counts()).toEqual([2, 2]);
    expect(eventsOf(end, 'model-fallback')).toMatchObject([{ from: 'one/m', to: 'two/m', kind: 'quota' }]);
    expect(eventsOf(end, 'model-end').map(({ model }) => model)).toEqual(['one/m', 'two/m', 'two/m']);
    expect(chain.servers.flatMap(({ requests }) => requests.map(({ problem }) => problem))).toEqual(
      Array(4).fill(undefined),
    );
    expect(chain.servers[1]?.requests[0]?.text).not.toContain('c2lnbmVk');
    expect(turnEnd(await chain.ask('--continue', 'And now?'))).toMatchObject({ answer: 'Here again.' });
    expect(chain.counts()).toEqual([3, 2]);
    expect(chain.servers[0]?.requests[2]?.text).toContain('c2lnbmVk');
  });

  test('[K74] passes over a window of 8K with 50K of history', async () => {
    const chain = await createChain([
      { dialect: 'openai-chat', turns: [{ text: 'small' }], more: { contextWindow: 8_000 } },
      { dialect: 'openai-responses', turns: [{ text: 'large' }], more: { contextWindow: 200_000 } },
    ]);
    const end = await chain.ask(`Count these: ${'heron '.repeat(40_000)}`.slice(0, 120_000));
    expect(turnEnd(end)).toMatchObject({ reason: 'answer', answer: 'large' });
    expect(chain.counts()).toEqual([0, 1]);
    const [fallback] = eventsOf(end, 'model-fallback');
    expect(fallback).toMatchObject({ from: 'one/m', to: 'two/m', kind: 'context_overflow' });
    expect(fallback?.message).toContain('8000 tokens');
  });

  test('[K74] says so in one error when none is large enough', async () => {
    const chain = await createChain([
      { dialect: 'openai-chat', turns: [{ text: 'small' }], more: { contextWindow: 8_000 } },
      { dialect: 'gemini', turns: [{ text: 'small' }], more: { contextWindow: 9_000 } },
    ]);
    const end = await chain.ask(`Count these: ${'heron '.repeat(40_000)}`.slice(0, 120_000));
    const { reason, error } = turnEnd(end);
    expect(reason).toBe('failed');
    expect(error?.kind).toBe('context_overflow');
    expect(error?.message).toMatch(/9000/u);
    expect(chain.counts()).toEqual([0, 0]);
    expect(end.code).toBe(1);
  });

  test('passes over a model without its key and a service that does not exist, and says why', async () => {
    const chain = await createChain(
      [
        { dialect: 'openai-chat', turns: [{ error: 'auth' }] },
        { dialect: 'anthropic', turns: [{ text: 'never' }], more: { keyName: 'NO_SUCH_KEY' } },
        { dialect: 'openai-chat', turns: [{ text: 'Here.' }] },
      ],
      { fallback: ['two/m', 'nowhere/m', 'one/m', 'three/m'] },
    );
    const end = await chain.ask('Hello');
    expect(turnEnd(end)).toMatchObject({ reason: 'answer', answer: 'Here.' });
    expect(chain.counts()).toEqual([1, 0, 1]);
    expect(eventsOf(end, 'model-fallback').map(({ to }) => to)).toEqual(['two/m', 'nowhere/m', 'three/m']);
    const said = eventsOf(end, 'model-fallback').map(({ message }) => message).join('\n'); // prettier-ignore
    expect(said).toContain('handrail secrets set NO_SUCH_KEY');
    expect(said).toContain('no model service "nowhere"');
  });

  test('names every model and its reason when all of them fail, and does not ask around after a refusal', async () => {
    const chain = await createChain([
      { dialect: 'openai-chat', turns: [{ error: 'quota' }, { finish: 'refused' }] },
      { dialect: 'gemini', turns: [{ error: 'auth' }] },
    ]);
    const failed = turnEnd(await chain.ask('Hello'));
    expect(failed).toMatchObject({ reason: 'failed', error: { kind: 'quota' } });
    expect(failed.error?.message).toMatch(/None of the 2 models could answer\. one\/m: .*credit.* two\/m: .*key/su);
    expect(turnEnd(await chain.ask('Hello again'))).toMatchObject({ reason: 'failed', error: { kind: 'refused' } });
    expect(chain.counts()).toEqual([2, 1]);
  });
});
