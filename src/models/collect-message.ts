/** Gathers the parts of an answer in their order while it streams in, with what the provider wants to see again. */
import type { SharedV4ProviderMetadata } from '@ai-sdk/provider';
import type { AssistantMessage, CallPart } from '../contract/message.ts';

type OpenPart = {
  readonly type: 'text' | 'reasoning';
  text: string;
  metadata: SharedV4ProviderMetadata | undefined;
  isSigned: boolean;
};

/** Longer than any provider makes them; each is kept, sent back and named in every event of its call. */
const maxIdChars = 200;

export type MessageCollector = {
  start(type: 'text' | 'reasoning', id: string, metadata: SharedV4ProviderMetadata | undefined): void;
  add(type: 'text' | 'reasoning', id: string, delta: string, metadata: SharedV4ProviderMetadata | undefined): void;
  end(type: 'text' | 'reasoning', id: string, metadata: SharedV4ProviderMetadata | undefined): void;
  call(call: { id: string; tool: string; input: string; metadata: SharedV4ProviderMetadata | undefined }): void;
  hasCalls(): boolean;
  isEmpty(): boolean;
  message(): AssistantMessage;
};

export function createMessageCollector(options: {
  /** `service/model`, the owner of what the provider wants to see again. */
  readonly model: string;
  /** Whether an earlier message has taken the id. */
  readonly isTaken: (id: string) => boolean;
  readonly newId: () => string;
}): MessageCollector {
  const parts: (OpenPart | CallPart)[] = [];
  const open = new Map<string, OpenPart>();
  const taken = new Set<string>();

  function begin(type: 'text' | 'reasoning', id: string, metadata: SharedV4ProviderMetadata | undefined): OpenPart {
    const part: OpenPart = { type, text: '', metadata: merge(undefined, metadata), isSigned: false };
    open.set(`${type} ${id}`, part);
    parts.push(part);
    return part;
  }

  function uniqueId(id: string): string {
    let unique = id.trim();
    while (unique === '' || unique.length > maxIdChars || taken.has(unique) || options.isTaken(unique))
      unique = options.newId();
    taken.add(unique);
    return unique;
  }

  const owned = (data: SharedV4ProviderMetadata | undefined) =>
    data && { providerData: { model: options.model, data: data as Readonly<Record<string, unknown>> } };

  return {
    start: (type, id, metadata) => void begin(type, id, metadata),
    add(type, id, delta, metadata) {
      let part = open.get(`${type} ${id}`) ?? begin(type, id, undefined);
      // A signature holds for what came before it: text behind it is a part of its own.
      if (part.isSigned && delta !== '') part = begin(type, id, undefined);
      part.text += delta;
      part.metadata = merge(part.metadata, metadata);
      part.isSigned ||= metadata?.google?.thoughtSignature !== undefined;
    },
    end(type, id, metadata) {
      const part = open.get(`${type} ${id}`);
      if (part) part.metadata = merge(part.metadata, metadata);
      open.delete(`${type} ${id}`);
    },
    call({ id, tool, input, metadata }) {
      // Many models write nothing at all for a tool without arguments.
      const written = input.trim() === '' ? '{}' : input;
      parts.push({ type: 'call', callId: uniqueId(id), tool, input: written, ...owned(merge(undefined, metadata)) });
    },
    hasCalls: () => parts.some((part) => part.type === 'call'),
    isEmpty: () => parts.every((part) => part.type !== 'call' && part.text.trim() === ''),
    message() {
      const kept = parts.filter((part) => part.type === 'call' || part.text !== '' || part.metadata !== undefined);
      return {
        role: 'assistant',
        parts: kept.map((part) => {
          if (part.type === 'call') return part;
          // Reasoning is always marked with its model, for it goes back to no other.
          const data = part.metadata ?? (part.type === 'reasoning' ? {} : undefined);
          return { type: part.type, text: part.text, ...owned(data) };
        }),
      };
    },
  };
}

/** Joined by namespace, later values over earlier ones, without what says nothing; undefined when nothing is left. */
function merge(
  before: SharedV4ProviderMetadata | undefined,
  more: SharedV4ProviderMetadata | undefined,
): SharedV4ProviderMetadata | undefined {
  if (!more) return before;
  const merged: SharedV4ProviderMetadata = { ...before };
  for (const [namespace, values] of Object.entries(more)) {
    const said = Object.entries(values ?? {}).filter(([, value]) => value !== null && value !== undefined);
    if (said.length > 0) merged[namespace] = { ...merged[namespace], ...Object.fromEntries(said) };
  }
  return Object.keys(merged).length > 0 ? merged : undefined;
}
