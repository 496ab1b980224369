/** What lies where, copies of it, and everything that was said as one file. */
import { exportConversation } from '../../conversation/export/export-conversation.ts';
import type { Handrail } from '../../contract/handrail.ts';
import type { WebUpkeep } from '../../contract/web-setup.ts';
import { defineRoute, type Route } from '../route.ts';
import { nothing } from './inputs.ts';
import type { RouteParts } from './route-parts.ts';

const pageSize = 100;

export function upkeepRoutes({ handrail }: RouteParts): readonly Route[] {
  const { upkeep } = handrail;
  return [
    defineRoute({
      method: 'GET',
      path: '/api/upkeep',
      policy: 'session',
      summary: 'What lies where, how large it is, and the copies of it',
      input: nothing,
      async handle(): Promise<WebUpkeep> {
        const [places, backups] = await Promise.all([upkeep.places(), upkeep.list()]);
        return { places, backups };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/backups',
      policy: 'session',
      summary: 'Makes a backup: database, settings and artifacts, without secrets',
      input: nothing,
      status: 201,
      handle: () => upkeep.make(),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/conversations.jsonl',
      policy: 'session',
      summary: 'All conversations with every event, one JSON object per line',
      input: nothing,
      async handle() {
        return new Response(ReadableStream.from(allLines(handrail.conversations)), {
          headers: {
            'content-type': 'application/jsonl; charset=utf-8',
            'content-disposition': 'attachment; filename="handrail-conversations.jsonl"',
            'cache-control': 'no-store',
          },
        });
      },
    }),
  ];
}

/** Ids first: the order of the list changes while it is read. */
async function* allLines(conversations: Handrail['conversations']): AsyncGenerator<Uint8Array> {
  const ids = new Set<string>();
  for (let offset = 0; ; offset += pageSize) {
    const page = await conversations.list({ limit: pageSize, offset });
    for (const { id } of page) ids.add(id);
    if (page.length < pageSize) break;
  }
  const encoder = new TextEncoder();
  for (const id of ids) {
    const conversation = await conversations.get(id);
    // Removed meanwhile.
    if (conversation === undefined) continue;
    for await (const part of exportConversation(conversations, conversation, 'json'))
      // JSON has line breaks between its tokens only: those of texts are written as \n.
      yield encoder.encode(part.replaceAll('\n', ' '));
    yield encoder.encode('\n');
  }
}
