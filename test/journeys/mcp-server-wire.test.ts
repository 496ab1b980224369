/** `handrail mcp` against what no well-behaved client sends: broken, giant and forged messages, and clients that vanish. */
import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { isAlive } from '../kit/mcp-connection.ts';
import { initialize, initialized, modern, openWire, type Wire } from '../kit/mcp-wire.ts';

const opened: Wire[] = [];

afterEach(async () => {
  const wires = opened.splice(0);
  for (const wire of wires) {
    await wire.end();
    if (/^\s+at /mu.test(wire.stderr())) throw new Error(`a stack trace on stderr: ${wire.stderr()}`);
    if (isAlive(wire.child.pid ?? 0)) throw new Error('the server outlived its client');
  }
});

function open(...args: string[]): Wire {
  const wire = openWire(args);
  opened.push(wire);
  return wire;
}

const call = (id: number, name: string, input: object = {}) => ({
  id,
  method: 'tools/call',
  params: { name, arguments: input },
});
const textOf = (message: { result?: Readonly<Record<string, unknown>> }) =>
  (message.result?.['content'] as { text: string }[] | undefined)?.[0]?.text;

describe('broken messages', () => {
  test.each([
    ['not JSON', 'Traceback (most recent call last):\n', -32_700],
    ['cut off', '{"jsonrpc":"2.0","id":7,"meth\n', -32_700],
    ['a batch', '[{"jsonrpc":"2.0","id":7,"method":"ping"}]\n', -32_600],
    ['no JSON-RPC', '{"hello":"world"}\n', -32_600],
    ['a bare null', 'null\n', -32_600],
  ])('a line that is %s is answered with an error, and the connection goes on', async (_name, line, code) => {
    const wire = open();
    wire.send(line, initialize(), initialized, line, call(1, 'say', { text: 'on' }));
    expect((await wire.answerTo(null)).error?.code).toBe(code);
    expect(textOf(await wire.answerTo(1))).toBe('on');
  });

  test('invalid UTF-8 is refused by its id, instead of being written into a file as something else', async () => {
    const wire = open();
    const line = Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', ...call(5, 'say', { text: 'a~b' }) })}\n`);
    line[line.indexOf('~')] = 0xff;
    wire.send(initialize(), initialized, line, call(6, 'say', { text: 'on' }));
    expect((await wire.answerTo(5)).error).toMatchObject({ code: -32_700, message: expect.stringContaining('UTF-8') });
    expect(textOf(await wire.answerTo(6))).toBe('on');
  });

  test('an unknown method, an unknown cursor and arguments that are no object are protocol errors', async () => {
    const wire = open();
    wire.send(
      initialize(),
      initialized,
      { id: 1, method: 'no/such' },
      { id: 2, method: 'tools/list', params: { cursor: 'x' } },
    );
    wire.send(
      { id: 3, method: 'tools/call', params: { name: 'say', arguments: 'rm -rf' } },
      { id: 4, method: 'tools/call' },
    );
    expect((await wire.answerTo(1)).error?.code).toBe(-32_601);
    expect((await wire.answerTo(2)).error?.code).toBe(-32_602);
    expect((await wire.answerTo(3)).error?.code).toBe(-32_602);
    expect((await wire.answerTo(4)).error?.code).toBe(-32_602);
  });

  test('a message of 10 MB arrives whole, and one of 40 MB is refused by its id', async () => {
    const wire = open();
    const tenMegabytes = 'x'.repeat(10 * 1024 * 1024);
    wire.send(initialize(), initialized, call(1, 'say', { text: tenMegabytes }));
    expect(textOf(await wire.answerTo(1))?.length).toBe(tenMegabytes.length);
    wire.send(call(2, 'say', { text: tenMegabytes.repeat(4) }), call(3, 'say', { text: 'on' }));
    expect((await wire.answerTo(2)).error?.message).toMatch(/is over the limit/u);
    expect(textOf(await wire.answerTo(3))).toBe('on');
  });

  test('arguments nested a hundred thousand deep end in an answer, not in a crash', async () => {
    const wire = open();
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    wire.send(initialize(), initialized);
    wire.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say","arguments":{"text":${deep}}}}\n`);
    wire.send(call(2, 'say', { text: 'on' }));
    await wire.answerTo(1);
    expect(textOf(await wire.answerTo(2))).toBe('on');
  });
});

describe('clients that vanish', () => {
  test('what was piped in is answered before the program ends with 0', async () => {
    const wire = open();
    wire.send(
      initialize(),
      initialized,
      call(1, 'say', { text: 'one' }),
      JSON.stringify({ jsonrpc: '2.0', ...call(2, 'count', { to: 100 }) }),
    );
    expect(await wire.end()).toBe(0);
    expect(new Set(wire.received.map((message) => message.id))).toEqual(new Set(['init', 1, 2]));
  });

  test('nothing at all on stdin ends with 0 and says nothing', async () => {
    const wire = open();
    expect(await wire.end()).toBe(0);
    expect(wire.received).toEqual([]);
  });

  test('a reader that is gone ends the call that runs, with 0', async () => {
    const wire = open();
    wire.send(initialize(), initialized, call(1, 'wait'));
    await wire.receive((message) => message.id === 'init');
    wire.child.stdout.destroy();
    // The broken pipe shows at the next write, whatever it is.
    wire.send(call(2, 'say', { text: 'x'.repeat(200_000) }));
    await once(wire.child, 'close');
    expect(wire.child.exitCode).toBe(0);
    expect(wire.stderr()).toContain('"what":"aborted"');
    expect(wire.stderr()).toContain('"what":"ended"');
  });

  test('a client that leaves while its question is open gets nothing allowed', async () => {
    const wire = open();
    wire.send(initialize({ elicitation: {} }), initialized, call(1, 'write_outside'));
    await wire.receive((message) => message.method === 'elicitation/create');
    expect(await wire.end()).toBe(0);
    expect(wire.stderr()).not.toContain('"verdict":"allow"');
  });

  test('an unknown name in --tools is misuse, before a word of protocol', async () => {
    const wire = open('--tools', 'say,nope');
    expect(await wire.end()).toBe(2);
    expect(wire.stderr()).toMatch(/MisuseFailure.*nope/u);
    expect(wire.received).toEqual([]);
  });
});

