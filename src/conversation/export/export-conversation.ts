/** A conversation as one file: Markdown to read, or the journal as JSON. Read and written page by page, however long it is. */
import type { JournalEvent } from '../../contract/event.ts';
import type { Handrail } from '../../contract/handrail.ts';
import type { Conversation } from '../../contract/storage.ts';
import { createMarkdownWriter } from './write-markdown.ts';

export type ExportFormat = 'markdown' | 'json';

const pageEvents = 500;

/** Secrets are out of it as they are out of the journal: they were never written there. */
export async function* exportConversation(
  conversations: Pick<Handrail['conversations'], 'events'>,
  conversation: Conversation,
  format: ExportFormat,
): AsyncGenerator<string> {
  const events = readEvents(conversations, conversation.id);
  yield* format === 'json' ? writeJson(conversation, events) : writeMarkdown(conversation, events);
}

/** "flaky-upload-test.md": letters and digits of any script; what a file system or a header could take amiss is left out. */
export function exportName({ title, id }: Pick<Conversation, 'title' | 'id'>, format: ExportFormat): string {
  const words = title.normalize('NFC').match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const name = [...words.join('-').toLowerCase()].slice(0, 60).join('').replace(/-$/, '');
  return `${name === '' ? `conversation-${id.slice(0, 8)}` : name}.${format === 'json' ? 'json' : 'md'}`;
}

async function* readEvents(
  conversations: Pick<Handrail['conversations'], 'events'>,
  id: string,
): AsyncGenerator<JournalEvent> {
  for (let afterSeq = 0; ;) {
    const page = await conversations.events(id, { afterSeq, limit: pageEvents });
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < pageEvents) return;
    afterSeq = last.seq;
  }
}

async function* writeJson(conversation: Conversation, events: AsyncIterable<JournalEvent>): AsyncGenerator<string> {
  const { isThrowaway: _, ...told } = conversation;
  yield `{\n"conversation": ${JSON.stringify(told)},\n"events": [`;
  let between = '\n';
  for await (const event of events) {
    yield `${between}${JSON.stringify(event)}`;
    between = ',\n';
  }
  yield '\n]\n}\n';
}

async function* writeMarkdown(conversation: Conversation, events: AsyncIterable<JournalEvent>): AsyncGenerator<string> {
  const writer = createMarkdownWriter();
  yield writer.head(conversation);
  for await (const event of events) yield writer.write(event);
}
