/** How every dialect fails: one suite over what providers, networks and keys can do wrong. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { withRetry } from '../../src/models/with-retry.ts';
import type { ModelClient, ModelEvent } from '../../src/contract/model.ts';
import {
  ask,
  collect,
  connect,
  createServing,
  dialectNames,
  expectAccepted,
  failure,
  key,
} from '../kit/dialect-client.ts';
import { services } from '../kit/dialect-client.ts';
import { createModelClient } from '../../src/models/create-model-client.ts';
import type { ErrorName, Turn } from '../kit/model-server.ts';

const { serve, close } = createServing();
afterEach(close);

/** The retries of a request that fails in the end. */
async function retriesOf(client: ModelClient): Promise<Extract<ModelEvent, { type: 'retry' }>[]> {
  const retries: Extract<ModelEvent, { type: 'retry' }>[] = [];
  const reading = (async () => {
    for await (const event of client.stream(ask(), new AbortController().signal))
      if (event.type === 'retry') retries.push(event);
  })();
  await expect(reading).rejects.toThrow();
  return retries;
}

const kinds: readonly (readonly [error: ErrorName, kind: string, retryable: boolean])[] = [
  ['auth', 'auth', false],
  ['quota', 'quota', false],
  ['rate_limit', 'rate_limit', true],
  ['overloaded', 'overloaded', true],
  ['server', 'overloaded', true],
  ['context_overflow', 'context_overflow', false],
  ['unknown_model', 'unknown_model', false],
  ['bad_request', 'bad_request', false],
];

