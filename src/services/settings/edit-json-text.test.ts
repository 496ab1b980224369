import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editJsonText } from './edit-json-text.ts';

const byHand = `{
    "model":   "openai/gpt",   
    "permissions": { "deny": ["bash(rm *)"], "ask": [] },

    "limits": {
        "rounds": 3
    },
    "tools": {"allowed": [ "a",
       "b" ]}
}
`;

test('a value is changed where it stands, and nothing else of the text', () => {
  const texts: readonly [readonly string[], unknown, string, string][] = [
    [['limits', 'rounds'], 7, '"rounds": 3', '"rounds": 7'],
    [['permissions', 'ask'], ['x'], '"ask": []', '"ask": ["x"]'],
    [['tools', 'allowed'], [], '[ "a",\n       "b" ]', '[]'],
    [['model'], 'a/b', '"openai/gpt"', '"a/b"'],
  ];
  for (const [path, value, before, after] of texts)
    expect(editJsonText(byHand, path, value)).toBe(byHand.replace(before, after));
});

test('a new key stands behind the others, as they stand: in lines, or on one', () => {
  expect(editJsonText(byHand, ['limits', 'modelRetries'], 1)).toBe(
    byHand.replace('"rounds": 3', '"rounds": 3,\n        "modelRetries": 1'),
  );
  expect(editJsonText(byHand, ['permissions', 'allow'], ['a'])).toBe(
    byHand.replace('"ask": []', '"ask": [], "allow": ["a"]'),
  );
  expect(editJsonText(byHand, ['sandbox', 'network'], { mode: 'off' })).toBe(
    byHand.replace(
      '"b" ]}',
      '"b" ]},\n    "sandbox": {\n        "network": {\n            "mode": "off"\n        }\n    }',
    ),
  );
  expect(editJsonText('{}', ['a', 'b'], true)).toBe('{\n  "a": {\n    "b": true\n  }\n}');
});

test('a key that goes leaves no comma and no empty braces of its own', () => {
  expect(editJsonText(byHand, ['limits', 'rounds'], undefined)).toBe(
    byHand.replace('"limits": {\n        "rounds": 3\n    },\n    ', '').replace('\n\n    "tools"', '\n    "tools"'),
  );
  expect(editJsonText(byHand, ['permissions', 'deny'], undefined)).toBe(byHand.replace('"deny": ["bash(rm *)"], ', ''));
  expect(editJsonText('{ "a": {"b": {"c": 1}} }', ['a', 'b', 'c'], undefined)).toBe('{}');
  expect(editJsonText(byHand, ['nothing', 'here'], undefined)).toBe(byHand);
});

test('whatever the text is, the value is there afterwards and all others are what they were', () => {
  const values = fc.jsonValue({ maxDepth: 3 }).filter((value) => value !== undefined);
  const objects = fc.dictionary(fc.string(), values, { maxKeys: 5 });
  const paths = fc.array(fc.string(), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(objects, paths, values, fc.constantFrom(undefined, '\t', 3), (object, path, value, indent) => {
      const text = JSON.stringify(object, undefined, indent);
      const wanted = JSON.parse(JSON.stringify(object)) as Record<string, unknown>;
      put(wanted, path, value);
      expect(JSON.parse(editJsonText(text, path, value))).toEqual(JSON.parse(JSON.stringify(wanted)));
      const gone = JSON.parse(editJsonText(editJsonText(text, path, 0), path, undefined)) as unknown;
      expect(at(gone, path)).toBeUndefined();
    }),
  );
});

function put(object: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  const inner = Object.hasOwn(object, name) ? object[name] : undefined;
  const isObject = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
  const next = isObject ? (inner as Record<string, unknown>) : {};
  if (rest.length > 0) put(next, rest, value);
  Object.defineProperty(object, name, {
    value: rest.length > 0 ? next : value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => {
    const isObject = typeof inner === 'object' && inner !== null && Object.hasOwn(inner, name);
    return isObject ? (inner as Record<string, unknown>)[name] : undefined;
  }, value);
}
