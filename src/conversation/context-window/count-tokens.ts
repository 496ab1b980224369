/** Our own count of what a message, the tools and a request take, before the provider's figures correct it. */
import { estimateTokens } from '../../base/estimate-tokens.ts';
import type { AssistantMessage, Message } from '../../contract/message.ts';
import type { OfferedTool } from '../../contract/model.ts';

/** Images apart: a model that sees none gets a line of text in their place. */
export type MessageSize = { readonly textTokens: number; readonly images: number };

/** The most that one image takes at Anthropic (https://docs.anthropic.com/en/docs/build-with-claude/vision), and about that at others. */
const imageTokens = 1_600;
const placeholderTokens = 20;
/** Role and borders of a message, a call or a result. */
const frameTokens = 5;

export function sizeOf(message: Message): MessageSize {
  if (message.role === 'assistant') return { textTokens: frameTokens + countParts(message), images: 0 };
  if (message.role === 'user') {
    const texts = message.parts.map((part) => (part.type === 'text' ? estimateTokens(part.text) : 0));
    return {
      textTokens: frameTokens + sum(texts),
      images: message.parts.filter((part) => part.type === 'image').length,
    };
  }
  const texts = message.results.map(
    (result) => frameTokens + estimateTokens(result.text) + estimateTokens(result.tool),
  );
  return { textTokens: sum(texts), images: sum(message.results.map((result) => result.images?.length ?? 0)) };
}

export function tokensOf(size: MessageSize, acceptsImages: boolean): number {
  return size.textTokens + size.images * (acceptsImages ? imageTokens : placeholderTokens);
}

export type ToolCounter = (tools: readonly OfferedTool[]) => number;

/** As JSON, which is how each dialect sends them. The same tools come with every request: each schema is counted once. */
export function createToolCounter(): ToolCounter {
  const known = new WeakMap<object, number>();
  function countTool({ name, description, inputSchema }: OfferedTool): number {
    const schema = known.get(inputSchema) ?? estimateTokens(JSON.stringify(inputSchema));
    known.set(inputSchema, schema);
    return 2 * frameTokens + estimateTokens(name) + estimateTokens(description) + schema;
  }
  return (tools) => sum(tools.map(countTool));
}

function countParts({ parts }: AssistantMessage): number {
  return sum(
    parts.map((part) => {
      // What belongs to a signature is opaque: its length is all that is known.
      const sealed = part.providerData === undefined ? 0 : JSON.stringify(part.providerData.data).length / 4;
      if (part.type === 'call') return frameTokens + estimateTokens(part.tool) + estimateTokens(part.input) + sealed;
      return estimateTokens(part.text) + sealed;
    }),
  );
}

const sum = (values: readonly number[]): number => Math.ceil(values.reduce((total, value) => total + value, 0));
