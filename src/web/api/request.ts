/** One request to the server: JSON out and in, every failure with words for a person. */
import type { WebFailure, WebFailureCode } from '../../contract/web-api.ts';

/** `offline`: no answer came. Everything else is what the server said. */
export class RequestFailure extends Error {
  readonly code: WebFailureCode | 'offline';

  constructor(code: WebFailureCode | 'offline', message: string) {
    super(message);
    this.name = 'RequestFailure';
    this.code = code;
  }
}

export type Request = <Result>(method: string, path: string, body?: object) => Promise<Result>;

/** `fetch` is the browser's. */
export function createRequest(fetch: typeof globalThis.fetch): Request {
  return async (method, path, body) => {
    const response = await fetch(path, {
      method,
      headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch(() => {
      throw new RequestFailure('offline', '');
    });
    const read = (await response.json().catch(() => undefined)) as unknown;
    if (!response.ok) throw failureOf(response.status, read);
    return read as never;
  };
}

export function failureOf(status: number, read: unknown): RequestFailure {
  const error = (read as Partial<WebFailure> | undefined)?.error;
  if (error !== undefined) return new RequestFailure(error.code, error.message);
  return new RequestFailure(status === 401 ? 'no_session' : 'failed', `HTTP ${status}`);
}

/** `?search=a&limit=50`, without what is undefined or empty. */
export function queryText(values: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
