import { expect, test } from 'vitest';
import { readEntered, readFields } from './read-fields.ts';

const fields = readFields({
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Where' },
    limit: { type: 'integer', default: 10 },
    recursive: { type: 'boolean', default: false },
    mode: { enum: ['read', 'write'] },
    names: { type: 'array', items: { type: 'string' } },
    env: { type: 'object' },
  },
  required: ['path', 'mode'],
});

test('every kind of argument has a field, with what stands in for it', () => {
  expect(fields.map(({ name, kind, isRequired, fallback }) => [name, kind, isRequired, fallback])).toEqual([
    ['path', 'text', true, ''],
    ['limit', 'number', false, '10'],
    ['recursive', 'flag', false, 'false'],
    ['mode', 'choice', true, ''],
    ['names', 'list', false, ''],
    ['env', 'json', false, ''],
  ]);
});

test('what is left empty is left out, and the rest has the kind that the tool wants', () => {
  const entered = { path: 'a.txt', mode: 'read', limit: ' 5 ', recursive: 'true', names: 'a\n\nb', env: '{"A":"1"}' };
  expect(readEntered(fields, entered)).toEqual({
    input: { path: 'a.txt', limit: 5, recursive: true, mode: 'read', names: ['a', 'b'], env: { A: '1' } },
  });
  expect(readEntered(fields, { path: '', mode: 'read' })).toEqual({ input: { path: '', mode: 'read' } });
});

test('what cannot be is told at its field', () => {
  expect(readEntered(fields, { path: 'x', limit: 'many', env: '{' })).toEqual({
    problems: { limit: 'no-number', mode: 'missing', env: 'no-json' },
  });
});

test('a schema without properties has no fields', () => {
  expect(readFields({ type: 'object' })).toEqual([]);
  expect(readEntered([], {})).toEqual({ input: {} });
});
