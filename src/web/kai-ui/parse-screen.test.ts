import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allNodes, inputsOf, parseScreen } from './parse-screen.ts';
import { answerMessage, lastScreenText, readAnswer } from './screen-answer.ts';

const trip = JSON.stringify({
  type: 'column',
  children: [
    { type: 'text', text: 'Your weekend', style: 'title' },
    { type: 'select', id: 'who', label: 'Travellers', options: ['1 adult', '2 adults'], value: '2 adults' },
    { type: 'slider', id: 'km', label: 'Walking', min: 2, max: 20, value: 8, unit: 'km' },
    {
      type: 'chip_group',
      id: 'likes',
      label: 'Likes',
      multiple: true,
      options: ['Coffee', 'Castles'],
      value: ['Coffee'],
    },
    { type: 'button', label: 'Plan', action: { type: 'callback', event: 'plan', data: { days: 2 } } },
  ],
});

test('[K93] a screen is read with its title and its inputs', () => {
  const screen = parseScreen(trip);
  expect(screen?.title).toBe('Your weekend');
  expect(screen && inputsOf(screen).map(({ id, value }) => [id, value])).toEqual([
    ['who', '2 adults'],
    ['km', 8],
    ['likes', ['Coffee']],
  ]);
});

test.each([
  ['one object per line', '{"type":"text","text":"a"}\n{"type":"button","label":"b"}', ['text', 'button']],
  ['a list', '[{"type":"text","text":"a"},{"type":"divider"}]', ['text', 'divider']],
  ['a wrapper', '{"ui":{"type":"text","text":"a"}}', ['text']],
  [
    'trailing commas and comments',
    '{"type":"row", // row\n "children":[{"type":"text","text":"a",},],}',
    ['row', 'text'],
  ],
  ['single quotes and bare keys', "{type: 'text', text: 'it\\'s'}", ['text']],
  ['typographic quotes', '{“type”: “text”, “text”: “a”}', ['text']],
  [
    'a missing end',
    '{"type":"column","children":[{"type":"text","text":"a"},{"type":"button","label":"b"',
    ['column', 'text', 'button'],
  ],
  ['a bracket of the wrong kind', '{"type":"column","children":[{"type":"text","text":"a"}}', ['column', 'text']],
  [
    'names of other systems',
    '{"type":"VStack","items":[{"type":"TextField","label":"n"},{"type":"Heading","text":"h"}]}',
    ['column', 'text_input', 'text'],
  ],
  [
    'text alone among nodes',
    '{"type":"column","children":["a",{"type":"nonsense"},null,3]}',
    ['column', 'text', 'text'],
  ],
])('[K93] %s can be read', (_name, text, types) => {
  expect(allNodes(parseScreen(text)?.nodes ?? []).map(({ type }) => type)).toEqual(types);
});

test.each(['', 'hello', '42', '"text"', '{}', '[]', '{"type":"nonsense"}', '<div>', '{"a":1}'])(
  '[K93] %j describes no screen and stays code',
  (text) => {
    expect(parseScreen(text)).toBeUndefined();
  },
);

test('[K93] no text makes reading fail, and none takes long', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '"', "'", ':', ',', '\\', 'a', '1', '/', '*', '\n') }),
      ),
      (text) => {
        parseScreen(text);
      },
    ),
  );
  // A reading that looks at everything again and again would take minutes, and the test's own limit ends it.
  for (const text of ['['.repeat(150_000), '{"a":'.repeat(30_000), "'".repeat(150_000), ','.repeat(150_000)])
    parseScreen(text);
});

test('[K93] a screen that streams in is a screen at every character once a node is there', () => {
  const whole = allNodes(parseScreen(trip)?.nodes ?? []).length;
  let most = 0;
  for (let length = 1; length <= trip.length; length += 1) {
    const count = allNodes(parseScreen(trip.slice(0, length))?.nodes ?? []).length;
    most = Math.max(most, count);
    expect(count).toBeLessThanOrEqual(whole);
  }
  expect(most).toBe(whole);
});

test('a key that names a part of every object is a key', () => {
  expect(parseScreen('{"type":"text","text":"a","__proto__":{"isHidden":true},"constructor":"x"')?.nodes).toEqual([
    { type: 'text', text: 'a', style: 'body' },
  ]);
  expect(({} as Record<string, unknown>)['isHidden']).toBeUndefined();
});

test('[K93] a pressed button says its words, its event and what was entered, and is read again', () => {
  const screen = parseScreen(trip);
  if (screen === undefined) throw new Error('no screen');
  const action = { type: 'callback', event: 'plan', data: { days: 2 } } as const;
  const message = answerMessage(screen, action, 'Plan', new Map([['km', 12]]));
  expect(message.startsWith('Plan\n')).toBe(true);
  expect(readAnswer(message)).toEqual({
    label: 'Plan',
    event: 'plan',
    data: { days: 2 },
    values: { who: '2 adults', km: 12, likes: ['Coffee'] },
  });
  const some = answerMessage(screen, { ...action, collectFrom: ['who'] }, 'Plan', new Map());
  expect(readAnswer(some)?.values).toEqual({ who: '2 adults' });
  expect(readAnswer('Plan')).toBeUndefined();
  expect(readAnswer('Plan\n```kai-ui-answer\n{broken\n```')).toBeUndefined();
});

test('the last screen of a text is found, whole or still coming', () => {
  expect(lastScreenText('Hello')).toBeUndefined();
  expect(lastScreenText('Hi\n```kai-ui\n{"a":1}\n```\nBye')).toEqual({ text: '{"a":1}\n', isWhole: true });
  expect(lastScreenText('```kai-ui\n{"a"')).toEqual({ text: '{"a"', isWhole: false });
  expect(lastScreenText('said ```kai-ui\nno')).toBeUndefined();
});
