import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repairJson } from './repair-json.ts';

const valueOf = (text: string): unknown => {
  const repaired = repairJson(text);
  return repaired && (JSON.parse(repaired.text) as unknown);
};

describe('what can be read in one way only', () => {
  it.each<readonly [string, string, unknown, RegExp]>([
    ['trailing commas', '{"a": [1, 2,], "b": {"c": 3,\n},}', { a: [1, 2], b: { c: 3 } }, /comma behind the last entry/],
    ['a code fence', '```json\n{"a": "```"}\n```', { a: '```' }, /code fence/],
    ['raw line breaks and tabs in strings', '{"a": "one\n\ttwo\r\n"}', { a: 'one\n\ttwo\r\n' }, /line breaks or tabs/],
    ['a brace too many', '{"a": {"b": 1}}}', { a: { b: 1 } }, /a \} too many/],
    ['the same object twice', '{"a": 1, "b": 2} {"b": 2, "a": 1,}', { a: 1, b: 2 }, /twice/],
    ['an object encoded twice', JSON.stringify('{"a": "x\\ny"}'), { a: 'x\ny' }, /encoded twice/],
    ['one encoded three times', JSON.stringify(JSON.stringify('{"a": 1}')), { a: 1 }, /encoded twice/],
    ['words of Python', '{"a": True, "b": [False, None]}', { a: true, b: [false, null] }, /True was read as true/],
    ['a dictionary of Python', "{'a': 'x y', 'b': True}", { a: 'x y', b: true }, /quotes were replaced/],
    ['quotes of a word processor', '{\u201ca\u201d: \u201cit\'s\u201d, "b": \u2018c\u2019}', { a: "it's", b: 'c' }, /quotes were replaced/],
  ])('%s', (_, text, value, repair) => {
    const repaired = repairJson(text);
    expect(repaired && JSON.parse(repaired.text)).toEqual(value);
    expect(repaired?.repairs.join('; ')).toMatch(repair);
  }); // prettier-ignore

  it('is an object: keys of the prototype are keys like any other', () => {
    expect(Object.keys(valueOf('{"__proto__": 1, "constructor": 2,}') as object)).toEqual(['__proto__', 'constructor']);
  });
});

describe('what is not mended', () => {
  it.each([
    ['a text that was cut off', '{"path": "a.txt", "content": "half a sent'],
    ['an object that was cut off', '{"a": {"b": 1}'],
    ['a fenced one that was cut off', '```json\n{"a": 1\n```'],
    ['an encoded one that was cut off', JSON.stringify('{"a": "x')],
    ['a missing value', '{"a": , "b": 1}'],
    ['two commas', '[1,,2]'],
    ['a missing comma', '{"a": 1 "b": 2}'],
    ['a missing colon', '{"a" 1}'],
    ['a bare word', '{"a": yes}'],
    ['a bare name', '{a: 1}'],
    ['quotes within quotes', '{"a": "say "yes""}'],
    ['an apostrophe within apostrophes', "{'a': 'it's'}"],
    ['an escape that JSON does not have', String.raw`{"a": "\d+"}`],
    ['numbers that are none', '{"a": 1.2.3, "b": 05}'],
    ['other words behind it', '{"a": 1} and so on'],
    ['two different objects', '{"a": 1}{"a": 2}'],
    ['two braces too many', '{"a": 1}}}'],
    ['the same thousands of times', '{"a": 1}'.repeat(50_000)],
    ['an array', '[1, 2,]'],
    ['a text', '"hello"'],
    ['nothing', ''],
    ['brackets without end', '{"a":'.repeat(50_000)],
  ])('%s', (_, text) => {
    expect(repairJson(text)).toBeUndefined();
  });
});

describe('whatever the object', () => {
  const value = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary' }), { maxKeys: 4 });
  const document = fc.tuple(value, fc.constantFrom(undefined, 2, '\t')).map(([each, space]) => JSON.stringify(each, null, space)); // prettier-ignore
  const nasty = fc.array(fc.constantFrom('{', '}', '[', ']', '"', "'", ',', ':', '\\', '\n', 'a', '1', '\u201c', '\u201d', '```', ' ', 'True'), { maxLength: 12 }).map((parts) => parts.join('')); // prettier-ignore
  const nastyDocument = fc.dictionary(nasty, nasty, { maxKeys: 3 }).map((each) => JSON.stringify(each));

  it('valid JSON is not changed by a byte', () => {
    fc.assert(
      fc.property(fc.oneof(document, nastyDocument), (text) => {
        expect(repairJson(text)).toEqual({ text, repairs: [] });
      }),
      { numRuns: 1_000 },
    );
  });

  it('no beginning of it is taken for the whole', () => {
    fc.assert(
      fc.property(fc.oneof(document, nastyDocument), fc.nat(), (text, cut) => {
        const prefix = text.slice(0, cut % text.length);
        expect(repairJson(prefix)).toBeUndefined();
        expect(repairJson(`\`\`\`json\n${prefix}\n\`\`\``)).toBeUndefined();
        expect(repairJson(JSON.stringify(prefix))).toBeUndefined();
      }),
      { numRuns: 2_000 },
    );
  });

  it('what is mended is valid JSON', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const repaired = repairJson(`{${text}}`);
        if (repaired !== undefined) expect(typeof JSON.parse(repaired.text)).toBe('object');
      }),
      { numRuns: 5_000 },
    );
  });

  it('five megabytes are read in a moment', () => {
    const long = `{"a": "${'x\n'.repeat(2_500_000)}",}`;
    expect((valueOf(long) as { a: string }).a).toHaveLength(5_000_000);
  });
});
