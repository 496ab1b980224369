/** A model's provider for tests: a real HTTP server that speaks one of the four dialects and plays a script of turns. */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { anthropic } from './model-server/anthropic.ts';
import { gemini } from './model-server/gemini.ts';
import { openAiChat } from './model-server/openai-chat.ts';
import { openAiResponses } from './model-server/openai-responses.ts';
import type { Turn, TurnMaker, WireDialect, WireDialectName } from './model-server/turn.ts';

export type { ErrorName, Turn, WireDialectName } from './model-server/turn.ts';

export type RecordedRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Parsed; the text where it was no JSON. */
  readonly body: Record<string, unknown>;
  /** As it came, for sizes and for comparing beginnings. */
  readonly text: string;
  /** What the provider complained about; undefined when nothing, or when nobody looks. */
  readonly problem: string | undefined;
};

export type ModelServer = {
  /** Base URL to hand to the program, as users of the dialect set it. */
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  /** How many answers are still being sent. */
  openAnswers(): number;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

export type ModelServerOptions = {
  readonly dialect: WireDialectName;
  /** In order, one per request; a function answers every request from its place on. */
  readonly turns: readonly (Turn | TurnMaker)[] | TurnMaker;
  /** Refuse what the true provider would refuse. Omitted: true. */
  readonly strict?: boolean;
};

const dialects: Readonly<Record<WireDialectName, WireDialect>> = {
  'openai-chat': openAiChat,
  'openai-responses': openAiResponses,
  anthropic,
  gemini,
};

export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const dialect = dialects[options.dialect];
  const requests: RecordedRequest[] = [];
  let openAnswers = 0;
  const server = createServer((request, response) => {
    openAnswers += 1;
    response.on('close', () => (openAnswers -= 1));
    answer(request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const recorded = await record(request, options.strict === false ? undefined : dialect);
    const { body, problem } = recorded;
    if (!dialect.accepts(recorded.method, recorded.path)) {
      requests.push(recorded);
      return sendJson(response, 404, { error: { message: `no such path: ${recorded.method} ${recorded.path}` } });
    }
    const index = requests.push(recorded) - 1;
    if (problem !== undefined) {
      const refusal = dialect.error('bad_request', problem);
      return sendJson(response, refusal.status, refusal.body);
    }
    const turn = await nextTurn(options.turns, body, index);
    if (!turn) {
      const refusal = dialect.error('bad_request', `the script has no turn ${index + 1}`);
      return sendJson(response, refusal.status, refusal.body);
    }
    await play(response, { turn, dialect, model: typeof body.model === 'string' ? body.model : 'scripted', index });
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  async function close(): Promise<void> {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
  return {
    url: `http://127.0.0.1:${port}${dialect.basePath}`,
    requests,
    openAnswers: () => openAnswers,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** As JSON writes half of a surrogate pair: every provider refuses the whole body. */
const loneSurrogate = /(?<!\\)(?:\\\\)*\\u[dD][89a-fA-F][0-9a-fA-F]{2}/;

async function record(request: IncomingMessage, dialect: WireDialect | undefined): Promise<RecordedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const headers = request.headers as Record<string, string | undefined>;
  let body: unknown = text;
  try {
    body = JSON.parse(text);
  } catch {
    // Kept as text; the dialect's check complains about it.
  }
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers,
    body: body as Record<string, unknown>,
    text,
    problem: dialect && (loneSurrogate.test(text) ? 'the body holds a lone surrogate' : dialect.check(body, headers)),
  };
}

async function nextTurn(
  turns: ModelServerOptions['turns'],
  body: Record<string, unknown>,
  index: number,
): Promise<Turn | undefined> {
  if (typeof turns === 'function') return turns(body, index);
  const last = turns.at(-1);
  const turn = turns[index] ?? (typeof last === 'function' ? last : undefined);
  return typeof turn === 'function' ? turn(body, index) : turn;
}

async function play(
  response: ServerResponse,
  at: { readonly turn: Turn; readonly dialect: WireDialect; readonly model: string; readonly index: number },
): Promise<void> {
  const { turn, dialect } = at;
  if (turn.redirectTo !== undefined) {
    response.writeHead(turn.status ?? 307, { location: turn.redirectTo, ...turn.headers }).end();
    return;
  }
  if (turn.error !== undefined || turn.body !== undefined || turn.status !== undefined) {
    const usual = dialect.error(turn.error ?? 'bad_request', turn.message);
    return sendJson(response, turn.status ?? usual.status, turn.body ?? usual.body, turn.headers);
  }
  const content = turn.streamError === undefined ? turn : { ...turn, withoutEnd: true };
  const frames = turn.rawFrames ? [...turn.rawFrames] : dialect.frames(content, at);
  if (turn.streamError !== undefined) frames.push(dialect.errorFrame(turn.streamError, turn.message));
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', ...turn.headers });
  await sendFrames(response, frames, turn);
}

async function sendFrames(response: ServerResponse, frames: readonly string[], turn: Turn): Promise<void> {
  const kept = frames.slice(0, turn.stallAfterEvents ?? turn.cutAfterEvents);
  const parts = turn.delayMs === undefined ? [kept.join('')] : kept;
  let left = turn.cutAfterBytes ?? Number.POSITIVE_INFINITY;
  for (const part of parts) {
    if (turn.delayMs !== undefined) await sleep(turn.delayMs);
    if (response.destroyed) return;
    const bytes = Buffer.from(part).subarray(0, Math.min(left, Number.MAX_SAFE_INTEGER));
    left -= bytes.byteLength;
    if (bytes.byteLength > 0) response.write(bytes);
    if (left <= 0) break;
  }
  // A stalled answer stays open until the client goes away or the server is closed.
  if (turn.stallAfterEvents !== undefined) return;
  if (turn.cut === 'abrupt') {
    // What was written has to reach the client before the connection breaks.
    await new Promise((resolve) => response.write('', resolve));
    response.socket?.destroySoon();
    return;
  }
  response.end();
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const isText = typeof body === 'string';
  const type = isText ? 'text/html; charset=utf-8' : 'application/json';
  response.writeHead(status, { 'content-type': type, ...headers }).end(isText ? body : JSON.stringify(body));
}