describe('[A08] forged answers, protocol 2025-11-25', () => {
  const accept = { action: 'accept', content: { answer: 'allow for this connection' } };

  test('an answer sent before the question, to guessed ids, allows nothing', async () => {
    const wire = open();
    wire.send(initialize({ elicitation: {} }), initialized);
    for (let id = 0; id < 20; id += 1) wire.send({ id, result: accept });
    wire.send(call(1, 'write_outside'));
    const question = await wire.receive((message) => message.method === 'elicitation/create');
    wire.send({ id: question.id, result: { action: 'decline' } }, { id: question.id, result: accept });
    expect(textOf(await wire.answerTo(1))).toMatch(/^Error \(denied\)/u);
    wire.send({ id: question.id, result: accept }, call(2, 'write_outside'));
    await wire.receive((message) => message.method === 'elicitation/create' && message.id !== question.id);
    await wire.end();
    expect(wire.stderr()).not.toContain('"verdict":"allow"');
  });

  test('an error or a malformed answer to the question is a no with its reason', async () => {
    const wire = open();
    wire.send(initialize({ elicitation: {} }), initialized, call(1, 'write_outside'));
    const first = await wire.receive((message) => message.method === 'elicitation/create');
    wire.send({ id: first.id, error: { code: -1, message: 'no window' } });
    expect(textOf(await wire.answerTo(1))).toMatch(/did not answer the question.*no window/u);
    wire.send(call(2, 'write_outside'));
    const second = await wire.receive((message) => message.method === 'elicitation/create' && message.id !== first.id);
    wire.send({ id: second.id, result: { action: 'yes', content: 'allow once' } });
    expect(textOf(await wire.answerTo(2))).toMatch(/^Error \(denied\)/u);
  });
});

describe('[A08] forged answers, protocol 2026-07-28', () => {
  const accept = { action: 'accept', content: { answer: 'allow once' } };
  const params = { name: 'write_outside', arguments: { path: 'a' } };
  type Asked = { requestState: string; key: string };

  async function ask(wire: Wire, id: number): Promise<Asked> {
    wire.send(modern(id, 'tools/call', params));
    const { result } = await wire.answerTo(id);
    expect(result?.['resultType']).toBe('input_required');
    return {
      requestState: String(result?.['requestState']),
      key: Object.keys(result?.['inputRequests'] as object)[0] ?? '',
    };
  }

  test('an answer to the open question allows once; the same again allows nothing', async () => {
    const wire = open();
    const { requestState, key } = await ask(wire, 1);
    const answered = { ...params, requestState, inputResponses: { [key]: accept } };
    wire.send(modern(2, 'tools/call', answered), modern(3, 'tools/call', answered));
    expect(textOf(await wire.answerTo(2))).toBe('written');
    expect((await wire.answerTo(3)).error?.code).toBe(-32_602);
    await wire.end();
    expect(wire.stderr().match(/"what":"answered"/gu)).toHaveLength(1);
  });

  test.each([
    ['other arguments', { arguments: { path: 'b' } }],
    ['another tool', { name: 'host_command' }],
    ['a made-up state', { requestState: '00000000-0000-4000-8000-000000000000' }],
  ])('an answer with %s allows nothing', async (_name, change) => {
    const wire = open();
    const { requestState, key } = await ask(wire, 1);
    wire.send(modern(2, 'tools/call', { ...params, requestState, inputResponses: { [key]: accept }, ...change }));
    expect((await wire.answerTo(2)).error?.code).toBe(-32_602);
    await wire.end();
    expect(wire.stderr()).not.toContain('"verdict":"allow"');
  });

  test('answers without a question, to another question and from another connection allow nothing', async () => {
    const wire = open();
    const other = open();
    const { requestState, key } = await ask(wire, 1);
    wire.send(modern(2, 'tools/call', { ...params, inputResponses: { [key]: accept } }));
    expect((await wire.answerTo(2)).result?.['resultType']).toBe('input_required');
    await ask(other, 1);
    other.send(modern(2, 'tools/call', { ...params, requestState, inputResponses: { [key]: accept } }));
    expect((await other.answerTo(2)).error?.code).toBe(-32_602);
    wire.send(modern(3, 'tools/call', { ...params, requestState, inputResponses: { somethingElse: accept } }));
    expect(textOf(await wire.answerTo(3))).toMatch(/^Error \(denied\)/u);
    await Promise.all([wire.end(), other.end()]);
    expect(wire.stderr() + other.stderr()).not.toContain('"verdict":"allow"');
  });

  test('a client that comes back without being able to ask is told so', async () => {
    const wire = open();
    wire.send(modern(1, 'tools/call', params, {}));
    expect(textOf(await wire.answerTo(1))).toMatch(/cannot show questions/u);
  });
});
