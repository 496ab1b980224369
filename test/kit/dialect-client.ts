/** A model client of each dialect before a scripted provider, and what a loop would do with its answers. */
import { expect } from 'vitest';
import { ModelFailure } from '../../src/contract/failure.ts';
import type { AssistantMessage, Message } from '../../src/contract/message.ts';
import type { ModelClient, ModelEvent, ModelRequest } from '../../src/contract/model.ts';
import { createModelClient } from '../../src/models/create-model-client.ts';
import { startModelServer } from './model-server.ts';
import type { ModelServer, ModelServerOptions, WireDialectName } from './model-server.ts';

/** Not of any known provider's shape: only knowing it can keep it out of messages. */
export const key = 'k3y:Geheim/0123456789+abc==';
export const services: Readonly<Record<WireDialectName, { model: string; baseUrlName: string; keyName: string }>> = {
  'openai-chat': { model: 'openai-chat/acme/tester:1', baseUrlName: 'OPENAI_BASE_URL', keyName: 'OPENAI_API_KEY' },
  'openai-responses': { model: 'openai/gpt-5.1', baseUrlName: 'OPENAI_BASE_URL', keyName: 'OPENAI_API_KEY' },
  anthropic: { model: 'anthropic/claude-sonnet-4-5', baseUrlName: 'ANTHROPIC_BASE_URL', keyName: 'ANTHROPIC_API_KEY' },
  gemini: { model: 'gemini/gemini-2.5-pro', baseUrlName: 'GEMINI_BASE_URL', keyName: 'GEMINI_API_KEY' },
};
export const dialectNames = Object.keys(services) as WireDialectName[];

export const readFile = {
  name: 'read_file',
  description: 'Reads a file.',
  inputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      path: { type: 'string', minLength: 1, description: 'Where it lies' },
      limit: { type: ['integer', 'null'], exclusiveMinimum: 0 },
      mode: { anyOf: [{ const: 'text' }, { enum: ['lines', 'bytes'] }] },
      pair: { type: 'array', prefixItems: [{ type: 'string' }, { $ref: '#/$defs/size' }], items: false },
    },
    required: ['path'],
    additionalProperties: false,
    $defs: { size: { type: 'number', multipleOf: 0.5 } },
  },
};
export const image = {
  type: 'image' as const,
  mediaType: 'image/png',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
};

export type Serving = {
  serve(
    dialect: WireDialectName,
    turns: ModelServerOptions['turns'],
  ): Promise<{ readonly server: ModelServer; readonly client: ModelClient }>;
  close(): Promise<void>;
};

/** Servers of one test; `close` ends them all. */
export function createServing(): Serving {
  const open: ModelServer[] = [];
  return {
    async serve(dialect, turns) {
      const server = await startModelServer({ dialect, turns });
      open.push(server);
      return { server, client: connect(dialect, server.url) };
    },
    async close() {
      for (const server of open.splice(0)) await server.close();
    },
  };
}

export function connect(dialect: WireDialectName, url: string): ModelClient {
  const { model, baseUrlName } = services[dialect];
  return createModelClient({ model, environment: { [baseUrlName]: url }, readSecret: async () => key });
}

export function user(text: string): Message {
  return { role: 'user', parts: [{ type: 'text', text }] };
}

export function ask(
  messages: readonly Message[] = [user('Hello')],
  tools: ModelRequest['tools'] = [readFile],
): ModelRequest {
  return { system: 'You are a test.', messages, tools };
}

export async function collect(client: ModelClient, request = ask(), signal = new AbortController().signal) {
  const events: ModelEvent[] = [];
  for await (const event of client.stream(request, signal)) events.push(event);
  const end = events.at(-1);
  if (end?.type !== 'end') throw new Error('the stream had no end event');
  const deltas = (type: 'text-delta' | 'reasoning-delta') =>
    events.map((event) => (event.type === type ? event.text : '')).join('');
  return { events, end, text: deltas('text-delta'), reasoning: deltas('reasoning-delta') };
}

export async function failure(client: ModelClient, request = ask(), signal?: AbortSignal): Promise<ModelFailure> {
  const error = await collect(client, request, signal).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ModelFailure);
  return error as ModelFailure;
}

/** What a loop does with an answer that calls: one result for each call. */
export function answered(message: AssistantMessage, before: readonly Message[], extra: object = {}): Message[] {
  const calls = message.parts.filter((part) => part.type === 'call');
  const results = calls.map(({ callId, tool }, at) => ({
    callId,
    tool,
    text: `result ${at}`,
    isError: false,
    ...extra,
  }));
  return [...before, message, { role: 'tool', results }];
}

export function expectAccepted(server: ModelServer): void {
  expect(server.requests.map((request) => request.problem)).toEqual(server.requests.map(() => undefined));
}
