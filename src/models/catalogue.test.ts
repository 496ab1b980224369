import { describe, expect, it } from 'vitest';
import { describeModel } from './catalogue.ts';
import catalogue from './catalogue.json' with { type: 'json' };

const hosted = (modelId: string) => describeModel({ id: `x/${modelId}`, modelId, isLocal: false });
const local = (modelId: string) => describeModel({ id: `ollama/${modelId}`, modelId, isLocal: true });

it.each([
  ['gemini-2.5-pro', 1_048_576],
  ['models/gemini-2.5-flash', 1_048_576],
  ['gemini-3-pro-preview', 1_048_576],
  ['claude-sonnet-4-5-20250929', 200_000],
  ['anthropic/claude-opus-4.1', 200_000],
  ['claude-3-5-haiku-latest', 200_000],
  ['gpt-4o', 128_000],
  ['gpt-4o-2024-11-20', 128_000],
  ['openai/gpt-5.1-codex', 400_000],
  ['o4-mini', 200_000],
  ['deepseek-chat', 131_072],
])('[K73] %s has a window of %i', (modelId, contextWindow) => {
  expect(hosted(modelId).contextWindow).toBe(contextWindow);
});

it.each([
  ['qwen3:4b', 8192, true],
  ['gemma3:270m', 8192, true],
  ['qwen3:8b', 16_384, true],
  ['gemma2:9b-instruct-q4_K_M', 8192, true],
  ['llama3.2', 8192, true],
  ['qwen3-30b-a3b', 32_768, false],
  ['mixtral:8x7b', 32_768, false],
  ['gpt-oss:20b', 32_768, false],
  ['some-model', 32_768, false],
])('[K73] on the user’s own machine %s has %i, small: %s', (modelId, contextWindow, isSmall) => {
  expect(local(modelId)).toMatchObject({ contextWindow, isSmall });
  expect(local(modelId).price).toBeUndefined();
});

it('knows a price only where it is known', () => {
  expect(hosted('gpt-4o').price).toEqual({ input: 2.5, output: 10, cachedInput: 1.25 });
  expect(hosted('gpt-5-mini-2025-08-07').price).toEqual({ input: 0.25, output: 2, cachedInput: 0.025 });
  expect(hosted('gpt-5.9').price).toBeUndefined();
  expect(hosted('something-new').price).toBeUndefined();
});

it('takes hosted models of a small name for what they are: not small', () => {
  expect(hosted('llama-3.1-8b-instant').isSmall).toBe(false);
});

it('has sound entries only, and none that an earlier one hides completely', () => {
  for (const entry of catalogue.models) {
    expect(() => new RegExp(entry.match)).not.toThrow();
    expect(entry.contextWindow).toBeGreaterThan(entry.maxOutput - 1);
    for (const price of entry.price ?? []) expect(price).toBeGreaterThan(0);
  }
  const matches = catalogue.models.map((entry) => entry.match);
  expect(new Set(matches).size).toBe(matches.length);
});

it('lets the settings have the last word', () => {
  const settings = {
    service: 's',
    dialect: 'openai-chat' as const,
    contextWindow: 9,
    maxOutputTokens: 4,
    nativeCalls: false,
    isSmall: true,
  };
  expect(describeModel({ id: 's/gpt-4o', modelId: 'gpt-4o', isLocal: false, settings })).toMatchObject({
    contextWindow: 9,
    maxOutputTokens: 4,
    hasNativeCalls: false,
    isSmall: true,
  });
});

describe('prices of the settings', () => {
  const price = { input: 1, output: 2 };
  const priced = (id: string, prices: Readonly<Record<string, typeof price>>, isLocal = false) =>
    describeModel({ id, modelId: id.slice(id.indexOf('/') + 1), isLocal, prices }).price;

  it.each([
    ['openai/gpt-4o', 'openai/gpt-4o'],
    ['openai/gpt-4o-mini', 'openai/gpt-4o*'],
    ['openai-chat/acme/Big:7b@2', '*/acme/*'],
    ['openai-chat/a.b', 'openai-chat/a.b'],
    ['ollama/qwen3:8b', 'ollama/*'],
    ['a/b', 'a/b*'],
  ])('[K73] %s is meant by %s', (id, pattern) => {
    expect(priced(id, { [pattern]: price })).toEqual(price);
    expect(priced(id, { [pattern]: price }, true)).toEqual(price);
  });

  it.each([
    ['openai/gpt-4o-mini', 'openai/gpt-4o'],
    ['openai/gpt-4o', '*/gpt-4'],
    ['openai-chat/aXb', 'openai-chat/a.b'],
    ['a/bc', 'a/bc*c'],
    ['a/b', 'a/**b*b'],
  ])('%s is not meant by %s', (id, pattern) => {
    expect(priced(id, { [pattern]: price })).not.toEqual(price);
  });

  it('hold before the catalogue, and the first that fits before others', () => {
    expect(priced('openai/gpt-4o', { 'openai/*': price, 'openai/gpt-4o': { input: 9, output: 9 } })).toEqual(price);
    expect(priced('openai/gpt-4o', { 'gemini/*': price })).toEqual({ input: 2.5, output: 10, cachedInput: 1.25 });
  });
});

it('[K73] writing to the cache of Anthropic costs a quarter more than plain input', () => {
  expect(hosted('claude-sonnet-4-5').price).toEqual({ input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75 });
});
