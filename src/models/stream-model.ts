/** One request, one stream: prompt out, events in, every failure as a ModelFailure, nothing left open behind it. */
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { ModelFailure } from '../contract/failure.ts';
import type { ModelEvent, ModelInfo, ModelRequest } from '../contract/model.ts';
import { createMessageCollector } from './collect-message.ts';
import type { Connected } from './dialect.ts';
import { silence } from './patient-fetch.ts';
import type { Patience } from './patient-fetch.ts';
import { readStream } from './from-stream.ts';
import { toStreamFailure } from './stream-failure.ts';

export type StreamRequest = {
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
  readonly connect: () => Promise<Connected>;
  readonly info: ModelInfo;
  readonly newId: () => string;
  readonly patience: Patience;
};

export async function* streamModel(parts: StreamRequest): AsyncGenerator<ModelEvent, void, undefined> {
  const { request, signal, info, newId } = parts;
  if (signal.aborted) throw cancelled();
  // A controller of our own: it also ends the connection when the consumer stops reading, and fires with a plain
  // AbortError, which the SDKs know, whatever reason the caller's signal has.
  const abort = new AbortController();
  const onAbort = () => abort.abort();
  signal.addEventListener('abort', onAbort, { once: true });
  let isDone = false;
  const progress = createProgress(parts.patience, () => abort.abort());
  let connected: Connected | undefined;
  try {
    connected = await parts.connect();
    const { asked, open, rules } = connected;
    const options = open.prepare(toCallOptions(connected, parts, abort.signal), request);
    const { stream } = await open.model.doStream(options);
    const callIds = connected.callIds(request.messages);
    const collector = createMessageCollector({ model: info.id, isTaken: (id) => callIds.has(id), newId });
    const reading = {
      asked,
      collector,
      toFailure: (error: unknown) => toStreamFailure(error, asked, rules),
      sawEnd: () => open.sawEnd?.(abort.signal) ?? false,
      onProgress: progress.restart,
      maxAnswerChars: parts.patience.maxAnswerChars,
    };
    for await (const event of readStream(stream, reading)) {
      if (signal.aborted) throw cancelled();
      isDone ||= event.type === 'end';
      yield event;
    }
  } catch (error) {
    if (signal.aborted) throw cancelled();
    if (progress.isOver() && connected) throw silence(connected.asked, progress.limitMs, 'incomplete');
    if (error instanceof ModelFailure || !connected) throw error;
    throw toStreamFailure(error, connected.asked, connected.rules) ?? error;
  } finally {
    progress.stop();
    signal.removeEventListener('abort', onAbort);
    if (!isDone) abort.abort();
  }
}

/** Signs of life are no answer: a stream of nothing else has five times as long as one of nothing at all. */
function createProgress({ idleMs, firstMs }: Patience, onOver: () => void) {
  const limitMs = Math.max(idleMs * 5, firstMs);
  let isOver = false;
  const over = () => {
    isOver = true;
    onOver();
  };
  let timer = setTimeout(over, limitMs).unref();
  const stop = () => clearTimeout(timer);
  return {
    limitMs,
    isOver: () => isOver,
    stop,
    restart() {
      stop();
      timer = setTimeout(over, limitMs).unref();
    },
  };
}

function toCallOptions(
  connected: Connected,
  { request, info }: StreamRequest,
  abortSignal: AbortSignal,
): LanguageModelV4CallOptions {
  // Without native calls a model gets its tools in the prompt's text: text-markers/with-text-markers.
  const tools = info.hasNativeCalls ? request.tools : [];
  return {
    prompt: connected.toPrompt(request.system, request.messages),
    abortSignal,
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: 'function' as const,
        name,
        description,
        inputSchema,
      })),
    }),
    ...(request.maxOutputTokens !== undefined && { maxOutputTokens: request.maxOutputTokens }),
  };
}

function cancelled(): ModelFailure {
  return new ModelFailure('cancelled', 'The request to the model was stopped.');
}
