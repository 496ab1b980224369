/** What a request cannot have, as a status and words that say what to do. */
import { MisuseFailure, ModelFailure, SetupFailure, ToolFailure } from '../contract/failure.ts';
import type { WebFailure, WebFailureCode } from '../contract/web-api.ts';

const statuses: Readonly<Record<WebFailureCode, number>> = {
  invalid_input: 400,
  no_session: 401,
  foreign: 403,
  not_found: 404,
  conflict: 409,
  busy: 409,
  too_large: 413,
  wrong_media_type: 415,
  wrong_host: 421,
  misuse: 422,
  too_many: 429,
  failed: 500,
  unavailable: 503,
};

export class RequestFailure extends Error {
  readonly code: WebFailureCode;

  constructor(code: WebFailureCode, message: string) {
    super(message);
    this.name = 'RequestFailure';
    this.code = code;
  }
}

export type Refusal = { readonly status: number; readonly body: WebFailure };

export function refusal(code: WebFailureCode, message: string): Refusal {
  return { status: statuses[code], body: { error: { code, message } } };
}

/** `onProblem` is told what nobody foresaw; the page is not. */
export function refusalOf(error: unknown, onProblem: (line: string) => void): Refusal {
  if (error instanceof RequestFailure) return refusal(error.code, error.message);
  if (error instanceof MisuseFailure) return refusal('misuse', error.message);
  if (error instanceof SetupFailure || error instanceof ModelFailure) return refusal('unavailable', error.message);
  if (error instanceof ToolFailure) return refusal(codeOf(error), error.message);
  onProblem(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return refusal(
    'failed',
    'Something failed inside. The terminal of `handrail serve` says what; `handrail doctor` may tell more.',
  );
}

function codeOf({ code }: ToolFailure): WebFailureCode {
  switch (code) {
    case 'invalid_input':
    case 'not_found':
    case 'conflict':
    case 'busy':
    case 'too_large':
    case 'unavailable':
    case 'failed':
      return code;
    case 'denied':
      return 'misuse';
    case 'timeout':
    case 'cancelled':
      return 'unavailable';
  }
}
