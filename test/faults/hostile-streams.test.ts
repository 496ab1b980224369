/** Streams that no honest provider sends, in every dialect: each ends in a whole message or in a failure with words, soon. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Message } from '../../src/contract/message.ts';
import type { ModelClient } from '../../src/contract/model.ts';
import { createModelClient } from '../../src/models/create-model-client.ts';
import { patienceOf, type Patience } from '../../src/models/patient-fetch.ts';
import { withRetry } from '../../src/models/with-retry.ts';
import {
  answered,
  ask,
  collect,
  createServing,
  dialectNames,
  expectAccepted,
  failure,
  key,
  services,
  user,
} from '../kit/dialect-client.ts';
import type { Turn, WireDialectName } from '../kit/model-server.ts';
import { anthropic } from '../kit/model-server/anthropic.ts';
import { gemini } from '../kit/model-server/gemini.ts';
import { openAiChat } from '../kit/model-server/openai-chat.ts';
import { openAiResponses } from '../kit/model-server/openai-responses.ts';

const { serve, close } = createServing();
afterEach(close);

const wires = { 'openai-chat': openAiChat, 'openai-responses': openAiResponses, anthropic, gemini };
const framesOf = (dialect: WireDialectName, turn: Turn) => wires[dialect].frames(turn, { model: 'm', index: 0 });
const brief: Patience = { ...patienceOf(), firstMs: 150, idleMs: 150 };

function impatient(dialect: WireDialectName, url: string, patience = brief): ModelClient {
  const { model, baseUrlName } = services[dialect];
  return createModelClient({ model, environment: { [baseUrlName]: url }, readSecret: async () => key, patience });
}

describe.each(dialectNames)('%s', (dialect) => {
  it('keeps calls apart whose ids are empty, doubled or ten thousand characters long, and sends them back in order', async () => {
    const long = 'x'.repeat(10_000);
    const calls = ['', 'a', 'a', long, long, ' ', 'ü b\n'].map((id, at) => ({
      id,
      name: 'read_file',
      input: { path: `${at}` },
    }));
    const { server, client } = await serve(dialect, [{ calls }, { text: 'ok' }]);
    const { end } = await collect(client);
    const ids = end.message.parts.flatMap((part) => (part.type === 'call' ? [part.callId] : []));
    expect(new Set(ids).size).toBe(7);
    expect(Math.max(...ids.map((id) => id.length))).toBeLessThanOrEqual(200);
    await collect(client, ask(answered(end.message, [user('Hello')])));
    expectAccepted(server);
    expect(server.requests[1]?.text.match(/result [0-6]/g)).toEqual([0, 1, 2, 3, 4, 5, 6].map((at) => `result ${at}`));
  });

  it('takes names with spaces, letters of any script and any length as they are, and sends legal ones back', async () => {
    const names = ['read file', 'läs_fil', '読む', '../x', 'n'.repeat(5_000), '__proto__', 'constructor', '{"a":1}'];
    const { server, client } = await serve(dialect, [{ calls: names.map((name) => ({ name })) }, { text: 'ok' }]);
    const { end } = await collect(client);
    expect(end.message.parts.flatMap((part) => (part.type === 'call' ? [part.tool] : []))).toEqual(names);
    await collect(client, ask(answered(end.message, [user('Hello')])));
    expectAccepted(server);
  });

  it('takes five megabytes of arguments whole', async () => {
    const content = 'heron [}"\\ü '.repeat(450_000);
    const { client } = await serve(dialect, [
      { calls: [{ name: 'read_file', input: { content } }], chunkChars: 100_000 },
    ]);
    const [call] = (await collect(client)).end.message.parts;
    expect(call?.type === 'call' && (JSON.parse(call.input) as { content: string }).content === content).toBe(true);
  });

  it.each<readonly [string, Turn]>([
    ['text', { text: 'heron '.repeat(3_000_000), chunkChars: 500_000 }],
    [
      'arguments',
      { calls: [{ name: 'read_file', input: { content: 'heron '.repeat(3_000_000) } }], chunkChars: 500_000 },
    ],
  ])('breaks off an answer with more %s than the limit, and does not ask for it again', async (_, turn) => {
    const { server } = await serve(dialect, () => turn);
    const client = impatient(dialect, server.url, { ...patienceOf(), maxAnswerChars: 16_000_000 });
    const failed = await failure(withRetry(client, { sleep: async () => undefined }));
    expect(failed).toMatchObject({ kind: 'incomplete', retryable: false });
    expect(failed.message).toContain('larger than any');
    expect(server.requests).toHaveLength(1);
    await expect.poll(() => server.openAnswers()).toBe(0);
  });

  it('twin: the same answer comes whole by the usual limit', async () => {
    const text = 'heron '.repeat(3_000_000);
    const { client } = await serve(dialect, [{ text, chunkChars: 500_000 }]);
    const answer = await collect(client);
    expect(answer.text.length).toBe(text.length);
  });

  it('breaks off one event that has no end', async () => {
    const { server, client } = await serve(dialect, [
      { rawFrames: Array.from({ length: 40 }, () => `: ${'x'.repeat(1_000_000)}`) },
    ]);
    expect((await failure(client)).message).toContain('larger than any');
    await expect.poll(() => server.openAnswers()).toBe(0);
  });

  it.each<readonly [string, Turn, 'network' | 'incomplete']>([
    ['before its first byte', { stallAfterEvents: 0 }, 'network'],
    ['in its text', { text: 'A long story', chunkChars: 2, stallAfterEvents: 8 }, 'incomplete'],
    ['in a call', { calls: [{ name: 'read_file' }], chunkChars: 2, stallAfterEvents: 1 }, 'incomplete'],
  ])('ends an answer that falls silent %s, says for how long, and leaves no connection', async (_, turn, kind) => {
    const { server } = await serve(dialect, [turn]);
    const failed = await failure(impatient(dialect, server.url));
    expect(failed).toMatchObject({ kind, retryable: true });
    expect(failed.message).toMatch(/nothing came for 0\.15 seconds.*"limits\.modelIdleSeconds"/);
    await expect.poll(() => server.openAnswers()).toBe(0);
  });

  it('twin: one that is only slow is waited for', async () => {
    const { server } = await serve(dialect, [{ text: 'At last.', chunkChars: 2, delayMs: 60 }]);
    const { text } = await collect(impatient(dialect, server.url, patienceOf(20)));
    expect(text).toBe('At last.');
  });

  it('ends a stream of empty pieces and one of signs of life alone', async () => {
    const begin = framesOf(dialect, { text: 'Hi', withoutEnd: true });
    const empty =
      begin.findLast((frame) => frame.includes('"Hi"') && !/done|stop/.test(frame))?.replace('"Hi"', '""') ?? '';
    expect(empty).not.toBe('');
    for (const frame of [empty, ': still here\n\n']) {
      const { server } = await serve(dialect, [
        { rawFrames: [...begin.slice(0, -3), ...Array.from({ length: 2_000 }, () => frame)], delayMs: 10 },
      ]);
      // A busy machine may take its time until the first piece: what is looked at here is what comes behind it.
      const patience = { ...brief, firstMs: 10_000 };
      const ended = await failure(impatient(dialect, server.url, patience));
      expect(ended).toMatchObject({ kind: 'incomplete', retryable: true });
      await expect.poll(() => server.openAnswers()).toBe(0);
    }
  });

  it.each<readonly [string, unknown]>([
    ['missing', null],
    ['negative', { input: -100, output: -5, cached: -1, reasoning: -1 }],
    ['huge', { input: 1e300, output: 1e18, cached: 1e300, reasoning: 1e18 }],
    ['text', { input: '100', output: '5', cached: '1', reasoning: '' }],
    ['parts larger than the whole', { input: 100, output: 5, cached: 900, reasoning: 80 }],
  ])('lets usage that is %s harm nothing', async (_, usage) => {
    const { client } = await serve(dialect, () => ({ text: 'Hi', usage }) as Turn);
    const end = await collect(client).then(
      (answer) => answer.end,
      (error: unknown) => {
        // What the provider's library cannot read is a failure with words, and no crash.
        expect(error).toMatchObject({ name: 'ModelFailure', kind: 'incomplete' });
        return undefined;
      },
    );
    if (end === undefined) return;
    const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens } = end.usage;
    for (const count of [inputTokens, outputTokens, cachedInputTokens, reasoningTokens]) expect(count).toSatisfy((each: number) => Number.isSafeInteger(each) && each >= 0 && each < 1e8); // prettier-ignore
    expect(cachedInputTokens).toBeLessThanOrEqual(inputTokens);
    expect(reasoningTokens).toBeLessThanOrEqual(outputTokens);
    expect(end.message.parts).toMatchObject([{ type: 'text', text: 'Hi' }]);
  });

  it('takes calls behind the final words, and reasons to end that nobody knows', async () => {
    const odd = (turn: Turn) =>
      framesOf(dialect, turn).map((frame) =>
        frame.replace(/"(finish_reason|stop_reason|finishReason)":"\w+"/, '"$1":"out_of_cheese"'),
      );
    const turns = [
      { rawFrames: odd({ text: 'That is all.', calls: [{ name: 'read_file' }] }) },
      { rawFrames: odd({ text: 'Hi' }) },
    ];
    const { client } = await serve(dialect, [...turns]);
    const { end } = await collect(client);
    expect(end.finish).toBe('calls');
    expect(end.message.parts.map(({ type }) => type)).toEqual(['text', 'call']);
    expect((await collect(client)).end).toMatchObject({ finish: 'answer', message: { parts: [{ text: 'Hi' }] } });
  });

  it('asks again when the stream was dropped in the middle of a call', async () => {
    const history: Message[] = [user('Hello')];
    const calls = [{ name: 'read_file', input: { path: 'a'.repeat(300) } }];
    const { server, client } = await serve(dialect, [
      { text: 'Looking.', calls, chunkChars: 20, cut: 'abrupt', cutAfterBytes: 1_000 },
      { calls },
    ]);
    const { end, events } = await collect(withRetry(client, { sleep: async () => undefined }), ask(history));
    expect(events.filter(({ type }) => type === 'retry')).toMatchObject([{ kind: 'incomplete' }]);
    expect(end.message.parts).toHaveLength(1);
    expect(server.requests[1]?.text).toBe(server.requests[0]?.text);
  });
});
