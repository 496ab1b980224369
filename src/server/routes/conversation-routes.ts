/** Conversations: list, make, change, remove and take back, and what was said in them. */
import { z } from 'zod';
import type {
  WebBranch,
  WebConversationChange,
  WebConversationPage,
  WebConversationQuery,
  WebEventPage,
  WebEventQuery,
  WebNewConversation,
  WebRemoval,
} from '../../contract/web-api.ts';
import { RequestFailure } from '../request-failure.ts';
import { defineRoute, type Route, type RouteRequest } from '../route.ts';
import { withoutPieces } from '../whole-events.ts';
import { flag, nothing, title, wholeNumber } from './inputs.ts';
import type { RouteParts } from './route-parts.ts';

const listQuery = z.strictObject({
  search: z.string().max(200).exactOptional(),
  limit: wholeNumber(200).exactOptional(),
  offset: wholeNumber(1_000_000).exactOptional(),
});

const eventQuery = z.strictObject({
  after: wholeNumber(2 ** 31).exactOptional(),
  before: wholeNumber(Number.MAX_SAFE_INTEGER).exactOptional(),
  limit: wholeNumber(5_000).exactOptional(),
  whole: flag.exactOptional(),
});

const newConversation = z.strictObject({
  title: title.exactOptional(),
  kind: z.enum(['chat', 'interactive']).exactOptional(),
  workspace: z.string().min(1).max(4_096).nullable().exactOptional(),
});
const change = z.strictObject({ title: title.exactOptional(), isPinned: z.boolean().exactOptional() });

export function conversationRoutes(parts: RouteParts): readonly Route[] {
  return [...readingRoutes(parts), ...changingRoutes(parts), branchRoute(parts), ...removalRoutes(parts)];
}

const idOf = (params: Readonly<Record<string, string>>): string => params['id'] ?? '';

function readingRoutes(parts: RouteParts): readonly Route[] {
  const { list } = parts;
  return [
    defineRoute({
      method: 'GET',
      path: '/api/conversations',
      policy: 'session',
      summary: 'Lists conversations, pinned ones first, then newest first',
      input: listQuery,
      handle: ({ input }) => listPage(parts, input),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/conversations/:id',
      policy: 'session',
      summary: 'One conversation',
      input: nothing,
      handle: async ({ params }) => list.shown(await list.find(idOf(params))),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/conversations/:id/events',
      policy: 'session',
      summary: 'A page of its events, in order',
      input: eventQuery,
      handle: async ({ params, input }) => eventPage(parts, (await list.find(idOf(params))).id, input),
    }),
  ];
}

function changingRoutes({ handrail: { conversations }, list, choices }: RouteParts): readonly Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/api/conversations',
      policy: 'session',
      summary: 'Makes an empty conversation',
      input: newConversation,
      status: 201,
      async handle({ input }) {
        const { workspace: usual } = choices.get();
        const place = usual === undefined || input.workspace !== undefined ? {} : { workspace: usual };
        const made = await conversations.create({ ...(input satisfies WebNewConversation), ...place });
        await list.tell(made.id);
        return list.shown(made);
      },
    }),
    defineRoute({
      method: 'PATCH',
      path: '/api/conversations/:id',
      policy: 'session',
      summary: 'Renames or pins one',
      input: change,
      async handle({ params, input }) {
        const { id } = await list.find(idOf(params));
        await conversations.update(id, input satisfies WebConversationChange);
        await list.tell(id);
        return list.shown(await list.find(id));
      },
    }),
  ];
}

function branchRoute({ handrail: { conversations }, list }: RouteParts): Route {
  return defineRoute({
    method: 'POST',
    path: '/api/conversations/:id/branch',
    policy: 'session',
    summary: 'Makes a conversation that begins with the events of this one before a place',
    input: z.strictObject({
      beforeSeq: z
        .int()
        .min(1)
        .max(2 ** 31),
    }),
    status: 201,
    async handle({ params, input: { beforeSeq } }: RouteRequest<WebBranch>) {
      const { id } = await list.find(idOf(params));
      const made = await conversations.branch(id, beforeSeq);
      await list.tell(made.id);
      return list.shown(made);
    },
  });
}

function removalRoutes(parts: RouteParts): readonly Route[] {
  const { list } = parts;
  return [
    defineRoute({
      method: 'DELETE',
      path: '/api/conversations/:id',
      policy: 'session',
      summary: 'Removes one after some seconds, in which it can be restored',
      input: nothing,
      handle: ({ params }) => remove(parts, idOf(params)),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/conversations/:id/restore',
      policy: 'session',
      summary: 'Takes a removal back',
      input: nothing,
      async handle({ params }) {
        const id = idOf(params);
        if (!parts.removals.restore(id))
          throw new RequestFailure('not_found', 'It is too late, or it was not being removed.');
        await list.tell(id);
        return list.shown(await list.find(id));
      },
    }),
  ];
}

async function listPage(parts: RouteParts, query: WebConversationQuery): Promise<WebConversationPage> {
  const { search, limit = 50, offset = 0 } = query;
  const filter = { limit: limit + 1, offset, pinnedFirst: true, ...(search === undefined ? {} : { search }) };
  const found = await parts.handrail.conversations.list(filter);
  const shown = found.slice(0, limit).filter(({ id }) => !parts.removals.has(id));
  return {
    conversations: shown.map(parts.list.shown),
    ...(found.length > limit ? { nextOffset: offset + limit } : {}),
  };
}

async function remove(parts: RouteParts, wanted: string): Promise<WebRemoval> {
  const { id } = await parts.list.find(wanted);
  if (parts.work.isRunning(id))
    throw new RequestFailure(
      'busy',
      'Something runs in this conversation. Stop it first, then remove the conversation.',
    );
  const until = parts.removals.remove(id);
  parts.queue.drop(id);
  parts.feeds.end(id);
  parts.notices.publish({ type: 'conversation-removed', conversationId: id });
  return { undoUntil: until.toISOString() };
}

/** Positions have no gaps, so a page before a place is counted back from there. */
async function eventPage(parts: RouteParts, id: string, query: WebEventQuery): Promise<WebEventPage> {
  const { conversations } = parts.handrail;
  const lastSeq = await conversations.lastSeq(id);
  const { limit = 1_000, before, whole } = query;
  const end = Math.min(before === undefined ? lastSeq : before - 1, lastSeq);
  const isForward = query.after !== undefined || before === undefined;
  const afterSeq = isForward ? (query.after ?? 0) : Math.max(0, end - limit);
  const size = Math.max(0, Math.min(limit, end - afterSeq));
  const raw = size === 0 ? [] : await conversations.events(id, { afterSeq, limit: size });
  return {
    events: whole === undefined ? raw : withoutPieces(raw),
    lastSeq,
    firstSeq: raw[0]?.seq ?? 0,
    reachesSeq: raw.at(-1)?.seq ?? 0,
  };
}
