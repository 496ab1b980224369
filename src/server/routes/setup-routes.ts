/** The first steps: which folders there are, what was chosen. */
import { z } from 'zod';
import type { WebWelcome, WebWelcomeChange } from '../../contract/web-setup.ts';
import { defineRoute, type Route, type RouteRequest } from '../route.ts';
import { nothing } from './inputs.ts';
import type { RouteParts } from './route-parts.ts';
import { RequestFailure } from '../request-failure.ts';

const folder = z.string().min(1).max(4_096);

export function setupRoutes({ handrail, choices }: RouteParts): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/folders',
      policy: 'session',
      summary: 'Folders in a folder of this machine, to choose a workspace from',
      input: z.strictObject({ path: folder.exactOptional() }),
      handle: ({ input }) => handrail.folders(input.path),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/welcome',
      policy: 'session',
      summary: 'Whether the first steps are done, and where new chats work',
      input: nothing,
      handle: async (): Promise<WebWelcome> => choices.get(),
    }),
    defineRoute({
      method: 'PATCH',
      path: '/api/welcome',
      policy: 'session',
      summary: 'Ends or begins the first steps, chooses where new chats work',
      input: z.strictObject({ isDone: z.boolean().exactOptional(), workspace: folder.nullable().exactOptional() }),
      async handle({ input }: RouteRequest<WebWelcomeChange>) {
        const before = choices.get();
        const wanted = input.workspace === undefined ? before.workspace : (input.workspace ?? undefined);
        const workspace = wanted === undefined || wanted === before.workspace ? wanted : await usable(wanted);
        choices.set({ isDone: input.isDone ?? before.isDone, ...(workspace === undefined ? {} : { workspace }) });
        return choices.get();
      },
    }),
  ];

  async function usable(wanted: string): Promise<string> {
    const { path, refusal } = await handrail.folders(wanted);
    if (refusal === undefined) return path;
    throw new RequestFailure('misuse', refusal);
  }
}
