/** What people do in a conversation: say something, stop it, go on, call a tool, answer a question; and what happens there. */
import { z } from 'zod';
import type {
  Done,
  WebAnswer,
  WebNewQueuedMessage,
  WebNewTurn,
  WebQueuedText,
  WebResume,
  WebTurnStart,
} from '../../contract/web-api.ts';
import { RequestFailure } from '../request-failure.ts';
import { defineRoute, type Route, type RouteRequest } from '../route.ts';
import { streamResponse } from '../sse.ts';
import { modelName, nothing, wholeNumber } from './inputs.ts';
import type { RouteParts } from './route-parts.ts';

const megabyte = 1024 * 1024;

/** Only what a person says: whatever claims to come from a model or a tool is no part of it. */
const turnFields = {
  text: z.string().max(megabyte),
  images: z
    .array(
      z.strictObject({
        mediaType: z.enum(['image/png', 'image/jpeg', 'image/webp', 'image/gif']),
        data: z.base64().max(12 * megabyte),
      }),
    )
    .max(10)
    .exactOptional(),
  model: modelName.exactOptional(),
};
const newTurn = z.strictObject(turnFields);
const queued = z.strictObject({
  ...turnFields,
  id: z.string().regex(/^[\w-]{1,64}$/),
  isHeld: z.literal(true).exactOptional(),
});

const answer = z.strictObject({
  verdict: z.enum(['allow', 'deny']),
  scope: z.enum(['once', 'conversation', 'always']).exactOptional(),
  reason: z.string().max(2_000).exactOptional(),
  hash: z.string().max(200),
});

const done: Done = { done: true };

export function turnRoutes(parts: RouteParts): readonly Route[] {
  return [...runningRoutes(parts), ...queueRoutes(parts), ...personRoutes(parts), ...streamRoutes(parts)];
}

function runningRoutes({ list, work }: RouteParts): readonly Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/api/conversations/:id/turns',
      policy: 'session',
      summary: 'Says something: a turn begins',
      input: newTurn,
      maxBytes: 24 * megabyte,
      status: 202,
      async handle({ params, input }: RouteRequest<WebNewTurn>): Promise<WebTurnStart> {
        checkSaid(input);
        const { conversationId, turnId, seq } = await work.turn(await list.find(params['id'] ?? ''), input);
        return { conversationId, turnId, seq };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/conversations/:id/stop',
      policy: 'session',
      summary: 'Stops what runs in it',
      input: nothing,
      async handle({ params }) {
        if (work.stop((await list.find(params['id'] ?? '')).id)) return done;
        throw new RequestFailure('not_found', 'Nothing runs here. A turn of another program is stopped there.');
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/conversations/:id/resume',
      policy: 'session',
      summary: 'Goes on with a turn that was cut off',
      input: z.strictObject({ model: modelName.exactOptional() }),
      status: 202,
      async handle({ params, input }: RouteRequest<WebResume>) {
        if (await work.resume(await list.find(params['id'] ?? ''), input.model)) return done;
        throw new RequestFailure('not_found', 'No turn was cut off here.');
      },
    }),
  ];
}

function checkSaid({ text, images = [] }: WebNewTurn): void {
  if (text.trim() === '' && images.length === 0)
    throw new RequestFailure('invalid_input', 'There is nothing to send. Write something, or add an image.');
}

function queueRoutes({ list, queue }: RouteParts): readonly Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/api/conversations/:id/queue',
      policy: 'session',
      summary: 'Says something when the turn that runs has ended',
      input: queued,
      maxBytes: 24 * megabyte,
      status: 202,
      async handle({ params, input }: RouteRequest<WebNewQueuedMessage>) {
        checkSaid(input);
        queue.add((await list.find(params['id'] ?? '')).id, input);
        return done;
      },
    }),
    defineRoute({
      method: 'PATCH',
      path: '/api/conversations/:id/queue/:message',
      policy: 'session',
      summary: 'Changes the text of a message that waits',
      input: z.strictObject({ text: z.string().min(1).max(megabyte) }),
      maxBytes: 2 * megabyte,
      async handle({ params, input: { text } }: RouteRequest<WebQueuedText>) {
        queue.change(params['id'] ?? '', params['message'] ?? '', text);
        return done;
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/conversations/:id/queue/:message',
      policy: 'session',
      summary: 'Removes a message that waits',
      input: nothing,
      async handle({ params }) {
        queue.remove(params['id'] ?? '', params['message'] ?? '');
        return done;
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/conversations/:id/queue-release',
      policy: 'session',
      summary: 'Sends what was held after a turn that was stopped or failed',
      input: nothing,
      async handle({ params }) {
        queue.release((await list.find(params['id'] ?? '')).id);
        return done;
      },
    }),
  ];
}

function personRoutes({ list, work, desk }: RouteParts): readonly Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/api/conversations/:id/calls',
      policy: 'session',
      summary: 'Runs a tool that a person typed, and gives its outcome',
      input: z.strictObject({
        tool: z.string().min(1).max(200),
        input: z.record(z.string(), z.unknown()),
        asks: z.boolean().exactOptional(),
      }),
      maxBytes: 2 * megabyte,
      handle: async ({ params, input }) => work.call(await list.find(params['id'] ?? ''), input),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/questions/:id/answer',
      policy: 'session',
      summary: 'Answers the question that was shown',
      input: answer,
      async handle({ params, input }: RouteRequest<WebAnswer>) {
        desk.answer(params['id'] ?? '', input);
        return done;
      },
    }),
  ];
}

function streamRoutes(parts: RouteParts): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/conversations/:id/stream',
      policy: 'session',
      summary: 'Its events as they are written, behind `after` or Last-Event-ID',
      input: z.strictObject({ after: wholeNumber(2 ** 31).exactOptional() }),
      async handle({ params, input, header }) {
        const { id } = await parts.list.find(params['id'] ?? '');
        // A browser that connects again says the newer of the two.
        const last = /^\d{1,10}$/.exec(header('last-event-id') ?? '')?.[0];
        const after = last === undefined ? (input.after ?? 0) : Number(last);
        return streamResponse(await parts.feeds.follow(id, after));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/stream',
      policy: 'session',
      summary: 'Open questions, running turns, changes of the list; begins with a snapshot',
      input: nothing,
      async handle() {
        await parts.list.watch();
        return streamResponse(parts.notices.follow());
      },
    }),
  ];
}
