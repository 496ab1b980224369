/** A conversation as a file to keep. */
import { z } from 'zod';
import { attachmentNamed } from '../../base/content-disposition.ts';
import { exportConversation, exportName } from '../../conversation/export/export-conversation.ts';
import { defineRoute, type Route } from '../route.ts';
import type { RouteParts } from './route-parts.ts';

const mediaTypes = { markdown: 'text/markdown; charset=utf-8', json: 'application/json' } as const;

export function exportRoutes({ handrail, list }: RouteParts): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/conversations/:id/export',
      policy: 'session',
      summary: 'A conversation as a file: Markdown to read, or JSON with every event',
      input: z.strictObject({ format: z.enum(['markdown', 'json']) }),
      async handle({ params, input: { format } }) {
        const { id } = await list.find(params['id'] ?? '');
        const conversation = await handrail.conversations.get(id);
        if (conversation === undefined) return list.find(id);
        const text = exportConversation(handrail.conversations, conversation, format);
        return new Response(ReadableStream.from(encoded(text)), {
          headers: {
            'content-type': mediaTypes[format],
            'content-disposition': attachmentNamed(exportName(conversation, format)),
            'cache-control': 'no-store',
          },
        });
      },
    }),
  ];
}

async function* encoded(text: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const part of text) if (part !== '') yield encoder.encode(part);
}
