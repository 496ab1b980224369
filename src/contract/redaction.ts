/**
 * Secrets on their way to what lasts (journal, logs, artifacts) and back. A redacted value stands as a placeholder; the value
 * itself lies in the secret store or in a vault of ours, so that it can be put back at the two places that need it: the model's
 * context after a restart, and the arguments of a call.
 */

export type Redactor = {
  /** Known values and key-shaped strings stand as placeholders. Text without any comes back as it is. */
  redact(text: string): string;
  /** In every text of it, keys of objects included. The same object when there is nothing to redact. */
  redactAll<Value>(value: Value): Value;
  /** Of a stream that comes in pieces cut anywhere. */
  redactStream(): StreamRedaction;
  /** Placeholders that can be put back are; others stay. `json`: the text is JSON, and the values are written so. */
  restore(text: string, form?: 'json'): string;
  restoreAll<Value>(value: Value): Value;
  /** The first placeholder in any of its texts that cannot be put back; undefined when there is none. */
  findLost(value: unknown): string | undefined;
};

/**
 * Each step says what is safe to keep now, and what the state is then: whoever fails to write takes the step again. What could
 * be the beginning of a secret waits for more.
 */
export type StreamRedaction = {
  next(piece: string): { readonly text: string; readonly after: StreamRedaction };
  readonly waits: boolean;
  /** What still waits, as it may be kept. */
  rest(): string;
};

/** Follows the secret store: ask for it anew before each use. Never rejects. */
export type RedactorSource = () => Promise<Redactor>;

/** What is hidden because it is known. */
export type KnownSecrets = {
  /** Of our own store: looked up there again, never copied into the vault. */
  readonly stored: readonly KnownSecret[];
  /** Of the environment, which the next process need not have. */
  readonly fromEnvironment: readonly KnownSecret[];
};

/** A value with the name that people know it by. */
export type KnownSecret = { readonly name: string; readonly value: string };
