/** A model behind one small interface: a stream of events in, everything provider-specific hidden. */
import type { AssistantMessage, Message } from './message.ts';

/** A JSON Schema 2020-12 object. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export type OfferedTool = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** False: a fallback to a small model leaves it out. Omitted: unknown, it goes along. */
  readonly isForSmallModels?: boolean;
};

export type ModelRequest = {
  readonly system: string;
  readonly messages: readonly Message[];
  /** Empty: the model must answer in text. */
  readonly tools: readonly OfferedTool[];
  /** Omitted: the catalogue's figure for the model. */
  readonly maxOutputTokens?: number;
  /** What the request will probably take of the window; a fallback chain passes over models that are too small. Omitted: unknown. */
  readonly estimatedInputTokens?: number;
};

export type Usage = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Part of `inputTokens` that the provider had cached. */
  readonly cachedInputTokens: number;
  readonly reasoningTokens: number;
  /** Part of `inputTokens` that the provider newly cached and counts apart. Omitted: none. */
  readonly cacheWriteTokens?: number;
};

/** `stopped`: cut off by the user; the message holds what had arrived. */
export type FinishReason = 'answer' | 'calls' | 'length' | 'refused' | 'stopped';

export type ModelEvent =
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  /** Made by models/with-retry: what was streamed so far is void, and another attempt follows after the wait. */
  | {
      readonly type: 'retry';
      readonly kind: string;
      readonly message: string;
      readonly attempt: number;
      readonly waitMs: number;
    }
  /** Made by models/fallback-chain: what was streamed so far is void, and another model is asked. */
  | {
      readonly type: 'fallback';
      readonly from: string;
      readonly to: string;
      readonly kind: string;
      readonly message: string;
    }
  /** The last event of every stream that did not throw. `answeredBy`: omitted, the client's own model. */
  | {
      readonly type: 'end';
      readonly message: AssistantMessage;
      readonly usage: Usage;
      readonly finish: FinishReason;
      readonly answeredBy?: ModelInfo;
    };

export type ModelInfo = {
  /** `service/model`, as the user names it. */
  readonly id: string;
  /** In tokens; an estimate from the catalogue. */
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  readonly acceptsImages: boolean;
  /** False: calls go through the text-marker protocol. */
  readonly hasNativeCalls: boolean;
  /** A small local model: it is offered only the tools made for such. */
  readonly isSmall: boolean;
  /** Dollars per million tokens; undefined when unknown. */
  readonly price?: {
    readonly input: number;
    readonly output: number;
    /** Omitted: as `input`. */
    readonly cachedInput?: number;
    /** Omitted: as `input`. */
    readonly cacheWrite?: number;
  };
};

/**
 * One request, one stream. Throws ModelFailure only, `cancelled` when the signal fired, `incomplete` when the stream
 * ended before the provider said it was whole. It does not retry: models/with-retry does.
 */
export type ModelClient = {
  readonly info: ModelInfo;
  /** All that may answer, in order, `info` first. Omitted: `info` alone. A request may be as large as the largest of them takes. */
  readonly chain?: readonly ModelInfo[];
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
};
