/**
 * The one way out to a provider. It follows no redirect (the key would go along), turns every refusal into a ModelFailure
 * before an SDK can wrap it together with the whole conversation, and knows who was asked.
 */
import { ModelFailure } from '../contract/failure.ts';
import { toModelFailure } from './classify-error.ts';
import type { Asked, ProviderError } from './classify-error.ts';
import { cleanMessage } from './clean-message.ts';
import { toNetworkFailure } from './network-failure.ts';
import { readRetryAfterMs } from './retry-after.ts';

/** Takes the error out of a dialect's answer (parsed JSON, or its text when it was none); undefined when there is none in it. */
export type ReadError = (body: unknown) => ProviderError | undefined;

export type GuardedFetchOptions = {
  readonly asked: Asked;
  readonly readError: ReadError;
  /** Query of the user's base URL, added to each request. */
  readonly search: string;
  readonly fetch: typeof globalThis.fetch;
  readonly now: () => number;
};

const maxErrorBytes = 64 * 1024;

export function createGuardedFetch(options: GuardedFetchOptions): typeof globalThis.fetch {
  const { asked } = options;
  return async (input, init) => {
    const url = withSearch(input, options.search);
    let response: Response;
    try {
      response = await options.fetch(url, { ...init, redirect: 'manual' });
    } catch (error) {
      if (init?.signal?.aborted || error instanceof ModelFailure) throw error;
      throw toNetworkFailure(error, asked);
    }
    if (response.ok && isStream(response)) return response;
    if (response.status >= 300 && response.status < 400) throw await redirectFailure(response, asked);
    throw await answerFailure(response, options, init?.signal ?? undefined);
  };
}

function withSearch(input: string | URL | Request, search: string): string | URL | Request {
  if (search === '' || typeof input !== 'string') return input;
  const url = new URL(input);
  for (const [name, value] of new URLSearchParams(search)) url.searchParams.append(name, value);
  return url;
}

/** Some servers leave the type out; only one that is surely no event stream is turned down. */
function isStream(response: Response): boolean {
  const type = response.headers.get('content-type') ?? '';
  return response.body !== null && !/json|html/i.test(type);
}

async function redirectFailure(response: Response, asked: Asked): Promise<ModelFailure> {
  await response.body?.cancel();
  const location = response.headers.get('location') ?? '';
  const target = URL.canParse(location, `https://${asked.host}`)
    ? new URL(location, `https://${asked.host}`)
    : undefined;
  const where = target ? ` to ${cleanMessage(target.origin, asked.key)}` : '';
  return new ModelFailure(
    'bad_request',
    `${asked.service} at ${asked.host} redirects${where} (${response.status}). Redirects are not followed, because the key would be sent along. Put the final address in the base URL if you trust it.`,
    { status: response.status },
  );
}

async function answerFailure(
  response: Response,
  options: GuardedFetchOptions,
  signal: AbortSignal | undefined,
): Promise<ModelFailure> {
  const { asked } = options;
  const text = await readText(response, signal);
  const body = parse(text);
  // A page that came with 200 is no error message.
  const found = response.ok && typeof body === 'string' ? undefined : options.readError(body);
  if (response.ok && !found) {
    const type = cleanMessage(response.headers.get('content-type') ?? 'nothing', asked.key);
    return new ModelFailure(
      'bad_request',
      `${asked.service} at ${asked.host} answered with ${type} instead of a stream. Check the base URL, and that the server can stream.`,
      { status: response.status },
    );
  }
  const retryAfterMs = readRetryAfterMs(response.headers, options.now()) ?? found?.retryAfterMs;
  const status = response.ok ? found?.status : response.status;
  return toModelFailure({ message: found?.message ?? text, kind: found?.kind, status, retryAfterMs }, asked);
}

/** At most the first 64 KB; what had come when the connection broke. */
async function readText(response: Response, signal: AbortSignal | undefined): Promise<string> {
  if (!response.body) return '';
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  let text = '';
  let bytes = 0;
  try {
    while (bytes < maxErrorBytes) {
      const { done, value } = await reader.read();
      if (done) break;
      bytes += value.byteLength;
      text += decoder.decode(value, { stream: true });
    }
  } catch (error) {
    // The status already says that the request failed; a body cut short takes nothing from that, a stop does.
    if (signal?.aborted) throw error;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  return text;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Proxies answer in HTML or plain text; the dialect's reader takes that as it is.
    return text;
  }
}
