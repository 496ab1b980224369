import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider';
import { expect, test } from 'vitest';
import { createGrowingBody } from './growing-body.ts';

const says = (role: 'user' | 'assistant', text: string): LanguageModelV4Message => ({
  role,
  content: [{ type: 'text', text }],
});
const system: LanguageModelV4Message = { role: 'system', content: 'Be good.' };

/** As an SDK does it: converts what it is given, writes it, posts it. */
function createSender(hasSystemInList = true) {
  const bodies: string[] = [];
  const converted: string[][] = [];
  const body = createGrowingBody(
    async (_, init) => {
      const text = await new Response(init?.body).text();
      expect(new Headers(init?.headers).get('content-length')).toBe(String(Buffer.byteLength(text)));
      bodies.push(text);
      return new Response('');
    },
    { listKey: 'messages', hasSystemInList },
  );
  const textOf = (message: LanguageModelV4Message) =>
    message.content[0] instanceof Object && 'text' in message.content[0] ? message.content[0].text : 'system';
  const prepare = (prompt: LanguageModelV4Message[]): LanguageModelV4CallOptions =>
    body.prepare({ prompt, abortSignal: new AbortController().signal });
  const post = async ({ prompt, abortSignal }: LanguageModelV4CallOptions, tools = 'tools "messages":[ ü') => {
    converted.push(prompt.map(textOf));
    const messages = prompt.filter(({ role }) => hasSystemInList || role !== 'system').map(textOf);
    await body.fetch('http://x', {
      body: JSON.stringify({ model: 'm', messages, tools }),
      signal: abortSignal ?? null,
    });
  };
  const lists = () => bodies.map((each) => (JSON.parse(each) as { messages: string[] }).messages);
  return {
    prepare,
    post,
    send: async (prompt: LanguageModelV4Message[]) => post(prepare(prompt)),
    bodies,
    converted,
    lists,
  };
}

const [one, two, three, four, five] = [
  says('user', 'one "\\ ü'),
  says('assistant', 'two'),
  says('user', 'three'),
  says('assistant', 'four'),
  says('user', 'five'),
] as const;

test('what was sent before is not converted again, and goes out before what is new', async () => {
  const sender = createSender();
  await sender.send([system, one]);
  await sender.send([system, one, two, three]);
  await sender.send([system, one, two, three, four, five]);
  expect(sender.converted).toEqual([
    ['system', 'one "\\ ü'],
    ['two', 'three'],
    ['four', 'five'],
  ]);
  expect(sender.lists()).toEqual([
    ['system', 'one "\\ ü'],
    ['system', 'one "\\ ü', 'two', 'three'],
    ['system', 'one "\\ ü', 'two', 'three', 'four', 'five'],
  ]);
  expect(JSON.parse(sender.bodies[2] ?? '')).toMatchObject({ model: 'm', tools: 'tools "messages":[ ü' });
});

test('a system prompt that has a place of its own is converted each time', async () => {
  const sender = createSender(false);
  await sender.send([system, one]);
  await sender.send([system, one, two, three]);
  expect(sender.converted).toEqual([
    ['system', 'one "\\ ü'],
    ['system', 'two', 'three'],
  ]);
  expect(sender.lists()[1]).toEqual(['one "\\ ü', 'two', 'three']);
});

test('another history, a changed or a shorter one, and one that goes on with what the user says, is converted whole', async () => {
  const sender = createSender();
  const prompts = [
    [one, two, three],
    [one, says('assistant', 'two, differently'), three, four, five],
    [one],
    [one],
    [one, three],
    [{ ...system, content: 'Be better.' } as const, one],
  ];
  for (const prompt of prompts) await sender.send(prompt);
  expect(sender.converted.map(({ length }) => length)).toEqual(prompts.map(({ length }) => length));
  expect(sender.lists()).toEqual(sender.converted);
});

test('two requests that go on from the same one do not get into one another', async () => {
  const sender = createSender();
  await sender.send([one]);
  const left = sender.prepare([one, two, three]);
  const right = sender.prepare([one, four, five]);
  await sender.post(left);
  await sender.post(right);
  await sender.post(left, 'again');
  await sender.send([one, two, three, four, five]);
  expect(sender.lists()).toEqual([
    ['one "\\ ü'],
    ['one "\\ ü', 'two', 'three'],
    ['one "\\ ü', 'four', 'five'],
    ['one "\\ ü', 'two', 'three'],
    ['one "\\ ü', 'two', 'three', 'four', 'five'],
  ]);
});
