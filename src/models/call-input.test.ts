import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toWireInput } from './call-input.ts';

it('sends arguments that are an object byte for byte', () => {
  const input = '{ "path" : "a b",\n "n": 1.0 }';
  expect(toWireInput(input)).toEqual({ object: { path: 'a b', n: 1 }, text: input });
});

it('sends nothing as an empty object', () => {
  expect(toWireInput('')).toEqual({ object: {}, text: '{}' });
  expect(toWireInput(' \n')).toEqual({ object: {}, text: '{}' });
});

it('wraps what is nested so deep that walking through it would end the program', () => {
  const input = `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
  expect(toWireInput(input)).toEqual({ object: { invalid_arguments: input }, text: undefined });
});

it.each(['{"a": 1', '[1]', 'null', '"text"', '3', 'ls -la'])(
  'wraps %s so that the model sees what it wrote',
  (input) => {
    expect(toWireInput(input)).toEqual({ object: { invalid_arguments: input }, text: undefined });
  },
);

it('mends halves of surrogate pairs, however they are written', () => {
  expect(toWireInput('{"a": ["\\ud800", {"\\uDC00": "x\\ud83d\\udd8a"}]}').object).toEqual({
    a: ['\ufffd', { '\ufffd': 'x🖊' }],
  });
  expect(toWireInput('{"a": "\ud800"').object).toEqual({ invalid_arguments: '{"a": "\ufffd"' });
});

it('keeps keys that the SDK would refuse', () => {
  const { object, text } = toWireInput('{"__proto__": {"a": 1}, "b": 2}');
  expect(text).toBeUndefined();
  expect(JSON.stringify(object)).toBe('{"__proto__":{"a":1},"b":2}');
});

it('makes well-formed JSON of an object of anything', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (input) => {
      const written = JSON.stringify(toWireInput(input).object);
      expect(written.isWellFormed()).toBe(true);
      expect(written).not.toMatch(/(?<!\\)(\\\\)*\\ud[89a-f]/);
    }),
  );
});
