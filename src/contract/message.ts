/** The transcript: what a model is shown. Ours, and stored; a dialect translates it and keeps nothing of its own. */

export type TextPart = { readonly type: 'text'; readonly text: string };

/** An image for the model's context. `data` is base64 without a prefix. */
export type ImagePart = { readonly type: 'image'; readonly mediaType: string; readonly data: string };

/**
 * A model's own notes. `provider` names the dialect and model that made them and `providerData` holds its ids and
 * signatures, opaque: sent back unchanged to the same model, never to another.
 */
export type ReasoningPart = { readonly type: 'reasoning'; readonly text: string; readonly providerData?: ProviderData };

export type CallPart = {
  readonly type: 'call';
  /** Unique in the transcript: a dialect replaces empty and repeated ids. */
  readonly callId: string;
  /** As the model wrote it, also when no such tool exists. */
  readonly tool: string;
  /** The arguments as the model wrote them: JSON text, possibly broken. */
  readonly input: string;
  readonly providerData?: ProviderData;
};

export type AssistantText = TextPart & { readonly providerData?: ProviderData };

export type ProviderData = { readonly model: string; readonly data: Readonly<Record<string, unknown>> };

export type UserMessage = { readonly role: 'user'; readonly parts: readonly (TextPart | ImagePart)[] };

export type AssistantMessage = {
  readonly role: 'assistant';
  readonly parts: readonly (AssistantText | ReasoningPart | CallPart)[];
};

export type CallResult = {
  readonly callId: string;
  readonly tool: string;
  readonly text: string;
  readonly isError: boolean;
  readonly images?: readonly ImagePart[];
  /** Id of the artifact that holds the whole of a result that was cut. Omitted: there is none. */
  readonly artifact?: string;
};

export type ToolMessage = { readonly role: 'tool'; readonly results: readonly CallResult[] };

export type Message = UserMessage | AssistantMessage | ToolMessage;
