/** What a person types becomes what the tool wants, or a sentence that says why not. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTypedInput, splitTypedCall } from './typed-call.ts';
import { typedText } from './typed-text.ts';

const schema = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    limit: { type: 'integer' },
    ratio: { type: 'number' },
    all: { type: 'boolean' },
    names: { type: 'array', items: { type: 'string' } },
    env: { type: 'object' },
    maybe: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    mode: { enum: ['a', 'b'] },
    free: {},
  },
  required: ['path'],
} as const;

const read = (text: string): unknown => {
  const result = readTypedInput(text, schema);
  return result.ok ? result.input : result.problem;
};

describe('a typed call', () => {
  it('values have the type that the tool wants', () => {
    expect(read('path=5 limit=5 ratio=0.5 all=true names=x names=y env={"A":"b c"} maybe=null mode=a free=7')).toEqual({
      path: '5',
      limit: 5,
      ratio: 0.5,
      all: true,
      names: ['x', 'y'],
      env: { A: 'b c' },
      maybe: null,
      mode: 'a',
      free: 7,
    });
  });

  it('quotes hold spaces, quotes and line ends', () => {
    expect(read(String.raw`path="a \"b\" c\n\d"`)).toEqual({ path: 'a "b" c\n\\d' });
    expect(read(`path='a "b" \\n'`)).toEqual({ path: 'a "b" \\n' });
    expect(read(`path=a" b "c`)).toEqual({ path: 'a b c' });
    expect(read('path=a=b&c=d')).toEqual({ path: 'a=b&c=d' });
    expect(read('names=["a b","c"] path=x')).toEqual({ names: ['a b', 'c'], path: 'x' });
  });

  it('a whole object may be JSON', () => {
    expect(read('{"path":"x","limit":"no"}')).toEqual({ path: 'x', limit: 'no' });
    expect(read('{"path":')).toMatch(/no valid JSON/);
  });

  it('a value without a name goes to the first argument that is needed', () => {
    expect(read('src/a.ts limit=3')).toEqual({ path: 'src/a.ts', limit: 3 });
    expect(read('src/a.ts another')).toMatch(/"another" has no name/);
  });

  it('what cannot be is said with the way out', () => {
    expect(read('limit=many')).toBe('limit: "many" is not a whole number.');
    expect(read('all=maybe')).toBe('all: "maybe" is not true or false.');
    expect(read('pth=x')).toBe('there is no argument "pth". Did you mean path?');
    expect(read('path="x')).toBe('a quote is missing at the end of path.');
    expect(read('path=a path=b')).toBe('path is given twice.');
  });

  it('a path is a message, a name a call', () => {
    expect(splitTypedCall('/etc/hosts is odd')).toBeUndefined();
    expect(splitTypedCall('/read_file  path=x\n y ')).toEqual({ name: 'read_file', rest: 'path=x\n y' });
    expect(splitTypedCall('/')).toBeUndefined();
  });

  it('any arguments come back from the line they are shown as', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), fc.integer(), fc.boolean(), (path, limit, all) => {
        const text = typedText('read_file', JSON.stringify({ path, limit, all }));
        expect(read(splitTypedCall(text)?.rest ?? '')).toEqual({ path, limit, all });
      }),
    );
  });

  it('brackets without end take no time', () => {
    const startedAt = performance.now();
    read(`path=[${'] '.repeat(50_000)}`);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});