describe.each(dialectNames)('%s', (dialect) => {
  it.each(kinds)('maps its provider’s error %s to %s', async (error, kind, retryable) => {
    const { client } = await serve(dialect, [{ error }]);
    const failed = await failure(client);
    expect(failed).toMatchObject({ kind, retryable });
    expect(failed.status).toBeGreaterThanOrEqual(400);
    expect(failed.message.length).toBeLessThan(900);
  });

  it('[529] is overloaded, 413 too long, and an error in HTML is shown without its markup', async () => {
    const html = `<html><head><style>b{color:red}</style></head><body><h1>Bad \u001b[31mGateway\u202e</h1>${'x'.repeat(9000)}</body></html>`;
    const { client } = await serve(dialect, [
      { status: 529, body: { error: { message: 'busy' } } },
      { status: 413, body: 'too big' },
      { status: 502, body: html },
      { status: 400, body: '' },
    ]);
    expect(await failure(client)).toMatchObject({ kind: 'overloaded', status: 529, retryable: true });
    expect(await failure(client)).toMatchObject({ kind: 'context_overflow', status: 413, retryable: false });
    const bad = await failure(client);
    expect(bad).toMatchObject({ kind: 'overloaded', status: 502 });
    expect(bad.message).toContain('Bad');
    expect(bad.message).toContain('Gateway');
    expect(bad.message).not.toMatch(/[<>\u0000-\u001f\u202e]|color/);
    expect(bad.message.length).toBeLessThan(900);
    expect((await failure(client)).kind).toBe('bad_request');
  });

  it('waits as long as a 429 asks and then succeeds', async () => {
    const { server, client } = await serve(dialect, [
      { error: 'rate_limit', headers: { 'retry-after': '7' } },
      { error: 'rate_limit', headers: { 'retry-after-ms': '250' } },
      { text: 'At last.' },
    ]);
    const waits: number[] = [];
    const retrying = withRetry(client, { sleep: async (ms) => void waits.push(ms) });
    expect((await collect(retrying)).text).toBe('At last.');
    expect(waits).toEqual([7000, 250]);
    expectAccepted(server);
  });

  it('repeats a request by itself never, and with retries twice', async () => {
    const { server, client } = await serve(dialect, () => ({ error: 'server' }));
    await failure(client);
    expect(server.requests).toHaveLength(1);
    const retrying = withRetry(client, { sleep: async () => undefined });
    const events = await retriesOf(retrying);
    expect(server.requests).toHaveLength(4);
    expect(events.map(({ kind, attempt }) => [kind, attempt])).toEqual([['overloaded', 1], ['overloaded', 2]]); // prettier-ignore
  });

  it.each<readonly [string, Turn]>([
    ['without its end marks', { withoutEnd: true }],
    ['after half of its bytes', { cut: 'clean', cutAfterBytes: 900 }],
    ['by a broken connection', { cut: 'abrupt', cutAfterBytes: 900 }],
    ['after its first event', { cut: 'clean', cutAfterEvents: 1 }],
    ['before its first event', { cut: 'clean', cutAfterEvents: 0 }],
  ])('knows a stream that ends %s as incomplete, and a retry repairs it', async (_, cut) => {
    const text = 'This sentence is long enough to be cut somewhere in its middle. '.repeat(8);
    const { client } = await serve(dialect, [
      { text, ...cut },
      { text, calls: [{ name: 'read_file' }], ...cut },
      { text },
    ]);
    expect(await failure(client)).toMatchObject({ kind: 'incomplete', retryable: true });
    const { end, events } = await collect(withRetry(client, { sleep: async () => undefined }));
    expect(end.message.parts).toMatchObject([{ type: 'text', text }]);
    expect(events.filter((event) => event.type === 'retry').map((event) => event.kind)).toEqual(['incomplete']);
  });

  it('gives no call away of a stream that was cut in its arguments', async () => {
    const calls = [{ name: 'read_file', input: { path: 'a'.repeat(400) } }];
    const { client } = await serve(dialect, [
      { calls, chunkChars: 10, cut: 'clean', cutAfterEvents: dialect === 'gemini' ? 0 : 12 },
    ]);
    expect((await failure(client)).kind).toBe('incomplete');
  });

  it.each<readonly [ErrorName, string]>([
    ['overloaded', 'overloaded'],
    ['rate_limit', 'rate_limit'],
  ])('maps the error event %s inside a stream that began well, early and late', async (streamError, kind) => {
    const { client } = await serve(dialect, [{ streamError }, { text: 'Half of', streamError }]);
    expect(await failure(client)).toMatchObject({ kind, retryable: true });
    expect(await failure(client)).toMatchObject({ kind, retryable: true });
  });

  it('tells a refused answer from a whole one', async () => {
    const { client } = await serve(dialect, [{ finish: 'refused' }, { text: 'I may not say', finish: 'refused' }]);
    expect((await failure(client)).kind).toBe('refused');
    expect((await collect(client)).end.finish).toBe('refused');
  });

  it('tells an answer that reached the limit', async () => {
    const { client } = await serve(dialect, [{ text: 'And so on', finish: 'length' }]);
    expect((await collect(client)).end.finish).toBe('length');
  });

  it('follows no redirect and sends the key nowhere else', async () => {
    const elsewhere: string[] = [];
    const trap = createServer((request, response) => {
      elsewhere.push(JSON.stringify(request.headers));
      response.end();
    });
    await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
    const { port } = trap.address() as AddressInfo;
    const redirectTo = `http://127.0.0.1:${port}/v1/steal?k=${encodeURIComponent(key)}`;
    const { server, client } = await serve(
      dialect,
      [301, 302, 303, 307, 308, 307].map((status) => ({ status, redirectTo })),
    );
    for (let at = 0; at < 5; at++) {
      const failed = await failure(client);
      expect(failed).toMatchObject({ kind: 'bad_request', retryable: false });
      expect(failed.message).toContain(`redirects to http://127.0.0.1:${port}`);
      expect(failed.message).not.toContain(key);
    }
    expect(elsewhere).toEqual([]);
    // The twin: the same client over a fetch that follows goes there, with the conversation.
    const following = createModelClient({
      model: services[dialect].model,
      environment: { [services[dialect].baseUrlName]: server.url },
      readSecret: async () => key,
      // Only a body that lies there whole can be sent a second time.
      fetch: async (input, init) =>
        fetch(input, { ...init, body: await new Response(init?.body).text(), redirect: 'follow' }),
    });
    await failure(following);
    expect(elsewhere).toHaveLength(1);
    await new Promise((resolve) => trap.close(resolve));
  });

  it('shows the key in no error, also when the provider quotes it', async () => {
    const message = `Bad key ${key} in https://host/?key=${encodeURIComponent(key)}`;
    const turns: Turn[] = [
      { error: 'auth', message },
      { status: 500, body: `<b>${message}</b>` },
      { streamError: 'overloaded', message },
      { text: 'Hi', streamError: 'server', message },
    ];
    const { server, client } = await serve(dialect, turns);
    for (const _ of turns) {
      const failed = await failure(client);
      const shown = [failed.message, failed.stack, JSON.stringify(failed), String(failed.cause)].join('\n');
      expect(shown).not.toContain(key);
      expect(shown).not.toContain(encodeURIComponent(key));
    }
    expect(JSON.stringify(server.requests[0]?.headers)).toContain(key);
  });

  it('refuses a key that no header can carry without showing it', async () => {
    const { server } = await serve(dialect, [{ text: 'Hi' }]);
    const { model, baseUrlName, keyName } = services[dialect];
    const bad = createModelClient({
      model,
      environment: { [baseUrlName]: server.url },
      readSecret: async () => 'geheim\nX-Evil: 1',
    });
    const failed = await failure(bad);
    expect(failed).toMatchObject({ kind: 'auth' });
    expect(failed.message).toContain(`handrail secrets set ${keyName}`);
    expect(failed.message).not.toContain('geheim');
    const padded = createModelClient({
      model,
      environment: { [baseUrlName]: server.url },
      readSecret: async () => `${key}\n`,
    });
    expect((await collect(padded)).text).toBe('Hi');
  });

  it('names host and port when nothing listens there, and says what to try', async () => {
    const { server } = await serve(dialect, []);
    const { host } = new URL(server.url);
    await server.close();
    const failed = await failure(connect(dialect, server.url));
    expect(failed).toMatchObject({ kind: 'network', retryable: true });
    expect(failed.message).toContain(host);
    expect(failed.message).toContain('Start the server');
    expect((await failure(connect(dialect, 'http://no-such-host.invalid/v1'))).message).toContain(
      'no-such-host.invalid',
    );
    const noTls = await serve(dialect, []);
    expect(await failure(connect(dialect, noTls.server.url.replace('http:', 'https:')))).toMatchObject({
      kind: 'network',
      retryable: false,
    });
  });

  it('says that a page or a whole JSON answer is no stream', async () => {
    const { client } = await serve(dialect, [
      { status: 200, body: '<html>Please log in</html>' },
      { status: 200, body: { ok: true } },
    ]);
    expect(await failure(client)).toMatchObject({ kind: 'bad_request' });
    expect((await failure(client, ask())).message).toContain('instead of a stream');
  });

  it('stops at once while it waits for the first byte and while it waits to repeat', async () => {
    const { client } = await serve(dialect, [
      { stallAfterEvents: 0 },
      { error: 'overloaded', headers: { 'retry-after': '30' } },
    ]);
    const stop = new AbortController();
    const waiting = failure(client, ask(), stop.signal);
    setTimeout(() => stop.abort(), 20);
    expect((await waiting).kind).toBe('cancelled');
    const stopLater = new AbortController();
    const began = performance.now();
    setTimeout(() => stopLater.abort(), 200);
    expect((await failure(withRetry(client), ask(), stopLater.signal)).kind).toBe('cancelled');
    expect(performance.now() - began).toBeLessThan(2000);
  });
});
