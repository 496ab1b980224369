/** Older messages as text for whoever summarises them: results and arguments shortened, images named. */
import { truncateMiddle } from '../../base/truncate-middle.ts';
import type { Message } from '../../contract/message.ts';

/** One piece per message. `maxChars`: of what anybody said; a result and arguments get a quarter of it. */
export function renderMessages(messages: readonly Message[], maxChars: number): readonly string[] {
  return messages.map((message) => renderMessage(message, maxChars)).filter((text) => text !== '');
}

function renderMessage(message: Message, maxChars: number): string {
  if (message.role === 'tool') {
    return message.results
      .map(({ tool, text, images = [] }) => {
        const seen = images.map(() => ' [image]').join('');
        return `RESULT of ${tool}: ${shorten(text, maxChars / 4)}${seen}`;
      })
      .join('\n');
  }
  const who = message.role === 'user' ? 'USER' : 'ASSISTANT';
  const texts = message.parts.map((part) => {
    if (part.type === 'text') return part.text.trim() === '' ? '' : `${who}: ${shorten(part.text, maxChars)}`;
    if (part.type === 'image') return `${who}: [image]`;
    // A model's own notes are no part of what was said.
    return part.type === 'call' ? `CALL ${part.tool} ${shorten(part.input, maxChars / 4)}` : '';
  });
  return texts.filter((text) => text !== '').join('\n');
}

const shorten = (text: string, maxChars: number): string =>
  truncateMiddle(text, Math.floor(maxChars), (cut) => ` [... ${cut} characters ...] `);
