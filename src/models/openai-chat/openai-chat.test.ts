import { afterEach, expect, it } from 'vitest';
import { ask, collect, createServing, expectAccepted, failure } from '../../../test/kit/dialect-client.ts';

const { serve, close } = createServing();
afterEach(close);

const event = (data: unknown) => `data: ${JSON.stringify(data)}\n\n`;
const chunk = (delta: unknown, finish: string | null = null) =>
  event({ choices: [{ index: 0, delta, finish_reason: finish }] });
const done = 'data: [DONE]\n\n';

it('takes [DONE] for an end where a server sends no finish reason, or an empty one', async () => {
  const { client } = await serve('openai-chat', [
    { rawFrames: [chunk({ content: 'Hi' }), done] },
    { rawFrames: [chunk({ content: 'Hi' }, ''), done] },
    { rawFrames: [chunk({ content: 'Hi' }, '')] },
  ]);
  expect((await collect(client)).end).toMatchObject({ finish: 'answer', message: { parts: [{ text: 'Hi' }] } });
  expect((await collect(client)).text).toBe('Hi');
  expect((await failure(client)).kind).toBe('incomplete');
});

it('tells parallel calls apart where a server gives them all the index 0, or none at all', async () => {
  const call = (id: string | undefined, path: string, index?: number) => ({ index, id, type: 'function', function: { name: 'read_file', arguments: `{"path":"${path}"}` } }); // prettier-ignore
  const { client } = await serve('openai-chat', [
    {
      rawFrames: [
        chunk({ tool_calls: [call('a', '1', 0)] }),
        chunk({ tool_calls: [call('b', '2', 0)] }, 'tool_calls'),
        done,
      ],
    },
    { rawFrames: [chunk({ tool_calls: [call('', '1'), call(undefined, '2')] }, 'stop'), done] },
  ]);
  for (let at = 0; at < 2; at++) {
    const { end } = await collect(client);
    expect(end.finish).toBe('calls');
    expect(end.message.parts.map((part) => (part.type === 'call' ? part.input : ''))).toEqual([
      '{"path":"1"}',
      '{"path":"2"}',
    ]);
    expect(new Set(end.message.parts.map((part) => (part.type === 'call' ? part.callId : ''))).size).toBe(2);
  }
});

it('passes over events that carry nothing, and fails at what it cannot read', async () => {
  const { client } = await serve('openai-chat', [
    {
      rawFrames: [
        ': keep-alive\n\n',
        event({ type: 'ping' }),
        chunk({ content: 'Hi' }),
        event({ choices: [] }),
        chunk({}, 'stop'),
        done,
      ],
    },
    { rawFrames: [chunk({ content: 'Hi' }), 'data: {"choices": [{"del\n\n', chunk({}, 'stop'), done] },
    { rawFrames: [event({ choices: [{ delta: { content: 7 } }] }), chunk({}, 'stop'), done] },
  ]);
  expect((await collect(client)).text).toBe('Hi');
  expect((await failure(client)).kind).toBe('incomplete');
  expect((await failure(client)).kind).toBe('incomplete');
});

it('understands errors inside the stream as OpenRouter and Ollama send them', async () => {
  const { client } = await serve('openai-chat', [
    {
      rawFrames: [
        chunk({ content: 'Hi' }),
        event({
          error: { code: 502, message: 'Provider disconnected' },
          choices: [{ delta: {}, finish_reason: 'error' }],
        }),
      ],
    },
    { rawFrames: [event({ error: { message: 'model "x" not found', type: 'api_error' } })] },
    { rawFrames: [event({ error: { message: 'slow', code: 429 } })] },
  ]);
  expect(await failure(client)).toMatchObject({ kind: 'overloaded', status: 502 });
  expect((await failure(client)).kind).toBe('unknown_model');
  expect((await failure(client)).kind).toBe('rate_limit');
});

it('asks once more without stream_options where a server refuses them, and never again', async () => {
  const refusal = {
    object: 'error',
    message: { detail: [{ type: 'extra_forbidden', loc: ['body', 'stream_options'] }] },
  };
  const { server, client } = await serve('openai-chat', (body) =>
    body.stream_options ? { status: 422, body: refusal } : { text: 'Hi', usage: null },
  );
  expect((await collect(client)).text).toBe('Hi');
  expect((await collect(client)).text).toBe('Hi');
  expect(server.requests.map(({ body }) => body.stream_options !== undefined)).toEqual([true, false, false]);
  expect(server.requests[1]?.body).toEqual({ ...server.requests[0]?.body, stream_options: undefined });
});

it('sends a limit only when it is asked for', async () => {
  const { server, client } = await serve('openai-chat', () => ({ text: 'Hi' }));
  await collect(client);
  await collect(client, { ...ask(), maxOutputTokens: 77 });
  expect(server.requests.map(({ body }) => body.max_tokens)).toEqual([undefined, 77]);
  expectAccepted(server);
});
