import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { findLocalServers } from './find-local-servers.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function listen(answer: RequestListener): Promise<number> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** A port on which nothing listens. */
async function freePort(): Promise<number> {
  const port = await listen(() => undefined);
  await new Promise((resolve) => servers.pop()?.close(resolve));
  return port;
}

const json =
  (path: string, body: unknown): RequestListener =>
  (request, response) => {
    response.writeHead(request.url === path ? 200 : 404).end(JSON.stringify(body));
  };

it('finds the three servers with their models', async () => {
  const ports = {
    ollama: await listen(
      json('/api/tags', { models: [{ name: 'qwen3:8b', model: 'qwen3:8b' }, { name: 'llama3.2:latest' }] }),
    ),
    // llama.cpp lists its model twice, in Ollama's manner and in OpenAI's.
    llamacpp: await listen(
      json('/v1/models', { models: [{ name: 'a.gguf' }], object: 'list', data: [{ id: 'a.gguf' }] }),
    ),
    lmstudio: await listen(json('/v1/models', { data: [], object: 'list' })),
  };
  expect(await findLocalServers({ ports })).toEqual([
    { service: 'ollama', baseUrl: `http://127.0.0.1:${ports.ollama}/v1`, models: ['qwen3:8b', 'llama3.2:latest'] },
    { service: 'llamacpp', baseUrl: `http://127.0.0.1:${ports.llamacpp}/v1`, models: ['a.gguf'] },
    { service: 'lmstudio', baseUrl: `http://127.0.0.1:${ports.lmstudio}/v1`, models: [] },
  ]);
});

it('passes over silence, other programs, redirects and endless answers within half a second', async () => {
  const began = performance.now();
  const silent = await listen(() => undefined);
  const website = await listen((_, response) => response.end('<html>Jenkins</html>'));
  const endless = await listen((_, response) => {
    response.writeHead(200);
    const pour = () => void (response.write('x'.repeat(65_536)) && setImmediate(pour));
    response.on('drain', pour);
    pour();
  });
  expect(await findLocalServers({ ports: { ollama: silent, llamacpp: website, lmstudio: endless } })).toEqual([]);
  const redirect = await listen((_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end());
  const other = await listen(json('/v1/models', { data: 'none' }));
  expect(await findLocalServers({ ports: { ollama: redirect, llamacpp: other, lmstudio: await freePort() } })).toEqual(
    [],
  );
  expect(performance.now() - began).toBeLessThan(1500);
});

it('ends at once when stopped', async () => {
  const silent = await listen(() => undefined);
  const stop = new AbortController();
  stop.abort();
  const began = performance.now();
  const ports = { ollama: silent, llamacpp: silent, lmstudio: silent };
  expect(await findLocalServers({ ports, signal: stop.signal })).toEqual([]);
  expect(performance.now() - began).toBeLessThan(200);
});
