import { expect, test } from 'vitest';
import type { ToolStatus } from '../../contract/handrail.ts';
import { readTypedInput } from '../../cli/chat/typed-call.ts';
import { candidatesFor } from './complete.ts';
import { readTyped } from './read-typed.ts';

const inputSchema = {
  type: 'object',
  required: ['path'],
  properties: {
    path: { type: 'string', description: 'Where to look. Anywhere.' },
    count: { type: 'integer' },
    deep: { type: 'boolean' },
    names: { type: 'array', items: { type: 'string' } },
    extra: { type: 'object' },
  },
};
const look = { name: 'look_at', aliases: ['peek'], title: 'Look', isEnabled: true, inputSchema };
const shell = { name: 'run_it', aliases: ['bash'], title: 'Run', isEnabled: true, inputSchema: { type: 'object' } };
const tools = [look, shell] as unknown as readonly ToolStatus[];

test.each([
  ['hello', 'hello'],
  ['//etc is a folder', '/etc is a folder'],
  ['\\!important', '!important'],
  ['/etc/hosts is what?', '/etc/hosts is what?'],
])('%s is a message', (text, message) => {
  expect(readTyped(text, tools)).toEqual({ kind: 'message', text: message });
});

test('a command goes to the tool for commands, whatever it is called', () => {
  expect(readTyped('!ls -la "a b"', tools)).toEqual({
    kind: 'call',
    tool: 'run_it',
    input: { command: 'ls -la "a b"' },
  });
  expect(readTyped('!ls', [])).toMatchObject({ problem: 'no-shell' });
  expect(readTyped('! ', tools)).toMatchObject({ problem: 'no-command' });
});

test('the chat in a terminal reads the same line in the same way', () => {
  const lines = [
    'src',
    'path=src count=3 deep=true',
    'path="a b" names=x names=y',
    `path='it is' extra={"a":1}`,
    '{"path":"x","count":2}',
    'path="say \\"hi\\""',
    'names=["a","b"] path=p',
  ];
  for (const line of lines) {
    expect(readTyped(`/peek ${line}`, tools)).toEqual({
      kind: 'call',
      tool: 'look_at',
      input: (readTypedInput(line, inputSchema) as { input?: unknown }).input,
    });
  }
});

test.each([
  ['/nothing', 'no-tool'],
  ['/peek {"path":', 'no-json'],
  ['/peek a b', 'no-name'],
  ['/peek path="a b', 'no-quote'],
])('%s is told as %s', (text, problem) => {
  expect(readTyped(text, tools)).toMatchObject({ kind: 'problem', problem });
});

test('names of tools and then of their arguments are offered', () => {
  expect(candidatesFor('/lo', tools).map((each) => each.text)).toEqual(['/look_at ']);
  expect(candidatesFor('/look_at path=x co', tools)).toEqual([
    { text: '/look_at path=x count=', label: 'count=', detail: '' },
  ]);
  expect(candidatesFor('/look_at pa', tools)[0]?.detail).toBe('Where to look.');
  expect(candidatesFor('look', tools)).toEqual([]);
});
