import { expect, test } from 'vitest';
import { emptyDraft, newModelOf, trialOf, type Draft } from './connect-draft.ts';
import { moved, orderEdits, withModel } from './model-order.ts';

const draft = (part: Partial<Draft>): Draft => ({ ...emptyDraft, model: 'a', ...part });
const mistral = { service: 'mistral', dialect: 'openai-chat', baseUrl: 'https://api.mistral.ai/v1' } as const;

test('a service gets the name that people know its host by, and a key of its own', () => {
  const wanted = newModelOf(draft({ baseUrl: mistral.baseUrl, key: ' k ' }), []);
  expect(wanted).toMatchObject({ id: 'mistral/a', keyName: 'MISTRAL_API_KEY', isConnected: false });
  expect(wanted?.service).toEqual({ ...mistral, models: ['a'], keyName: 'MISTRAL_API_KEY' });
  expect(newModelOf(draft({ baseUrl: 'http://127.0.0.1:9/v1' }), [])?.id).toBe('local/a');
  expect(newModelOf(draft({ baseUrl: 'https://openai.example.org/v1' }), [])?.id).toBe('example/a');
  expect(newModelOf(draft({ baseUrl: 'https://api.openai.com/v1' }), [])?.id).toBe('openai-2/a');
  expect(newModelOf(draft({ baseUrl: 'https://mistral.example/v1' }), [mistral])?.id).toBe('mistral-2/a');
});

test('another model of a known address joins its service', () => {
  const wanted = newModelOf(draft({ baseUrl: mistral.baseUrl, model: 'b' }), [{ ...mistral, models: ['a'] }]);
  expect(wanted).toMatchObject({ id: 'mistral/b', isConnected: true, service: { models: ['a', 'b'] } });
});

test('while something is missing there is nothing to try', () => {
  for (const baseUrl of ['', 'api.example.org', 'file:///x', 'http://'])
    expect(newModelOf(draft({ baseUrl }), [])).toBeUndefined();
  expect(newModelOf(draft({ kind: 'anthropic', model: ' ' }), [])).toBeUndefined();
});

test('a key from the form is tried with its service; without one, the key that is kept', () => {
  const trial = (part: Partial<Draft>) => {
    const wanted = newModelOf(draft(part), []);
    return wanted === undefined ? undefined : trialOf(draft(part), wanted);
  };
  expect(trial({ kind: 'gemini' })).toEqual({ model: 'gemini/a' });
  expect(trial({ kind: 'gemini', key: 'k' })).toEqual({
    model: 'gemini/a',
    service: { service: 'gemini', dialect: 'gemini', keyName: 'GEMINI_API_KEY' },
    key: 'k',
  });
  expect(trial({ baseUrl: mistral.baseUrl })).toEqual({ model: 'mistral/a', service: mistral });
});

test('the first of the order is the default, the others are fallen back on', () => {
  expect(moved(['a', 'b', 'c'], 'c', -1)).toEqual(['a', 'c', 'b']);
  expect(moved(['a', 'b'], 'a', -1)).toEqual(['a', 'b']);
  expect(moved(['a', 'b'], 'b', 1)).toEqual(['a', 'b']);
  expect(orderEdits(['a', 'b'])).toEqual([
    { path: ['model'], value: 'a' },
    { path: ['fallback'], value: ['b'] },
  ]);
  expect(orderEdits([])).toEqual([
    { path: ['model'], value: null },
    { path: ['fallback'], value: null },
  ]);
  expect(withModel(['a'], 'a')).toEqual([]);
});
