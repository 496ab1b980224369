import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findJsonProblem } from './find-json-problem.ts';
import { soak } from '../../../test/kit/soak.ts';

const isJson = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

test('whatever JSON.stringify writes is sound', () => {
  const property = fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom('', ' ', '\t', 2), (value, indent) => {
    expect(findJsonProblem(JSON.stringify(value, undefined, indent))).toBeUndefined();
  });
  fc.assert(property);
});

test('it agrees with JSON.parse about every text, names said twice apart', () => {
  const pieces = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"b"',
    '"',
    '\\',
    '1',
    '-',
    '0',
    '.5',
    'e3',
    'true',
    'null',
    'x',
    ' ',
    '\n',
    '\\u00e4',
    '//',
    "'",
  );
  const texts = fc.array(pieces, { maxLength: 9 }).map((parts) => parts.join(''));
  const property = fc.property(texts, (text) => {
    const problem = findJsonProblem(text);
    if (problem?.message.startsWith('this name was said before') === true) return;
    expect({ text, isSound: problem === undefined }).toEqual({ text, isSound: isJson(text) });
  });
  fc.assert(property, { numRuns: soak(5000) });
});

test('it agrees with JSON.parse after one character was changed', () => {
  const sound = '{"a": [1, -2.5e+3, "x\\u00e4\\n", true, null, {"b": {}}], "c": ""}';
  const property = fc.property(fc.nat(sound.length - 1), fc.string({ maxLength: 2 }), (at, put) => {
    const text = sound.slice(0, at) + put + sound.slice(at + 1);
    const problem = findJsonProblem(text);
    if (problem?.message.startsWith('this name was said before') === true) return;
    expect({ text, isSound: problem === undefined }).toEqual({ text, isSound: isJson(text) });
  });
  fc.assert(property, { numRuns: soak(3000) });
});

test('a name said twice is found also when it is written otherwise', () => {
  expect(findJsonProblem('{"a":1,"\\u0061":2}')).toMatchObject({ offset: 7 });
  expect(findJsonProblem('{"a":{"a":1},"b":[{"a":1},{"a":1}]}')).toBeUndefined();
});

test('a text nested too deeply is a problem, not a crash', () => {
  expect(findJsonProblem('['.repeat(100_000))).toMatchObject({
    message: expect.stringContaining('nested more than 100'),
  });
});
