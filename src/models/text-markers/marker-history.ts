/** The transcript as a model without native calls reads it: its calls as markers, their results as the user's words. */
import type { AssistantMessage, CallPart, Message, ToolMessage, UserMessage } from '../../contract/message.ts';
import { toWireName } from '../wire-names.ts';

/** Messages are immutable: each is converted once, so that a growing history keeps its beginning byte for byte. */
export function createMarkerHistory(): (messages: readonly Message[]) => readonly Message[] {
  const known = new WeakMap<Message, Message>();
  function convert(message: Message): Message {
    const converted = known.get(message) ?? toText(message);
    known.set(message, converted);
    return converted;
  }
  return (messages) => messages.map(convert);
}

/** A model that repeats what it read must not call by it: with the space it is no marker. */
export function quoteMarkers(text: string): string {
  return text.replaceAll('[TOOL:', '[TOOL :');
}

function toText(message: Message): Message {
  switch (message.role) {
    case 'user':
      return quoteUser(message);
    case 'assistant':
      return writeCalls(message);
    case 'tool':
      return writeResults(message);
  }
}

function quoteUser(message: UserMessage): UserMessage {
  return {
    ...message,
    parts: message.parts.map((part) => (part.type === 'text' ? { ...part, text: quoteMarkers(part.text) } : part)),
  };
}

function writeCalls(message: AssistantMessage): AssistantMessage {
  let isAtLineStart = true;
  return {
    ...message,
    parts: message.parts.map((part) => {
      if (part.type === 'reasoning') return part;
      const before = isAtLineStart ? '' : '\n';
      isAtLineStart = part.type === 'text' && part.text.endsWith('\n');
      return part.type === 'text' ? part : { type: 'text', text: `${before}${markerOf(part)}` };
    }),
  };
}

function markerOf({ tool, input }: CallPart): string {
  return `[TOOL: ${toWireName(tool)} ${input.trim() === '' ? '{}' : input}]`;
}

function writeResults({ results }: ToolMessage): UserMessage {
  const texts = results.map(({ tool, text, isError }) => {
    const failed = isError ? ' failed' : '';
    return `<result of="${toWireName(tool)}"${failed}>\n${quoteMarkers(text).replaceAll('</result', '< /result')}\n</result>`;
  });
  const images = results.flatMap((result) => result.images ?? []);
  return { role: 'user', parts: [{ type: 'text', text: texts.join('\n') }, ...images] };
}
