/** Terminals of people: opened here, used by their socket (terminals/terminal-sockets.ts). */
import { z } from 'zod';
import type { WebTerminalWish } from '../../contract/web-terminals.ts';
import { RequestFailure } from '../request-failure.ts';
import { defineRoute, type Route, type RouteRequest } from '../route.ts';
import type { RouteParts } from './route-parts.ts';

const side = z.int().min(1).max(1_000);

export function terminalRoutes({ list, personTerminals }: RouteParts): readonly Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/api/terminals',
      policy: 'session',
      summary: 'Opens a terminal of a conversation, or the temporary one, where it is not open',
      input: z.strictObject({
        kind: z.enum(['session', 'temporary']),
        conversation: z.string().max(200).exactOptional(),
        columns: side,
        rows: side,
      }),
      async handle({ input: { kind, conversation, columns, rows } }: RouteRequest<WebTerminalWish>) {
        if ((kind === 'session') !== (conversation !== undefined))
          throw new RequestFailure('invalid_input', 'A session is that of a conversation; the temporary one has none.');
        const owner = conversation === undefined ? undefined : await list.find(conversation);
        return personTerminals.open(owner, { columns, rows });
      },
    }),
  ];
}
