/** Models in an order: when one cannot answer, the next is asked. To its caller the chain is one model. */
import { ModelFailure } from '../contract/failure.ts';
import type { ModelFailureKind } from '../contract/failure.ts';
import type { ModelClient, ModelEvent, ModelInfo, ModelRequest } from '../contract/model.ts';

/** Tokens that must be left for an answer, or this part of a small window; less is cut off in the middle of a sentence. */
const answerTokens = 1_024;
const answerShare = 1 / 16;
const maxReasonChars = 400;

/**
 * `cancelled`, `budget`: nobody is to be asked any more. `refused`: a refusal is an answer; to look for a model that does
 * it all the same is for the user to decide.
 */
const finalKinds: ReadonlySet<ModelFailureKind> = new Set(['cancelled', 'budget', 'refused']);

type Passed = { readonly info: ModelInfo; readonly kind: ModelFailureKind; readonly reason: string };

/**
 * The first of `clients` is the one that the user wants; each brings its own retries. A chain is made for one turn: its next
 * request begins with the model that answered the last one, so that a dead service is not waited for in every round.
 */
export function createFallbackChain(clients: readonly ModelClient[]): ModelClient {
  const [first, ...others] = clients;
  if (first === undefined) throw new Error('A fallback chain needs a model.');
  if (others.length === 0) return first;
  let answeredLast = first;

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void, undefined> {
    const order = [answeredLast, ...clients.filter((client) => client !== answeredLast)];
    const passed: Passed[] = [];
    let told = 0;
    for (const client of order) {
      const tooSmall = findTooSmall(client.info, request.estimatedInputTokens, passed);
      if (tooSmall !== undefined) {
        passed.push(tooSmall);
        continue;
      }
      if (passed.length > told) yield toEvent(passed.slice(told), client.info);
      told = passed.length;
      try {
        for await (const event of client.stream(requestFor(client.info, request), signal)) {
          if (event.type === 'end') answeredLast = client;
          yield event.type === 'end' ? { answeredBy: client.info, ...event } : event;
        }
        return;
      } catch (error) {
        if (!(error instanceof ModelFailure) || finalKinds.has(error.kind)) throw error;
        passed.push({ info: client.info, kind: error.kind, reason: error.message });
      }
    }
    throw allFailed(passed, request.estimatedInputTokens);
  }
  return { info: first.info, chain: clients.map((client) => client.info), stream };
}

/** Undefined: as far as is known the request fits. */
function findTooSmall(info: ModelInfo, estimate: number | undefined, passed: readonly Passed[]): Passed | undefined {
  const room = Math.min(answerTokens, info.contextWindow * answerShare);
  const window = `its window of ${info.contextWindow} tokens`;
  if (estimate !== undefined && estimate + room > info.contextWindow) {
    return { info, kind: 'context_overflow', reason: `${window} is too small for about ${estimate} and an answer.` };
  }
  const overflowed = passed.find(
    (each) => each.kind === 'context_overflow' && each.info.contextWindow >= info.contextWindow,
  );
  if (overflowed === undefined) return undefined;
  return { info, kind: 'context_overflow', reason: `${window} is no larger than that of ${overflowed.info.id}.` };
}

/** A small model among large ones gets no more than it would get alone. */
function requestFor(info: ModelInfo, request: ModelRequest): ModelRequest {
  if (!info.isSmall) return request;
  return { ...request, tools: request.tools.filter((tool) => tool.isForSmallModels !== false) };
}

function toEvent(passed: readonly Passed[], to: ModelInfo): ModelEvent {
  const [first] = passed;
  if (first === undefined) throw new Error('Nothing was passed over.');
  const message = `${passed.map(toSentence).join(' ')} Now ${to.id} is asked.`;
  return { type: 'fallback', from: first.info.id, to: to.id, kind: first.kind, message };
}

function allFailed(passed: readonly Passed[], estimate: number | undefined): ModelFailure {
  const [first] = passed;
  const said = passed.map(toSentence).join(' ');
  if (passed.every((each) => each.kind === 'context_overflow')) {
    const size = estimate === undefined ? '' : ` of about ${estimate} tokens`;
    return new ModelFailure(
      'context_overflow',
      `The conversation${size} is too long for every model of the chain. ${said} Start a new conversation, or add a model with a larger window to "fallback" in settings.json.`,
    );
  }
  const kind = passed.find((each) => each.kind !== 'context_overflow')?.kind ?? first?.kind ?? 'network';
  return new ModelFailure(kind, `None of the ${passed.length} models could answer. ${said}`, { retryable: false });
}

function toSentence({ info, reason }: Passed): string {
  const short = reason.length > maxReasonChars ? `${reason.slice(0, maxReasonChars - 1)}…` : reason;
  return `${info.id}: ${short}`;
}
