import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ToolFailure } from '../contract/failure.ts';
import { parseInput } from './parse-input.ts';

const tool = {
  input: z.strictObject({
    path: z.string(),
    limit: z.int().min(1).optional(),
    ratio: z.number().optional(),
    isDeep: z.boolean().default(false),
    names: z.array(z.string()).optional(),
    sizes: z.array(z.number()).optional(),
    env: z.record(z.string(), z.string()).optional(),
    place: z.strictObject({ x: z.number(), tags: z.array(z.string()) }).optional(),
    either: z.union([z.number(), z.boolean()]).optional(),
    mode: z.enum(['a', 'b']).optional(),
  }),
};
const parse = (input: unknown) => parseInput(tool, 'look', input);
function problemOf(input: unknown): string {
  try {
    parse(input);
  } catch (error) {
    expect(error).toMatchObject({ name: 'ToolFailure', code: 'invalid_input' });
    return (error as ToolFailure).message;
  }
  return expect.unreachable('it was taken');
}

describe('arguments that fit', () => {
  it('are taken as they are, and nothing is said', () => {
    const expected = { input: { path: 'a', limit: 3, isDeep: false } };
    expect(parse({ path: 'a', limit: 3, names: null })).toEqual(expected);
    expect(parse('{"path": "a", "limit": 3}')).toEqual(expected);
    expect(parseInput({ input: z.strictObject({}) }, 'look', '')).toEqual({ input: {} });
  });
});

describe('[K04] arguments that can mean one thing only', () => {
  it('are mended, and both what runs and what was done is told', () => {
    const { input, mended } = parse('```json\n{"path": "a", "limit": "3", "isDeep": True,}\n```');
    expect(input).toEqual({ path: 'a', limit: 3, isDeep: true });
    expect(mended?.written).toBe('{"path":"a","limit":3,"isDeep":true}');
    expect(mended?.repairs).toHaveLength(4);
    expect(mended?.repairs.at(-1)).toBe('limit was text and is taken as a number');
  });

  it.each<readonly [object, object]>([
    [{ limit: '5' }, { limit: 5 }],
    [{ ratio: '-1.5e3' }, { ratio: -1500 }],
    [{ isDeep: 'false' }, { isDeep: false }],
    [{ names: 'one' }, { names: ['one'] }],
    [{ names: '["one", "two"]' }, { names: ['one', 'two'] }],
    [{ sizes: '["1", 2]' }, { sizes: [1, 2] }],
    [{ env: '{"A": "b"}' }, { env: { A: 'b' } }],
    [{ place: '{"x": "2", "tags": "t"}' }, { place: { x: 2, tags: ['t'] } }],
  ])('%j becomes %j', (given, fitted) => {
    expect(parse({ path: 'a', ...given }).input).toMatchObject(fitted);
  });

  it('an object encoded twice', () => {
    expect(parse(JSON.stringify(JSON.stringify({ path: 'a' }))).input).toMatchObject({ path: 'a' });
  });
});

describe('[K04] arguments that could mean more than one thing', () => {
  it.each<readonly [object, string]>([
    [{ limit: 'five' }, 'limit'],
    [{ limit: '5 ' }, 'limit'],
    [{ limit: '0x5' }, 'limit'],
    [{ limit: '0' }, 'limit'],
    [{ isDeep: 'yes' }, 'isDeep'],
    [{ names: 'one, two' }, 'names'],
    [{ names: '' }, 'names'],
    [{ names: '["one"' }, 'names'],
    [{ env: 'A=b' }, 'env'],
    [{ either: '5' }, 'either'],
    [{ mode: 'c' }, 'mode'],
    [{ path: 7 }, 'path'],
    [{ limit: '5', unknown: 1 }, 'unknown'],
  ])('%j is refused by its name', (given, name) => {
    expect(problemOf({ path: 'a', ...given })).toContain(name);
  });

  it('say what is wrong and where', () => {
    expect(problemOf('{"path": "a" "limit": 3}')).toBe(
      `The arguments of look are not valid JSON: a comma or } is missing at character 14, between "{\\"path\\": \\"a\\" " and "\\"limit\\": 3}". Nothing was run; send them again as one JSON object.`,
    );
    expect(problemOf(`{"path": "${'x\n'.repeat(50)}`)).toMatch(/not valid JSON: they end too early, behind "(?:\\nx){16}": a text has no closing quote/); // prettier-ignore
    expect(problemOf('{"path": {"a": [1, 2')).toMatch(/too early, behind .*: a comma or \] is missing/);
    expect(problemOf('{"path": , "limit": 3}')).toMatch(/a value is missing or cannot be read at character 10,/);
    expect(problemOf('{"path" "a"}')).toMatch(/a colon is missing at character 9,/);
    expect(problemOf(String.raw`{"path": "\d"}`)).toMatch(/JSON has no such escape at character 11,/);
    expect(problemOf('{path: a}')).toMatch(
      /a name in double quotes is missing at character 2, between "\{" and "path: a\}"/,
    );
    expect(problemOf('{"path": "a"} and {"path": "b"}')).toMatch(/something follows .* at character 14,/);
    expect(problemOf('{"path":'.repeat(1_000))).toMatch(/nested too deep/);
    expect(problemOf('[1]')).toContain('must be a JSON object, not an array');
    expect(problemOf('"a"')).toContain('not a string');
  });
});

it('[K04] no beginning of valid arguments is ever run, whatever they are', () => {
  const given = fc.record({ path: fc.string({ unit: 'binary' }), names: fc.array(fc.string()), env: fc.dictionary(fc.string(), fc.string()) }); // prettier-ignore
  fc.assert(
    fc.property(given, fc.nat(), (value, cut) => {
      const text = JSON.stringify(value);
      expect(parse(text).mended).toBeUndefined();
      const prefix = text.slice(0, cut % text.length);
      if (prefix.trim() !== '') expect(() => parse(prefix)).toThrow(ToolFailure);
    }),
    { numRuns: 1_000 },
  );
});
