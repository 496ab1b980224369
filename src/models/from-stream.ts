/** Turns the SDK's stream into our events; the last one holds the whole answer, and only a whole answer gets one. */
import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { ModelFailure } from '../contract/failure.ts';
import type { FinishReason, ModelEvent } from '../contract/model.ts';
import type { Asked } from './classify-error.ts';
import type { MessageCollector } from './collect-message.ts';
import { tooLarge } from './patient-fetch.ts';
import { readUsage } from './read-usage.ts';

export type StreamReading = {
  readonly asked: Asked;
  readonly collector: MessageCollector;
  /** A failure for an error inside the stream; undefined when it can be passed over. */
  toFailure(error: unknown): ModelFailure | undefined;
  /** Set when the wire said by other means than a finish reason that the answer was whole. */
  sawEnd(): boolean;
  /** Called for each piece that adds something to the answer. */
  onProgress(): void;
  readonly maxAnswerChars: number;
};

type Finish = Extract<LanguageModelV4StreamPart, { type: 'finish' }>;

export async function* readStream(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  reading: StreamReading,
): AsyncGenerator<ModelEvent, void, undefined> {
  const { collector } = reading;
  let finish: Finish | undefined;
  let passedOver = 0;
  const measure = createMeasure(reading);
  for await (const part of stream) {
    measure(part);
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        collector.start(kindOf(part.type), part.id, part.providerMetadata);
        break;
      case 'text-delta':
      case 'reasoning-delta':
        collector.add(kindOf(part.type), part.id, part.delta, part.providerMetadata);
        if (part.delta !== '') yield { type: part.type, text: part.delta };
        break;
      case 'text-end':
      case 'reasoning-end':
        collector.end(kindOf(part.type), part.id, part.providerMetadata);
        break;
      case 'tool-call':
        if (part.providerExecuted) break;
        collector.call({
          id: part.toolCallId,
          tool: part.toolName,
          input: part.input,
          metadata: part.providerMetadata,
        });
        break;
      case 'error': {
        const failure = isMissingFinish(part.error) && reading.sawEnd() ? undefined : reading.toFailure(part.error);
        if (failure) throw failure;
        passedOver += 1;
        break;
      }
      case 'finish':
        // The Anthropic model adds a second one, `interrupted`, behind a message that had no end.
        finish = part;
        break;
      default:
        // Sources, files, metadata and kinds that a later SDK may add carry nothing of ours.
        break;
    }
  }
  yield toEnd(finish, passedOver > 0, reading);
}

/** Throws when the answer grows beyond what any can be. */
function createMeasure({
  asked,
  onProgress,
  maxAnswerChars,
}: StreamReading): (part: LanguageModelV4StreamPart) => void {
  const streamed = new Set<string>();
  let chars = 0;
  return (part) => {
    const more = sizeOf(part, streamed);
    if (more === 0) return;
    chars += more;
    onProgress();
    if (chars > maxAnswerChars) throw tooLarge(asked);
  };
}

/** The arguments of a call come in pieces, and then once more as a whole. `streamed`: calls whose pieces have come. */
function sizeOf(part: LanguageModelV4StreamPart, streamed: Set<string>): number {
  switch (part.type) {
    case 'text-delta':
    case 'reasoning-delta':
      return part.delta.length;
    case 'tool-input-delta':
      streamed.add(part.id);
      return part.delta.length;
    case 'tool-call':
      return part.toolName.length + (streamed.has(part.toolCallId) ? 0 : part.input.length);
    default:
      return 0;
  }
}

/** The SDK's complaint about a chat stream without a finish reason; some servers say only `[DONE]`. */
function isMissingFinish(error: unknown): boolean {
  return error instanceof Error && error.name === 'AI_InvalidResponseDataError' && /finish reason/.test(error.message);
}

function kindOf(type: string): 'text' | 'reasoning' {
  return type.startsWith('text') ? 'text' : 'reasoning';
}

function toEnd(finish: Finish | undefined, hasPassedOver: boolean, reading: StreamReading): ModelEvent {
  const { asked, collector } = reading;
  const usage = finish && readUsage(finish.usage);
  const reason = finish && readFinish(finish.finishReason, collector.hasCalls());
  // The SDK calls a stream bad for good after an event it does not know; usage comes with the real end only.
  const isWhole = reason !== undefined || reading.sawEnd() || (hasPassedOver && (usage?.outputTokens ?? 0) > 0);
  if (!finish || !usage || !isWhole) throw incomplete(asked, finish?.finishReason.raw);
  // Gemini ends so when its model went astray (UNEXPECTED_TOOL_CALL, OTHER …); an answer without a word is none.
  if (finish.finishReason.unified === 'other' && collector.isEmpty()) throw incomplete(asked, finish.finishReason.raw);
  if (reason === 'refused' && collector.isEmpty()) {
    const why = finish.finishReason.raw ? ` (${finish.finishReason.raw})` : '';
    throw new ModelFailure(
      'refused',
      `The content filter of ${asked.service} at ${asked.host} refused to answer${why}. Say it in other words, or choose another model.`,
    );
  }
  const finished = reason ?? (collector.hasCalls() ? 'calls' : 'answer');
  return { type: 'end', message: collector.message(), usage, finish: finished };
}

/** Undefined: the provider did not say that the answer was whole. */
function readFinish({ unified, raw }: LanguageModelV4FinishReason, hasCalls: boolean): FinishReason | undefined {
  switch (unified) {
    case 'length':
      return 'length';
    case 'content-filter':
      return 'refused';
    case 'tool-calls':
    case 'stop':
      return hasCalls ? 'calls' : 'answer';
    case 'other':
      // A reason that the SDK does not know; none at all, or an empty one in every event, tells nothing.
      return raw ? (hasCalls ? 'calls' : 'answer') : undefined;
    default:
      return undefined;
  }
}

function incomplete(asked: Asked, raw: string | undefined): ModelFailure {
  // Gemini: MALFORMED_FUNCTION_CALL and its like; the answer is lost, another attempt usually works.
  const why = raw && /^[A-Z_]{3,60}$/.test(raw) ? ` (${raw})` : '';
  return new ModelFailure(
    'incomplete',
    `The answer of ${asked.service} at ${asked.host} ended before it was whole${why}. Try again.`,
  );
}
