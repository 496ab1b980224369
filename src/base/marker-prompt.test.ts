import { expect, it } from 'vitest';
import { markerPrompt } from './marker-prompt.ts';

it('[L12] is one line for each tool and one for each parameter: what it is, what it is without being given, what it means', () => {
  const tool = {
    name: 'look',
    description: 'Looks\n  around.',
    inputSchema: {
      type: 'object',
      required: ['where'],
      properties: {
        where: { type: 'string', description: 'A\nplace' },
        times: { type: 'integer', default: 1 },
        mode: { enum: ['a', 'b'], default: 'a' },
        names: { type: 'array', items: { type: 'string' } },
        pair: { type: 'array', items: false },
        env: { type: 'object', additionalProperties: { type: 'string' } },
        point: { type: 'object', properties: { x: { type: 'number' }, tags: { type: 'array', items: { const: 1 } } } },
        either: { anyOf: [{ type: 'string' }, { type: 'string' }, { type: 'null' }] },
        both: { type: ['integer', 'null'] },
        anything: {},
      },
    },
  };
  expect(markerPrompt([tool]).split('\n').slice(1)).toEqual([
    '- look(where, times?, mode?, names?, pair?, env?, point?, either?, both?, anything?): Looks around.',
    '  where: string, A place',
    '  times: integer = 1',
    '  mode: "a"|"b" = "a"',
    '  names: string[]',
    '  pair: any[]',
    '  env: object',
    '  point: {x: number, tags: 1[]}',
    '  either: string|null',
    '  both: integer|null',
    '  anything: any',
  ]);
  expect(markerPrompt([tool]).split('\n')[0]).toContain('[TOOL: name {"argument": "value"}]');
});

it('is nothing where there are no tools', () => {
  expect(markerPrompt([])).toBe('');
  expect(markerPrompt([{ name: 'now', description: 'The time.', inputSchema: { type: 'object' } }])).toMatch(
    /\n- now\(\): The time\.$/,
  );
});
