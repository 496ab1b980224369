import { expect, test } from 'vitest';
import { groupModels } from './group-models.ts';

const choice = (id: string, problem?: string) => ({ id, source: 'key', ...(problem === undefined ? {} : { problem }) });
const info = {
  ...{ id: 'own/one', contextWindow: 1, maxOutputTokens: 1 },
  ...{ acceptsImages: true, hasNativeCalls: true, isSmall: false },
};

test('models stand under their services, those that cannot be reached last, and the one in use is always there', () => {
  const modelChoices = [choice('b/two', 'The key is wrong.'), choice('b/one'), choice('a/llama:8b')];
  const ids = (text: string) =>
    groupModels({ model: info, modelChoices }, text).map(({ service, models }) => [
      service,
      ...models.map(({ id }) => id),
    ]);
  expect(ids('')).toEqual([
    ['a', 'a/llama:8b'],
    ['b', 'b/one', 'b/two'],
    ['own', 'own/one'],
  ]);
  expect(ids('ONE b')).toEqual([['b', 'b/one']]);
  expect(ids('none')).toEqual([]);
});
