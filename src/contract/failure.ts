/** The closed sets of things that can go wrong, and the error classes that carry them. */

export const toolFailureCodes = [
  'invalid_input',
  'not_found',
  'denied',
  'timeout',
  'cancelled',
  'too_large',
  'unavailable',
  'conflict',
  'busy',
  'failed',
] as const;

export type ToolFailureCode = (typeof toolFailureCodes)[number];

/**
 * An expected failure of a tool call. The message goes to the model and to people: it says what
 * happened and what to try. A non-zero exit code, a 404 or an empty search are results, not failures.
 */
export class ToolFailure extends Error {
  readonly code: ToolFailureCode;

  constructor(code: ToolFailureCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ToolFailure';
    this.code = code;
  }
}

export const modelFailureKinds = [
  'auth',
  'quota',
  'rate_limit',
  'overloaded',
  'context_overflow',
  'unknown_model',
  'bad_request',
  'refused',
  'network',
  'incomplete',
  'budget',
  'cancelled',
] as const;

/**
 * `quota`: the account has no money left. `refused`: the provider's own filter said no.
 * `incomplete`: the stream ended before the provider said that the answer was whole. `budget`: our own limit was reached.
 */
export type ModelFailureKind = (typeof modelFailureKinds)[number];

/** What went wrong between us and a model's provider. Mapped inside a dialect's folder, nowhere else. */
export class ModelFailure extends Error {
  readonly kind: ModelFailureKind;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** How long the provider asked us to wait, in milliseconds; undefined when it did not say. */
  readonly retryAfterMs: number | undefined;
  /** HTTP status; undefined when no answer came. */
  readonly status: number | undefined;

  constructor(
    kind: ModelFailureKind,
    message: string,
    options: ErrorOptions & { retryable?: boolean; retryAfterMs?: number; status?: number } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'ModelFailure';
    this.kind = kind;
    this.retryable =
      options.retryable ??
      (kind === 'rate_limit' || kind === 'overloaded' || kind === 'network' || kind === 'incomplete');
    this.retryAfterMs = options.retryAfterMs;
    this.status = options.status;
  }
}

/** The program was called in a way that cannot work (wrong flag, refused workspace). A face ends with exit code 2. */
export class MisuseFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MisuseFailure';
  }
}

/** Something outside us is not as it must be (unreadable settings, full disk). One line for the user, no stack. */
export class SetupFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SetupFailure';
  }
}
