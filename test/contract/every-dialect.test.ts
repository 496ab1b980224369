/** What holds for every dialect: one suite, four providers that complain as the true ones do. */
import { afterEach, describe, expect, it } from 'vitest';
import type { AssistantMessage, Message } from '../../src/contract/message.ts';
import {
  answered,
  ask,
  collect,
  createServing,
  dialectNames,
  expectAccepted,
  failure,
  image,
  readFile,
  user,
} from '../kit/dialect-client.ts';
import type { Turn } from '../kit/model-server.ts';

const { serve, close } = createServing();
afterEach(close);

/** As if another model had said it. */
function foreign(part: AssistantMessage['parts'][number]): AssistantMessage['parts'][number] {
  if (!part.providerData) return part;
  return { ...part, providerData: { ...part.providerData, model: 'other/model' } };
}

describe.each(dialectNames)('%s', (dialect) => {
  it('streams text and ends with the whole answer and its usage', async () => {
    const turn: Turn = {
      text: 'Grüße aus 🦊 Handrail, in several pieces.',
      chunkChars: 5,
      usage: { input: 120, output: 30, cached: 40, reasoning: 10 },
    };
    const { server, client } = await serve(dialect, [turn]);
    const { text, end, events } = await collect(client);
    expect(text).toBe(turn.text);
    expect(events.length).toBeGreaterThan(3);
    expect(end.finish).toBe('answer');
    expect(end.message.parts.map((part) => part.type === 'text' && part.text)).toEqual([turn.text]);
    expect(end.usage).toMatchObject({ inputTokens: 120, outputTokens: 30, cachedInputTokens: 40 });
    // Anthropic reports its reasoning as part of the output only.
    expect(end.usage.reasoningTokens).toBe(dialect === 'anthropic' ? 0 : 10);
    expectAccepted(server);
  });

  it('counts zero where no usage is reported', async () => {
    const { client } = await serve(dialect, [{ text: 'Hi', usage: null }]);
    const { end } = await collect(client);
    expect(end.usage).toEqual({ inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0 });
  });

  it('sends reasoning and its signature back to the same model, and to no other', async () => {
    const first: Turn = { reasoning: 'Think first.', signature: 'c2lnbmVkLWJ5LW1l', calls: [{ name: 'read_file' }] };
    const { server, client } = await serve(dialect, [first, { text: 'Done.' }]);
    const { end, reasoning } = await collect(client);
    expect(reasoning).toBe('Think first.');
    expect(end.finish).toBe('calls');
    const history = answered(end.message, [user('Hello')]);
    // Stored as JSON between two turns, as the journal does it.
    await collect(client, ask(JSON.parse(JSON.stringify(history)) as Message[]));
    expectAccepted(server);
    expect(server.requests[1]?.text).toContain(dialect === 'openai-chat' ? 'Think first.' : 'c2lnbmVkLWJ5LW1l');

    for (const other of dialectNames) {
      const elsewhere = await serve(other, [{ text: 'Done.' }]);
      const stranger: AssistantMessage = { role: 'assistant', parts: end.message.parts.map(foreign) };
      await collect(elsewhere.client, ask(answered(stranger, [user('Hello')])));
      expectAccepted(elsewhere.server);
      expect(elsewhere.server.requests[0]?.text).not.toContain('c2lnbmVkLWJ5LW1l');
      expect(elsewhere.server.requests[0]?.text).not.toContain('Think first.');
    }
  });

  it('reads one call with its arguments as the model wrote them', async () => {
    const rawInput = dialect === 'gemini' ? '{"path":"a b.txt"}' : '{ "path" : "a b.txt" }';
    const { server, client } = await serve(dialect, [
      { text: 'Looking.', calls: [{ name: 'read_file', rawInput }] },
      { text: 'ok' },
    ]);
    const { end } = await collect(client);
    expect(end.finish).toBe('calls');
    const call = end.message.parts.find((part) => part.type === 'call');
    expect(call).toMatchObject({ tool: 'read_file', input: rawInput });
    await collect(client, ask(answered(end.message, [user('Hello')])));
    expectAccepted(server);
  });

  it('[K69] reads eight parallel calls in their order and sends eight results', async () => {
    const calls = Array.from({ length: 8 }, (_, at) => ({ name: 'read_file', input: { path: `${at}.txt` } }));
    const { server, client } = await serve(dialect, [{ calls, chunkChars: 3 }, { text: 'ok' }]);
    const { end } = await collect(client);
    const read = end.message.parts.filter((part) => part.type === 'call');
    expect(read.map((call) => JSON.parse(call.input) as unknown)).toEqual(calls.map((call) => call.input));
    expect(new Set(read.map((call) => call.callId)).size).toBe(8);
    await collect(client, ask(answered(end.message, [user('Hello')])));
    expectAccepted(server);
    expect(server.requests[1]?.text.match(/result [0-7]/g)).toHaveLength(8);
  });

  it('replaces empty and repeated call ids', async () => {
    const calls = ['', 'same', 'same', ''].map((id, at) => ({ id, name: 'read_file', input: { path: `${at}` } }));
    const { server, client } = await serve(dialect, [{ calls }, { calls }, { text: 'ok' }]);
    const first = await collect(client);
    let history = answered(first.end.message, [user('Hello')]);
    const second = await collect(client, ask(history));
    history = answered(second.end.message, history);
    await collect(client, ask(history));
    const ids = history.flatMap((message) => (message.role === 'assistant' ? message.parts : []))
      .map((part) => (part.type === 'call' ? part.callId : '')); // prettier-ignore
    expect(ids.every((id) => id !== '')).toBe(true);
    expect(new Set(ids).size).toBe(8);
    expectAccepted(server);
  });

  it('sends illegal tool names, foreign ids and broken arguments of the history in a form that is accepted', async () => {
    const call = (callId: string, tool: string, input: string) => ({ type: 'call' as const, callId, tool, input });
    const message: AssistantMessage = {
      role: 'assistant',
      parts: [
        call('functions.bash:0', 'bash && rm -rf', '{"command": "ls'),
        call('', '', '[1, 2]'),
        call('x'.repeat(90), '9läuft'.repeat(20), ''),
        call('d', 'read_file', '{"path":"\\ud800", "__proto__": {"a": 1}}'),
      ],
    };
    const { server, client } = await serve(dialect, [{ text: 'ok' }]);
    await collect(client, ask(answered(message, [user('Hello')])));
    expectAccepted(server);
    expect(server.requests[0]?.text).toContain('invalid_arguments');
  });

  it('lets no call without a result, result without a call, or empty message reach the provider', async () => {
    const { server, client } = await serve(dialect, [{ text: 'ok' }]);
    const messages: Message[] = [
      { role: 'tool', results: [{ callId: 'gone', tool: 'read_file', text: 'late', isError: false }] },
      { role: 'assistant', parts: [{ type: 'text', text: 'I begin.' }] },
      user('One'),
      user('Two'),
      { role: 'assistant', parts: [] },
      { role: 'assistant', parts: [{ type: 'text', text: ' \n' }] },
      { role: 'assistant', parts: [{ type: 'call', callId: 'a', tool: 'read_file', input: '{}' }] },
      { role: 'assistant', parts: [{ type: 'text', text: 'Half \ud83d of a fox' }] },
      user(''),
    ];
    await collect(client, ask(messages));
    expectAccepted(server);
    expect(server.requests[0]?.text).toContain('No result was recorded');
    expect(server.requests[0]?.text).not.toContain('late');
  });

  it('sends images of users and of results', async () => {
    const { server, client } = await serve(dialect, [
      { calls: [{ name: 'read_file' }, { name: 'read_file' }] },
      { text: 'A dot.' },
    ]);
    const question: Message = { role: 'user', parts: [{ type: 'text', text: 'What is it?' }, image] };
    const { end } = await collect(client, ask([question]));
    await collect(client, ask(answered(end.message, [question], { images: [image] })));
    expectAccepted(server);
    expect(server.requests[0]?.text.split(image.data)).toHaveLength(2);
    expect(server.requests[1]?.text.split(image.data)).toHaveLength(4);
    // As an image, not as text that looks like one.
    expect(server.requests[1]?.text).not.toContain(`\\"${image.data}`);
  });

  it('keeps the beginning of the request unchanged while the history grows', async () => {
    const { server, client } = await serve(dialect, (_, index) => (index < 6 ? { calls: [{ name: 'read_file', input: { path: `${index}` } }] } : { text: 'ok' })); // prettier-ignore
    let history: Message[] = [user('Hello')];
    for (let round = 0; round < 6; round++)
      history = answered((await collect(client, ask(history))).end.message, history);
    await collect(client, ask(history));
    expectAccepted(server);
    const bodies = server.requests.map(({ body }) => body.messages ?? body.input ?? body.contents) as unknown[][];
    const plain = bodies.map((items) => items.map((item) => JSON.stringify(item, (name, value: unknown) => (name === 'cache_control' ? undefined : value)))); // prettier-ignore
    for (const [at, items] of plain.entries()) {
      expect(plain[at + 1]?.slice(0, items.length) ?? items).toEqual(items);
    }
  });

  it('[K02][E01] sends name, description and schema of each tool unchanged, and no tools when there are none', async () => {
    const { server, client } = await serve(dialect, [{ text: 'ok' }, { text: 'ok' }]);
    await collect(client);
    await collect(client, ask(undefined, []));
    const body = server.requests[0]?.body as { tools: Record<string, unknown>[] };
    const sent = [body.tools[0], body.tools[0]?.function, (body.tools[0]?.functionDeclarations as unknown[])?.[0]].find(
      (each) => (each as { name?: string })?.name === 'read_file',
    ) as Record<string, unknown>;
    expect(sent.description).toBe(readFile.description);
    expect(sent.parameters ?? sent.input_schema ?? sent.parametersJsonSchema).toEqual(readFile.inputSchema);
    expect(server.requests[1]?.text).not.toMatch(/"tools?(?:_choice|Config)?":/);
    expectAccepted(server);
  });

  it('stops within 200 ms in the middle of a stream and leaves no connection open', async () => {
    const { server, client } = await serve(dialect, [
      { text: 'A long story that never ends', chunkChars: 2, stallAfterEvents: 9 },
    ]);
    const stop = new AbortController();
    let stoppedAt = 0;
    const reading = (async () => {
      for await (const event of client.stream(ask(), stop.signal)) {
        if (event.type !== 'text-delta' || stoppedAt > 0) continue;
        stoppedAt = performance.now();
        stop.abort(new Error('the user pressed Stop'));
      }
    })();
    await expect(reading).rejects.toMatchObject({ name: 'ModelFailure', kind: 'cancelled' });
    expect(stoppedAt).toBeGreaterThan(0);
    expect(performance.now() - stoppedAt).toBeLessThan(200);
    await expect.poll(() => server.openAnswers()).toBe(0);
    expect((await failure(client, ask(), stop.signal)).kind).toBe('cancelled');
  });

  it('closes the connection when the reader leaves early', async () => {
    const { server, client } = await serve(dialect, [
      { text: 'A long story that never ends', chunkChars: 2, stallAfterEvents: 9 },
    ]);
    for await (const event of client.stream(ask(), new AbortController().signal))
      if (event.type === 'text-delta') break;
    await expect.poll(() => server.openAnswers()).toBe(0);
  });
});
