/** Signing in and out, and whether the server is up. */
import { z } from 'zod';
import type { Done, WebHealth, WebSignIn } from '../../contract/web-api.ts';
import { cookieHeader, readCookie } from '../cookies.ts';
import { messagePage, onwardPage } from '../message-page.ts';
import { RequestFailure } from '../request-failure.ts';
import { defineRoute, type Route, type RouteRequest } from '../route.ts';
import { sessionDays } from '../sessions.ts';
import { nothing } from './inputs.ts';
import type { RouteParts } from './route-parts.ts';

export function sessionRoutes(parts: RouteParts): readonly Route[] {
  return [...linkRoutes(parts), ...passwordRoutes(parts)];
}

const onward = { location: '/', 'cache-control': 'no-store' };

const newCookie = (name: string, value: string): string => cookieHeader(name, value, sessionDays * 86_400);

function linkRoutes({ handrail, sessions, cookieName }: RouteParts): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/healthz',
      policy: 'public',
      summary: 'Whether the server is up',
      input: nothing,
      handle: async (): Promise<WebHealth> => ({ status: 'ok', version: handrail.version }),
    }),
    defineRoute({
      method: 'GET',
      path: '/link/:token',
      policy: 'public',
      summary: 'Signs one browser in, once, and goes to the start page',
      input: nothing,
      async handle({ params, header }) {
        // A browser that looks ahead must not use it up.
        const isLookingAhead = header('sec-purpose') !== undefined || header('purpose') !== undefined;
        const value = isLookingAhead ? undefined : sessions.redeem(params['token'] ?? '');
        const isKnown = sessions.isValid(readCookie(header('cookie'), cookieName));
        if (value === undefined && !isKnown) return messagePage(401, 'This link does not work', usedLink);
        // A redirect would still count as opened by the other place, and the cookie stay behind (RFC 6265bis 5.2.1): a page goes on itself.
        const isFromElsewhere = header('sec-fetch-site') === 'cross-site';
        const answer = isFromElsewhere ? onwardPage() : new Response(undefined, { status: 303, headers: onward });
        if (value !== undefined) answer.headers.set('set-cookie', newCookie(cookieName, value));
        return answer;
      },
    }),
  ];
}

function passwordRoutes(parts: RouteParts): readonly Route[] {
  const { sessions, cookieName } = parts;
  return [
    defineRoute({
      method: 'POST',
      path: '/api/session',
      policy: 'public',
      summary: 'Signs this browser in by the password of the server',
      input: z.strictObject({ password: z.string().max(1_000) }),
      async handle({ input }: RouteRequest<WebSignIn>) {
        if (!parts.hasPassword)
          throw new RequestFailure(
            'no_session',
            'This server has no password. Open the link that `handrail serve` printed.',
          );
        const verdict = parts.password(input.password);
        if (verdict === 'too-many')
          throw new RequestFailure('too_many', 'Too many wrong passwords. Wait five minutes, or open a link.');
        if (verdict === 'wrong') throw new RequestFailure('no_session', 'That is not the password of this server.');
        return Response.json({ done: true } satisfies Done, {
          headers: { 'set-cookie': newCookie(cookieName, sessions.begin()) },
        });
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/session',
      policy: 'session',
      summary: 'Signs this browser out',
      input: nothing,
      async handle({ header }) {
        sessions.end(readCookie(header('cookie'), cookieName));
        return Response.json({ done: true } satisfies Done, {
          headers: { 'set-cookie': cookieHeader(cookieName, '', 0) },
        });
      },
    }),
  ];
}

const usedLink =
  'It was used before, or it is older than ten minutes. Press Enter in the terminal of handrail serve for a new one, or start it again.';
