/** From a request to the row of the table, and from what it gives to an answer. */
import type { z } from 'zod';
import type { Guards } from './guards.ts';
import { RequestFailure, refusalOf, type Refusal } from './request-failure.ts';
import type { Route } from './route.ts';

const usualMaxBytes = 64 * 1024;

export type Answering = {
  readonly guards: Pick<Guards, 'isSignedIn' | 'isJson' | 'isSentFile' | 'fits'>;
  readonly onProblem: (line: string) => void;
};

export async function answerRoute(
  route: Route,
  request: Request,
  params: Readonly<Record<string, string>>,
  { guards, onProblem }: Answering,
): Promise<Response> {
  try {
    const header = (name: string): string | undefined => request.headers.get(name) ?? undefined;
    if (route.policy === 'session') requireSession(guards, header('cookie'));
    // Hono asks a GET route for a HEAD too; what signs in or streams must not run for it.
    if (request.method !== route.method)
      throw new RequestFailure('not_found', `${request.method} is not for this address.`);
    if (route.takesBytes === true) checkSentFile(guards, header);
    const isInQuery = route.method === 'GET' || route.takesBytes === true;
    const given = isInQuery ? queryOf(request) : await readBody(request, route, guards);
    const input = parse(route.input, given);
    const body = route.takesBytes === true ? chunksOf(request, route, guards) : undefined;
    const result = await route.handle({ params, input, header, ...(body === undefined ? {} : { body }) });
    if (result instanceof Response) return result;
    return jsonResponse(route.status ?? 200, result);
  } catch (error) {
    return refusalResponse(refusalOf(error, onProblem));
  }
}

/** Throws RequestFailure('no_session'). */
export function requireSession(guards: Pick<Guards, 'isSignedIn'>, cookies: string | undefined): void {
  if (guards.isSignedIn(cookies)) return;
  throw new RequestFailure('no_session', 'This browser is not signed in. Open the link that `handrail serve` prints.');
}

export function refusalResponse({ status, body }: Refusal): Response {
  return jsonResponse(status, body);
}

function jsonResponse(status: number, body: unknown): Response {
  return Response.json(body, { status, headers: { 'cache-control': 'no-store' } });
}

function queryOf(request: Request): Readonly<Record<string, string>> {
  return Object.fromEntries(new URL(request.url).searchParams);
}

/** Throws RequestFailure('wrong_media_type'). */
function checkSentFile(guards: Answering['guards'], header: (name: string) => string | undefined): void {
  if (guards.isSentFile(header('content-type'), header('x-handrail-upload'))) return;
  throw new RequestFailure(
    'wrong_media_type',
    'A file is sent as application/octet-stream, with the header x-handrail-upload: 1.',
  );
}

async function readBody(request: Request, route: Route, guards: Answering['guards']): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of chunksOf(request, route, guards)) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  if (bytes.byteLength === 0) return {};
  if (!guards.isJson(request.headers.get('content-type') ?? undefined))
    throw new RequestFailure('wrong_media_type', 'Only JSON is read here: send it as application/json.');
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new RequestFailure('invalid_input', 'The body is no JSON.');
  }
}

/** Throws RequestFailure('too_large'), also where the request has said less before. */
async function* chunksOf(
  request: Request,
  route: Route,
  guards: Answering['guards'],
): AsyncGenerator<Uint8Array, undefined> {
  const maxBytes = route.maxBytes ?? usualMaxBytes;
  const tooLarge = (): RequestFailure =>
    new RequestFailure('too_large', `At most ${maxBytes} bytes can be sent here. Send less.`);
  if (!guards.fits(Number(request.headers.get('content-length') ?? 0), maxBytes)) throw tooLarge();
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength;
      if (!guards.fits(size, maxBytes)) throw tooLarge();
      yield chunk;
    }
  } catch (error) {
    if (error instanceof RequestFailure) throw error;
    throw new RequestFailure('invalid_input', 'The body broke off before its end.');
  }
}

function parse(schema: z.ZodType, given: unknown): unknown {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
  throw new RequestFailure('invalid_input', `${place}${issue?.message ?? 'not what is taken here'}`);
}
