import { describe, expect, it } from 'vitest';
import type { Asker } from '../contract/permission.ts';
import { createStandaloneRegistry, type StandaloneOptions } from './standalone-registry.ts';

const schema = {
  type: 'object',
  properties: { word: { type: 'string' }, times: { type: 'integer' } },
  required: ['word'],
  additionalProperties: false,
};
const nobody = async (): Promise<Asker> => ({ origin: 'nobody', ask: async () => ({ verdict: 'deny' }) });

function withEcho(options: StandaloneOptions = {}, asker = nobody) {
  const registry = createStandaloneRegistry(options, asker);
  const made = { count: 0 };
  registry.registerLazy('echo', 'Say a word. More text.', schema, () => {
    made.count += 1;
    return { name: 'echo', description: '', schema, run: (input) => `${String(input['word'])}!` };
  });
  return { registry, made };
}

describe('dispatch', () => {
  it('[L13] gives null for a text without a marker, and the result of the call in one with it', async () => {
    const { registry, made } = withEcho();
    expect(await registry.dispatch('no call here')).toBeNull();
    expect(made.count).toBe(0);
    expect(await registry.dispatch('Please [TOOL: echo {"word": "hi"}] now')).toMatchObject({ ok: true, text: 'hi!' });
    expect(await registry.dispatch('[TOOL: echo {"word": 5}]')).toMatchObject({
      ok: false,
      error: { code: 'invalid_input' },
    });
    expect(await registry.dispatch('[TOOL: nope {}]')).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });

  it('[L08] of a blocked tool makes no instance', async () => {
    const { registry, made } = withEcho({ disallowed: ['echo'], allowed: ['echo'], requiresApproval: ['echo'] });
    expect(await registry.dispatch('[TOOL: echo {"word": "hi"}]')).toMatchObject({
      ok: false,
      error: { code: 'denied' },
    });
    expect(made.count).toBe(0);
  });

  it('[L04] asks the callback with name and arguments, and only true proceeds', async () => {
    const asked: unknown[] = [];
    for (const [answer, ok] of [
      [true, true],
      [false, false],
      ['yes', false],
    ] as const) {
      const { registry } = withEcho({
        requiresApproval: ['echo'],
        approve: (...given) => (asked.push(given), answer as boolean),
      });
      expect(await registry.dispatch('[TOOL: echo {"word": "hi"}]')).toMatchObject({ ok });
    }
    expect(asked[0]).toEqual(['echo', { word: 'hi' }]);
  });

  it('[L04] asks on the terminal when there is no callback', async () => {
    const { registry } = withEcho({ requiresApproval: ['echo'] }, async () => ({
      origin: 'terminal',
      ask: async () => ({ verdict: 'allow', scope: 'once' }),
    }));
    expect(await registry.dispatch('[TOOL: echo {"word": "hi"}]')).toMatchObject({ ok: true });
  });
});

describe('the registry', () => {
  it('[L12] the prompt section lists permitted tools from descriptors alone', () => {
    const { registry, made } = withEcho();
    expect(registry.systemPromptSection()).toContain('- echo(word, times?): Say a word.');
    expect(made.count).toBe(0);
    expect(withEcho({ disallowed: ['echo'] }).registry.systemPromptSection()).toBe('');
    expect(withEcho({ allowed: ['other'] }).registry.systemPromptSection()).toBe('');
  });

  it('[L09] a ready instance counts as loaded, a lazy one only after its first call', async () => {
    const { registry } = withEcho();
    await registry.register({ name: 'ready', description: 'r', schema: { type: 'object' }, run: () => 'ok' });
    expect(registry.loadedNames()).toEqual(['ready']);
    await registry.dispatch('[TOOL: echo {"word": "hi"}]');
    expect(registry.loadedNames()).toEqual(['echo', 'ready']);
    expect(registry.unload('echo')).toBe(true);
    expect(registry.unload('echo')).toBe(false);
    expect(registry.names()).toEqual(['echo', 'ready']);
  });

  it('[L07] releases the instance after each call when told so', async () => {
    const { registry, made } = withEcho({ unloadAfterUse: true });
    for (let round = 0; round < 2; round += 1) await registry.dispatch('[TOOL: echo {"word": "hi"}]');
    expect(registry.loadedNames()).toEqual([]);
    expect(made.count).toBe(2);
  });
});
