/** Asks for usage only where it may be asked for: some servers refuse a request that holds `stream_options`. */
import { ModelFailure } from '../../contract/failure.ts';

/** Mistral answers 422 and names the field; the request is then sent once more without it, and so are all later ones. */
export function createUsageFallback(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  let isRefused = false;
  return async (input, init) => {
    if (isRefused) return fetch(input, withoutUsage(init));
    try {
      return await fetch(input, init);
    } catch (error) {
      if (!isAboutUsage(error)) throw error;
      isRefused = true;
      return fetch(input, withoutUsage(init));
    }
  };
}

function isAboutUsage(error: unknown): boolean {
  return (
    error instanceof ModelFailure &&
    error.kind === 'bad_request' &&
    (error.status === 400 || error.status === 422) &&
    /stream_options|include_usage/.test(error.message)
  );
}

function withoutUsage(init: RequestInit | undefined): RequestInit | undefined {
  if (typeof init?.body !== 'string') return init;
  const { stream_options: _, ...body } = JSON.parse(init.body) as Record<string, unknown>;
  return { ...init, body: JSON.stringify(body) };
}
