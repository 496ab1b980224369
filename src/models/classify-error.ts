/** Turns what a provider said about an error, already taken out of its dialect's shape, into a ModelFailure. */
import { ModelFailure } from '../contract/failure.ts';
import type { ModelFailureKind } from '../contract/failure.ts';
import { cleanMessage } from './clean-message.ts';

export type ProviderError = {
  readonly message: string;
  /** What the dialect's own code or type means; undefined when it does not decide. */
  readonly kind?: ModelFailureKind | undefined;
  readonly status?: number | undefined;
  readonly retryAfterMs?: number | undefined;
};

/** Who was asked, for messages. */
export type Asked = {
  readonly service: string;
  readonly modelId: string;
  readonly host: string;
  readonly keyName: string | undefined;
  readonly key: string | undefined;
};

/**
 * How the providers and servers that we know of say that the conversation is too long: OpenAI, Anthropic, Gemini,
 * llama.cpp, Ollama, vLLM, LM Studio, Mistral, Groq, xAI, OpenRouter, Together.
 */
const overflowShapes: readonly RegExp[] = [
  /context.{0,40}(?:length|window|size|limit).{0,60}(?:exceed|too (?:long|large|small)|overflow|maximum)/i,
  /(?:exceed|larger|longer|greater|more).{0,60}context.{0,20}(?:length|window|size|limit)/i,
  /maximum context length/i,
  /prompt is too long/i,
  /input is too long/i,
  /input token count.{0,40}exceeds/i,
  /maximum prompt length/i,
  /(?:reduce|shorten) the (?:length of the )?(?:messages|prompt|input)/i,
  /too many (?:input )?tokens/i,
  /exceed_context_size|context_length_exceeded/i,
  /trying to keep the first \d+ tokens/i,
];
const unknownModelShape =
  /model\b.{0,120}(?:not found|does not exist|not exist|is not (?:supported|available)|unknown|no such)|(?:unknown|no such|invalid) model\b/i;
const quotaShape =
  /credit balance is too low|insufficient (?:credits?|balance|quota|funds)|out of credits|billing hard limit/i;
const keyShape =
  /(?:invalid|incorrect|missing|wrong).{0,20}api.?key|api.?key (?:not valid|not found|expired|is invalid)/i;

export function toModelFailure(error: ProviderError, asked: Asked): ModelFailure {
  const kind = findKind(error);
  const said = cleanMessage(error.message, asked.key);
  return new ModelFailure(kind, describe(kind, said, error, asked), {
    ...(error.status !== undefined && { status: error.status }),
    ...(error.retryAfterMs !== undefined && { retryAfterMs: error.retryAfterMs }),
  });
}

function findKind({ kind, message, status }: ProviderError): ModelFailureKind {
  if (kind) return kind;
  if (status !== 401 && status !== 429 && overflowShapes.some((shape) => shape.test(message)))
    return 'context_overflow';
  if (status === 402 || quotaShape.test(message)) return 'quota';
  if (status === 401 || status === 403) return 'auth';
  if (status === 404) return 'unknown_model';
  if (status === 413) return 'context_overflow';
  if (status === 429) return 'rate_limit';
  if (status === 408 || status === 409 || (status !== undefined && status >= 500)) return 'overloaded';
  if (keyShape.test(message)) return 'auth';
  if (unknownModelShape.test(message)) return 'unknown_model';
  // An error without a status comes in the middle of a stream that had begun well: the server's trouble, not ours.
  return status === undefined ? 'overloaded' : 'bad_request';
}

function describe(kind: ModelFailureKind, said: string, error: ProviderError, asked: Asked): string {
  const status = error.status === undefined ? '' : ` (${error.status})`;
  const quoted = said === '' ? '.' : `: ${/[.!?…]$/.test(said) ? said : `${said}.`}`;
  const who = `${asked.service} at ${asked.host}`;
  switch (kind) {
    case 'auth':
      return `${who} refused the request${status}${quoted} ${keyAdvice(asked)}`;
    case 'quota':
      return `The account at ${who} has no credit left${status}${quoted} Add credit there, or choose another model with --model.`;
    case 'rate_limit':
      return `${who} asks to slow down${status}${quoted} Wait a little, or choose another model with --model.`;
    case 'overloaded':
      return `${who} is in trouble${status}${quoted} Try again later, or choose another model with --model.`;
    case 'context_overflow':
      return `The conversation is too long for ${asked.modelId}${status}${quoted} Start a new conversation, or choose a model with a larger window.`;
    case 'unknown_model':
      return `${who} does not know ${asked.modelId}${status}${quoted} Check the model's name and the base URL.`;
    case 'refused':
      return `The content filter of ${who} refused the request${status}${quoted} Say it in other words, or choose another model.`;
    default:
      return `${who} did not accept the request${status}${quoted}`;
  }
}

function keyAdvice({ keyName }: Asked): string {
  if (!keyName) return 'If it wants a key, name one as "keyName" of the service in settings.json.';
  return `Check the key in ${keyName}; \`handrail secrets set ${keyName}\` stores a new one.`;
}
