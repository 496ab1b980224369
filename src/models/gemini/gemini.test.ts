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

const event = (data: unknown) => `data: ${JSON.stringify(data)}\r\n\r\n`;
const parts = (...given: unknown[]) => event({ candidates: [{ content: { role: 'model', parts: given }, index: 0 }] });
const stop = (reason = 'STOP') =>
  event({ candidates: [{ finishReason: reason, index: 0 }], usageMetadata: { promptTokenCount: 1 } });

type Content = { role: string; parts: Record<string, unknown>[] };

it('sends signatures back on the call and on the text that carried them', async () => {
  const { server, client } = await serve('gemini', [
    {
      rawFrames: [
        parts({ text: 'A' }),
        parts({ text: 'B', thoughtSignature: 's-text' }),
        parts({ text: 'C' }),
        parts({ functionCall: { name: 'read_file', args: {} }, thoughtSignature: 's-call' }),
        parts({ functionCall: { name: 'read_file', args: { path: 'x' } } }),
        stop(),
      ],
    },
    { text: 'ok' },
  ]);
  const { end, text } = await collect(client);
  expect(text).toBe('ABC');
  await collect(client, ask(answered(end.message, [user('Hello')])));
  expectAccepted(server);
  const [, model] = server.requests[1]!.body.contents as Content[];
  expect(model?.parts).toMatchObject([
    { text: 'AB', thoughtSignature: 's-text' },
    { text: 'C' },
    { functionCall: { name: 'read_file' }, thoughtSignature: 's-call' },
    { functionCall: { name: 'read_file' } },
  ]);
  expect(model?.parts[1]).not.toHaveProperty('thoughtSignature');
  expect(model?.parts[3]).not.toHaveProperty('thoughtSignature');
});

it.each(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'OTHER'])(
  'takes %s without an answer for one that failed and may be repeated',
  async (reason) => {
    const { client } = await serve('gemini', [{ rawFrames: [stop(reason)] }]);
    const failed = await failure(client);
    expect(failed).toMatchObject({ kind: 'incomplete', retryable: true });
    expect(failed.message).toContain(reason);
  },
);

it('says that a blocked prompt was refused', async () => {
  const { client } = await serve('gemini', [{ rawFrames: [event({ promptFeedback: { blockReason: 'SAFETY' } })] }]);
  expect(await failure(client)).toMatchObject({ kind: 'refused', retryable: false });
});

it('asks for the summary of thoughts of models that think, and of no other', async () => {
  const { server, client } = await serve('gemini', [{ text: 'Hi' }]);
  await collect(client);
  expect(server.requests[0]?.body.generationConfig).toMatchObject({ thinkingConfig: { includeThoughts: true } });
  expect(server.requests[0]?.headers['x-goog-api-key']).toBeDefined();
  expect(server.requests[0]?.path).not.toContain('key=');
});

it('passes over chunks that carry nothing', async () => {
  const { client } = await serve('gemini', [
    { rawFrames: [event({ somethingNew: 1 }), parts({ text: 'Hi' }), stop()] },
  ]);
  expect((await collect(client)).text).toBe('Hi');
});
