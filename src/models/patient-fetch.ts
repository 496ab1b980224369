/** Ends an answer that falls silent or never ends: nothing that a server does may hold a turn for good or fill the memory. */
import { ModelFailure } from '../contract/failure.ts';
import type { Asked } from './classify-error.ts';
import { watchBody } from './watch-body.ts';

export type Patience = {
  /** Before the answer begins: local models read the whole request first. */
  readonly firstMs: number;
  /** Between two pieces of it. */
  readonly idleMs: number;
  /** Longest answer, in characters: several times what any model gives. */
  readonly maxAnswerChars: number;
};

/** `idleSeconds`: of the settings, for both; omitted: the usual. The platform itself gives up after 300 seconds. */
export function patienceOf(idleSeconds?: number): Patience {
  const maxAnswerChars = 64 * 1024 * 1024;
  if (idleSeconds === undefined) return { firstMs: 300_000, idleMs: 120_000, maxAnswerChars };
  return { firstMs: idleSeconds * 1000, idleMs: idleSeconds * 1000, maxAnswerChars };
}

/** Of a whole answer on the wire, several times what the longest one takes with an event for each token. */
const maxBytes = 128 * 1024 * 1024;
/** Of one event, which is held in memory until it is whole. */
const maxLineBytes = 32 * 1024 * 1024;
const lineFeed = 10;

export function createPatientFetch(
  fetch: typeof globalThis.fetch,
  asked: Pick<Asked, 'service' | 'host'>,
  { firstMs, idleMs }: Pick<Patience, 'firstMs' | 'idleMs'>,
): typeof globalThis.fetch {
  return async (input, init) => {
    const ending = new AbortController();
    const caller = init?.signal;
    const wait = (ms: number, kind: 'network' | 'incomplete') =>
      setTimeout(() => ending.abort(silence(asked, ms, kind)), ms).unref();
    let timer = wait(firstMs, 'network');
    const stop = () => clearTimeout(timer);
    caller?.addEventListener('abort', stop, { once: true });
    try {
      const signal = caller ? AbortSignal.any([caller, ending.signal]) : ending.signal;
      const response = await fetch(input, { ...init, signal });
      const tally = createTally(asked);
      return watchBody(response, {
        piece(chunk) {
          stop();
          tally(chunk);
          timer = wait(idleMs, 'incomplete');
        },
        end: stop,
      });
    } catch (error) {
      stop();
      throw ending.signal.aborted ? ending.signal.reason : error;
    }
  };
}

/** Throws when the answer is larger than any can be. */
function createTally(asked: Pick<Asked, 'service' | 'host'>): (chunk: Uint8Array) => void {
  let bytes = 0;
  let lineBytes = 0;
  return (chunk) => {
    bytes += chunk.byteLength;
    const end = chunk.lastIndexOf(lineFeed);
    lineBytes = end < 0 ? lineBytes + chunk.byteLength : chunk.byteLength - end - 1;
    if (bytes > maxBytes || lineBytes > maxLineBytes) throw tooLarge(asked);
  };
}

export function tooLarge({ service, host }: Pick<Asked, 'service' | 'host'>): ModelFailure {
  return new ModelFailure(
    'incomplete',
    `The answer of ${service} at ${host} is larger than any model's can be and was broken off. Try again, or choose another model with --model.`,
    { retryable: false },
  );
}

export function silence(
  { service, host }: Pick<Asked, 'service' | 'host'>,
  ms: number,
  kind: 'network' | 'incomplete',
): ModelFailure {
  const what = kind === 'network' ? 'does not answer' : 'fell silent in the middle of its answer';
  return new ModelFailure(
    kind,
    `${service} at ${host} ${what}: nothing came for ${ms / 1000} seconds. Try again, or raise "limits.modelIdleSeconds" in settings.json.`,
  );
}
