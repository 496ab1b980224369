import { afterEach, expect, it } from 'vitest';
import {
  answered,
  ask,
  collect,
  createServing,
  expectAccepted,
  failure,
  user,
} from '../../../test/kit/dialect-client.ts';

const { serve, close } = createServing();
afterEach(close);

const event = (data: { type: string; [key: string]: unknown }) =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const begin = event({
  type: 'message_start',
  message: {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'c',
    content: [],
    usage: { input_tokens: 3, output_tokens: 1 },
  },
});
const text = [
  event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
  event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } }),
  event({ type: 'content_block_stop', index: 0 }),
];
const stop = [
  event({
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens: 2 },
  }),
  event({ type: 'message_stop' }),
];

it('sends blocks of reasoning that nobody may read back as they came', async () => {
  const first = { reasoning: 'Think.', signature: 'sig-1', redacted: 'cmVkYWN0ZWQ=', calls: [{ name: 'read_file' }] };
  const { server, client } = await serve('anthropic', [first, { text: 'ok' }]);
  const { end } = await collect(client);
  await collect(client, ask(answered(end.message, [user('Hello')])));
  expectAccepted(server);
  const [, assistant] = server.requests[1]!.body.messages as { content: unknown[] }[];
  expect(assistant?.content.slice(0, 2)).toEqual([
    { type: 'thinking', thinking: 'Think.', signature: 'sig-1' },
    { type: 'redacted_thinking', data: 'cmVkYWN0ZWQ=' },
  ]);
});

it('marks tools, system, the last message and the one before the last answer for the cache', async () => {
  const { server, client } = await serve('anthropic', [{ calls: [{ name: 'read_file' }] }, { text: 'ok' }]);
  const { end } = await collect(client);
  await collect(client, ask(answered(end.message, [user('Hello')])));
  const mark = { type: 'ephemeral' };
  for (const { body } of server.requests) {
    expect((body.tools as { cache_control: unknown }[]).at(-1)?.cache_control).toEqual(mark);
    expect((body.system as { cache_control: unknown }[]).at(-1)?.cache_control).toEqual(mark);
    const contents = (body.messages as { role: string; content: { cache_control?: unknown }[] }[]).filter(
      ({ role }) => role === 'user',
    );
    for (const { content } of contents) expect(content.at(-1)?.cache_control).toEqual(mark);
  }
  expectAccepted(server);
});

it('marks a result that failed', async () => {
  const { server, client } = await serve('anthropic', [{ calls: [{ name: 'read_file' }] }, { text: 'ok' }]);
  const { end } = await collect(client);
  await collect(client, ask(answered(end.message, [user('Hello')], { isError: true })));
  expect(server.requests[1]?.text).toContain('"is_error":true');
});

it('passes over events of a kind that does not exist yet', async () => {
  const unknown = [event({ type: 'weather_report', text: 'sunny' }), event({ type: 'ping' })];
  const { client } = await serve('anthropic', [{ rawFrames: [begin, ...unknown, ...text, ...unknown, ...stop] }]);
  const { end } = await collect(client);
  expect(end).toMatchObject({
    finish: 'answer',
    message: { parts: [{ type: 'text', text: 'Hi' }] },
    usage: { inputTokens: 3, outputTokens: 2 },
  });
});

it('is not content with a stop reason that no message_stop followed', async () => {
  const { client } = await serve('anthropic', [
    { rawFrames: [begin, ...text, ...stop.slice(0, 1)] },
    { rawFrames: [begin, ...stop.slice(0, 1)] },
  ]);
  expect((await failure(client)).kind).toBe('incomplete');
  expect((await failure(client)).kind).toBe('incomplete');
});

it('sends the limit that the API wants, at most what the model can', async () => {
  const { server, client } = await serve('anthropic', () => ({ text: 'Hi' }));
  await collect(client);
  await collect(client, { ...ask(), maxOutputTokens: 5 });
  expect(server.requests.map(({ body }) => body.max_tokens)).toEqual([32_000, 5]);
});

it('sends no header and no field that only a beta knows', async () => {
  const { server, client } = await serve('anthropic', [{ text: 'Hi' }]);
  await collect(client);
  expect(server.requests[0]?.headers['anthropic-beta']).toBeUndefined();
  expectAccepted(server);
});
