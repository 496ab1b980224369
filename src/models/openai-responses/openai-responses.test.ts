import { afterEach, expect, it } from 'vitest';
import { createModelClient } from '../create-model-client.ts';
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

it('keeps nothing on the server and asks for encrypted reasoning', async () => {
  const { server, client } = await serve('openai-responses', [{ text: 'Hi' }]);
  await collect(client);
  expect(server.requests[0]?.body).toMatchObject({
    store: false,
    include: ['reasoning.encrypted_content'],
    stream: true,
  });
});

it('asks models that do not reason for none, which they would refuse', async () => {
  const { server } = await serve('openai-responses', [{ text: 'Hi' }]);
  const environment = { OPENAI_BASE_URL: server.url };
  await collect(createModelClient({ model: 'openai/gpt-4o', environment, readSecret: async () => 'k' }));
  expect(server.requests[0]?.body.include).toBeUndefined();
});

it('sends reasoning back whole, without a summary too', async () => {
  const { server, client } = await serve('openai-responses', [
    { signature: 'only-encrypted', calls: [{ name: 'read_file' }] },
    { reasoning: 'In short.', signature: 'with-summary', text: 'ok' },
    { text: 'ok' },
  ]);
  let history = [user('Hello')];
  history = answered((await collect(client)).end.message, history);
  history = [...history, (await collect(client, ask(history))).end.message, user('More')];
  await collect(client, ask(history));
  expectAccepted(server);
  const items = (server.requests[2]!.body.input as { type?: string }[]).filter((item) => item.type === 'reasoning');
  expect(items).toEqual([
    { type: 'reasoning', id: 'rs_0', summary: [], encrypted_content: 'only-encrypted' },
    {
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: 'In short.' }],
      encrypted_content: 'with-summary',
    },
  ]);
});

it('leaves optional parameters of a tool optional', async () => {
  const { server, client } = await serve('openai-responses', [{ text: 'Hi' }]);
  await collect(client);
  expect((server.requests[0]!.body.tools as { strict: boolean }[])[0]?.strict).toBe(false);
});

it('passes over events that it does not know, and reads an error event of either kind', async () => {
  const whole = [
    event({ type: 'response.created', response: { id: 'r', created_at: 1, model: 'm' } }),
    event({ type: 'response.weather', report: 'sunny' }),
    event({ type: 'response.completed', response: { usage: { input_tokens: 1, output_tokens: 1 } } }),
  ];
  const { client } = await serve('openai-responses', [
    { rawFrames: whole },
    {
      rawFrames: [
        whole[0] ?? '',
        event({ type: 'error', code: 'rate_limit_exceeded', message: 'slow', param: null, sequence_number: 1 }),
      ],
    },
    {
      rawFrames: [
        whole[0] ?? '',
        event({ type: 'response.failed', response: { error: { code: 'context_length_exceeded', message: 'long' } } }),
      ],
    },
  ]);
  expect((await collect(client)).end).toMatchObject({ finish: 'answer', message: { parts: [] } });
  expect((await failure(client)).kind).toBe('rate_limit');
  expect((await failure(client)).kind).toBe('context_overflow');
});
