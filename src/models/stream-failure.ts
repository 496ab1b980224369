/** Turns what an SDK throws, or puts into its stream as an error, into a ModelFailure. */
import { ModelFailure } from '../contract/failure.ts';
import { toModelFailure } from './classify-error.ts';
import type { Asked } from './classify-error.ts';
import { cleanMessage } from './clean-message.ts';
import type { DialectRules } from './dialect.ts';
import { findCode } from './network-failure.ts';

/** Undefined: an event that the SDK does not know and that carries no part of the answer. */
export function toStreamFailure(error: unknown, asked: Asked, rules: DialectRules): ModelFailure | undefined {
  const own = findOwn(error);
  if (own) return own;
  const said = readSaid(error, rules);
  if (said) return toModelFailure(said, asked);
  const name = error instanceof Error ? error.name : '';
  if (name === 'AI_TypeValidationError') {
    const event = error instanceof Error && 'value' in error ? error.value : undefined;
    const found = rules.readError(event);
    if (found) return toModelFailure(found, asked);
    if (rules.isIgnorable(event)) return undefined;
    return broken(asked, 'sent an event that cannot be read');
  }
  if (name === 'AI_JSONParseError' || name === 'AI_InvalidResponseDataError') {
    return broken(
      asked,
      /finish reason/i.test(textOf(error)) ? 'ended its answer early' : 'sent something that cannot be read',
    );
  }
  // What the Anthropic SDK throws for an event at the head of the stream that is not as it should be.
  if (/normalized \w+ stream error/i.test(textOf(error))) return broken(asked, 'sent an event that cannot be read');
  if (isCut(error)) return broken(asked, `was cut off in the middle of its answer${codeOf(error)}`);
  return new ModelFailure(
    'bad_request',
    `The request to ${asked.service} at ${asked.host} could not be made: ${cleanMessage(textOf(error), asked.key).replace(/\.?$/, '.')}`,
    { cause: error },
  );
}

function broken(asked: Asked, what: string): ModelFailure {
  return new ModelFailure('incomplete', `${asked.service} at ${asked.host} ${what}. Try again.`);
}

/** Our own failure from the guarded fetch: the SDK wraps an error whose causes hold a network code. */
function findOwn(error: unknown): ModelFailure | undefined {
  for (let depth = 0, current = error; depth < 8 && current instanceof Error; depth++, current = current.cause) {
    if (current instanceof ModelFailure) return current;
  }
  return undefined;
}

/** What the provider said in an error event: thrown with its body as text, or given as it came. */
function readSaid(error: unknown, rules: DialectRules) {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('responseBody' in error && typeof error.responseBody === 'string')
    return rules.readError(parse(error.responseBody));
  if ('data' in error && error.data) return rules.readError(error.data) ?? rules.readError({ error: error.data });
  return error instanceof Error ? undefined : (rules.readError(error) ?? rules.readError({ error }));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: the reader takes the text itself.
    return text;
  }
}

function isCut(error: unknown): boolean {
  return findCode(error) !== undefined || /terminated|other side closed|premature|aborted/i.test(textOf(error));
}

function codeOf(error: unknown): string {
  const code = findCode(error);
  return code ? ` (${code})` : '';
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
