/** What a wire dialect's folder gives: the SDK's model and how history and errors look in that dialect. */
import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { Message } from '../contract/message.ts';
import type { ModelInfo, ModelRequest } from '../contract/model.ts';
import type { Asked } from './classify-error.ts';
import type { ReadError } from './guarded-fetch.ts';
import type { PromptConverter, PromptRules } from './to-prompt.ts';

export type Connection = {
  readonly modelId: string;
  readonly info: ModelInfo;
  readonly baseUrl: string;
  /** Undefined: the server wants none. */
  readonly key: string | undefined;
  readonly fetch: typeof globalThis.fetch;
};

export type DialectRules = {
  readonly prompt: Omit<PromptRules, 'model' | 'acceptsImages'>;
  readonly readError: ReadError;
  /** Whether an event that the SDK's schema does not know may be passed over: it carries no part of the answer. */
  isIgnorable(event: unknown): boolean;
};

export type OpenModel = {
  readonly model: LanguageModelV4;
  /** Adds what the dialect wants said beside prompt, tools and signal. */
  prepare(options: LanguageModelV4CallOptions, request: ModelRequest): LanguageModelV4CallOptions;
  /** Whether the wire marked the end of the request with this signal by other means than a finish reason. */
  sawEnd?(signal: AbortSignal): boolean;
};

/** A dialect's folder: rules at once, the SDK only when a request is to be sent. */
export type DialectModule = { readonly rules: DialectRules; open(connection: Connection): Promise<OpenModel> };

/** All that one request needs. */
export type Connected = {
  readonly asked: Asked;
  readonly rules: DialectRules;
  readonly open: OpenModel;
  readonly toPrompt: PromptConverter;
  /** Ids that calls of a history have. */
  callIds(messages: readonly Message[]): ReadonlySet<string>;
};
