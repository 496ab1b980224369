/** Models that call by markers in their text, in every dialect: to the loop they look like any other. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Message } from '../../src/contract/message.ts';
import type { ModelClient } from '../../src/contract/model.ts';
import { createModelClient } from '../../src/models/create-model-client.ts';
import { withTextMarkers } from '../../src/models/text-markers/with-text-markers.ts';
import {
  answered,
  ask,
  collect,
  createServing,
  dialectNames,
  expectAccepted,
  image,
  user,
} from '../kit/dialect-client.ts';
import type { ModelServerOptions, WireDialectName } from '../kit/model-server.ts';

const { serve, close } = createServing();
afterEach(close);

async function serveText(dialect: WireDialectName, turns: ModelServerOptions['turns']) {
  const { server } = await serve(dialect, turns);
  const service = { service: 'plain', dialect, baseUrl: server.url, nativeCalls: false };
  const client = createModelClient({
    model: 'plain/text-only',
    services: [service],
    readSecret: async () => undefined,
  });
  return { server, client: withTextMarkers(client) as ModelClient };
}

describe.each(dialectNames)('%s', (dialect) => {
  it('[L14] describes the tools in the prompt and sends none', async () => {
    const { server, client } = await serveText(dialect, [{ text: 'ok' }, { text: 'ok' }]);
    expect(client.info.hasNativeCalls).toBe(false);
    await collect(client);
    await collect(client, ask(undefined, []));
    expectAccepted(server);
    const [first = '', second = ''] = server.requests.map(({ text }) => text);
    expect(first).toContain('- read_file(path, limit?, mode?, pair?): Reads a file.');
    expect(first).toContain('path: string, Where it lies');
    for (const text of [first, second]) expect(text).not.toMatch(/"tools?(?:_choice|Config)?":/);
    expect(second).not.toContain('read_file');
  });

  it('[L14] reads calls out of the streamed text and shows none of them', async () => {
    const text = 'Looking.\n[TOOL: read_file {"path": "a]}.txt"}]\n[TOOL: read_file {"path": ]';
    const { server, client } = await serveText(dialect, [
      { reasoning: 'Hm.', signature: 'c2ln', text, chunkChars: 3 },
      { text: 'ok' },
    ]);
    const { end, text: streamed } = await collect(client);
    expect(streamed).toBe('Looking.\n');
    expect(end.finish).toBe('calls');
    expect(end.message.parts.filter(({ type }) => type !== 'reasoning')).toMatchObject([
      { type: 'text', text: 'Looking.\n' },
      { type: 'call', tool: 'read_file', input: '{"path": "a]}.txt"}' },
      { type: 'call', tool: 'read_file', input: '{"path": ]' },
    ]);
    const history = answered(end.message, [user('Hello')], { images: [image] });
    await collect(client, ask(JSON.parse(JSON.stringify(history)) as Message[]));
    expectAccepted(server);
    const sent = server.requests[1]?.text ?? '';
    expect(sent).toContain('<result of=\\"read_file\\">\\nresult 0\\n</result>');
    expect(sent.split(image.data)).toHaveLength(3);
  });

  it('takes no text for a call when no tools are offered, and none of a cut answer', async () => {
    const text = '[TOOL: read_file {"path": "a"}]';
    const { client } = await serveText(dialect, [{ text }, { text: text.slice(0, 20), finish: 'length' }]);
    const { end, text: shown } = await collect(client, ask(undefined, []));
    expect([shown, end.finish, end.message.parts.length]).toEqual([text, 'answer', 1]);
    const cut = await collect(client);
    expect([cut.text, cut.end.finish, cut.end.message.parts[0]?.type]).toEqual([text.slice(0, 20), 'length', 'text']);
  });

  it('shows no marker of a model that goes on calling when its tools are taken away', async () => {
    const text = 'I would like to.\n[TOOL: read_file {"path": "a"}]';
    const { client } = await serveText(dialect, [{ text }, { text }]);
    const history = answered((await collect(client)).end.message, [user('Hello')]);
    const last = await collect(client, ask(history, []));
    expect([last.text, last.end.finish]).toEqual(['I would like to.\n', 'calls']);
  });

  it('keeps the beginning of the request unchanged while the history grows', async () => {
    const turns = (_: unknown, index: number) => ({ text: `Round ${index}\n[TOOL: read_file {"path": "${index}"}]` });
    const { server, client } = await serveText(dialect, turns);
    let history: Message[] = [user('Hello')];
    for (let round = 0; round < 4; round += 1)
      history = answered((await collect(client, ask(history))).end.message, history);
    expectAccepted(server);
    const bodies = server.requests.map(({ body }) => body.messages ?? body.input ?? body.contents) as unknown[][];
    const plain = bodies.map((items) => items.map((item) => JSON.stringify(item, (name, value: unknown) => (name === 'cache_control' ? undefined : value)))); // prettier-ignore
    for (const [at, items] of plain.entries()) expect(plain[at + 1]?.slice(0, items.length) ?? items).toEqual(items);
  });
});
