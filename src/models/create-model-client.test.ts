import { expect, it } from 'vitest';
import { MisuseFailure, ModelFailure } from '../contract/failure.ts';
import type { ModelServiceSettings } from '../contract/settings.ts';
import { startModelServer } from '../../test/kit/model-server.ts';
import { createModelClient } from './create-model-client.ts';
import type { ModelClientOptions } from './create-model-client.ts';

const request = {
  system: '',
  messages: [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'Hi' }] }],
  tools: [],
};

async function run(options: Partial<ModelClientOptions> & { readonly model: string }): Promise<string> {
  const client = createModelClient({ readSecret: async () => undefined, ...options });
  for await (const event of client.stream(request, new AbortController().signal)) {
    if (event.type === 'end')
      return event.message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  }
  return '';
}

it.each(['', 'gpt-5', '/gpt-5', 'openai/', ' openai / '])(
  'refuses the name %j and shows a right one',
  async (model) => {
    expect(() => createModelClient({ model, readSecret: async () => 'k' })).toThrow(MisuseFailure);
  },
);

it('refuses an unknown service and names the known ones', () => {
  const create = (model: string) => () => createModelClient({ model, readSecret: async () => 'k' });
  expect(create('nope/x')).toThrow(/anthropic, gemini, openai, openai-chat, ollama, llamacpp, lmstudio/);
  expect(create('constructor/x')).toThrow(MisuseFailure);
});

it('keeps slashes and colons of a model’s own name', async () => {
  await using server = await startModelServer({ dialect: 'openai-chat', turns: [{ text: 'ok' }] });
  const model = 'openai-chat/acme/big:7b@2';
  expect(await run({ model, environment: { OPENAI_BASE_URL: server.url } })).toBe('ok');
  expect(server.requests[0]?.body.model).toBe('acme/big:7b@2');
});

it.each([
  ['anthropic/claude-x', 'ANTHROPIC_API_KEY'],
  ['gemini/gemini-x', 'GEMINI_API_KEY'],
  ['openai/gpt-x', 'OPENAI_API_KEY'],
  ['openai-chat/gpt-x', 'OPENAI_API_KEY'],
])('%s without a key says which one and how to store it', async (model, keyName) => {
  const failed = await run({ model }).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(ModelFailure);
  expect(failed).toMatchObject({ kind: 'auth', retryable: false });
  expect(String(failed)).toContain(`handrail secrets set ${keyName}`);
});

it('sends no key to a server of the settings that names none, whatever keys there are', async () => {
  await using server = await startModelServer({ dialect: 'openai-chat', turns: () => ({ text: 'ok' }) });
  const mine: ModelServiceSettings = { service: 'mine', dialect: 'openai-chat', baseUrl: server.url };
  const asked: string[] = [];
  const readSecret = async (name: string) => {
    asked.push(name);
    return `key of ${name}`.replaceAll(' ', '-');
  };
  await run({ model: 'mine/x', services: [mine], readSecret });
  expect(asked).toEqual([]);
  expect(server.requests[0]?.headers.authorization).toBeUndefined();
  await run({ model: 'mine/x', services: [{ ...mine, keyName: 'MY_KEY' }], readSecret });
  expect(server.requests[1]?.headers.authorization).toBe('Bearer key-of-MY_KEY');
});

it('lets the settings say where a usual service lies and what a model can do', async () => {
  await using server = await startModelServer({ dialect: 'openai-chat', turns: () => ({ text: 'ok' }) });
  const service: ModelServiceSettings = {
    service: 'ollama',
    dialect: 'openai-chat',
    baseUrl: server.url,
    contextWindow: 5000,
    maxOutputTokens: 700,
    nativeCalls: false,
    isSmall: false,
  };
  const client = createModelClient({
    model: 'ollama/qwen3:4b',
    services: [service],
    readSecret: async () => undefined,
  });
  expect(client.info).toMatchObject({
    id: 'ollama/qwen3:4b',
    contextWindow: 5000,
    maxOutputTokens: 700,
    hasNativeCalls: false,
    isSmall: false,
  });
  expect(await run({ model: 'ollama/qwen3:4b', services: [service] })).toBe('ok');
});

it('uses a key that was changed between two requests', async () => {
  await using server = await startModelServer({ dialect: 'anthropic', turns: () => ({ text: 'ok' }) });
  let current = 'first';
  const client = createModelClient({
    model: 'anthropic/claude-x',
    environment: { ANTHROPIC_BASE_URL: server.url },
    readSecret: async () => current,
  });
  for (const value of ['first', 'second']) {
    current = value;
    for await (const event of client.stream(request, new AbortController().signal)) expect(event.type).toBeDefined();
  }
  expect(server.requests.map((each) => each.headers['x-api-key'])).toEqual(['first', 'second']);
});

it('adds the query of a base URL to each request', async () => {
  const seen: string[] = [];
  const fetch = async (input: string | URL | Request) => {
    seen.push(String(input));
    return new Response('{}', { status: 500 });
  };
  const environment = { OPENAI_BASE_URL: 'https://gateway.example/v1?api-version=7' };
  await run({ model: 'openai-chat/x', environment, fetch }).catch(() => undefined);
  expect(seen).toEqual(['https://gateway.example/v1/chat/completions?api-version=7']);
});

it('works while the process has empty variables that would break the SDKs', async () => {
  const names = ['ANTHROPIC_BASE_URL', 'OPENAI_BASE_URL'] as const;
  const before = names.map((name) => process.env[name]);
  for (const name of names) process.env[name] = '';
  try {
    await using one = await startModelServer({ dialect: 'anthropic', turns: [{ text: 'ok' }] });
    const environment = { ANTHROPIC_BASE_URL: one.url };
    expect(await run({ model: 'anthropic/claude-x', environment, readSecret: async () => 'k' })).toBe('ok');
  } finally {
    for (const [at, name] of names.entries()) {
      const value = before[at];
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
});
