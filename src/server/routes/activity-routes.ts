/** What was done and what goes on: the ledger, the hosts that were contacted, and what still runs. */
import { z } from 'zod';
import type { LedgerFilter } from '../../contract/ledger.ts';
import type { Done } from '../../contract/web-api.ts';
import type { WebHost, WebLedgerExport, WebLedgerQuery, WebRunning } from '../../contract/web-activity.ts';
import { groupByHost } from '../hosts-contacted.ts';
import { ledgerFile } from '../ledger-file.ts';
import { RequestFailure } from '../request-failure.ts';
import { defineRoute, type Route, type RouteRequest } from '../route.ts';
import { flag, nothing, wholeNumber } from './inputs.ts';
import type { RouteParts } from './route-parts.ts';

const done: Done = { done: true };
const maxContacts = 20_000;
const dayMs = 86_400_000;

const name = z.string().max(200).exactOptional();

const filters = {
  tool: name,
  conversation: name,
  call: name,
  origin: z.enum(['model', 'user', 'mcp', 'library']).exactOptional(),
  since: z.iso.datetime().exactOptional(),
  until: z.iso.datetime().exactOptional(),
  text: name,
  state: z.enum(['running', 'done', 'failed', 'denied']).exactOptional(),
  failed: flag.exactOptional(),
  denied: flag.exactOptional(),
};

const ledgerQuery = z.strictObject({
  ...filters,
  limit: wholeNumber(1_000).exactOptional(),
  offset: wholeNumber(1e9).exactOptional(),
});

export function activityRoutes(parts: RouteParts): readonly Route[] {
  return [...ledgerRoutes(parts), ...hostRoutes(parts), ...runningRoutes(parts)];
}

function ledgerRoutes({ handrail }: RouteParts): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/ledger',
      policy: 'session',
      summary: 'Every call, newest first',
      input: ledgerQuery,
      handle: ({ input }) => handrail.ledger.list(ledgerFilter(input)),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/ledger/count',
      policy: 'session',
      summary: 'How many calls fit, and how many of them failed or were denied',
      input: ledgerQuery,
      handle: ({ input }) => handrail.ledger.count(ledgerFilter(input)),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/ledger/export',
      policy: 'session',
      summary: 'All calls that fit, as a file',
      input: z.strictObject({ ...filters, format: z.enum(['csv', 'json']) }),
      async handle({ input: { format, ...query } }: RouteRequest<WebLedgerExport>) {
        const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json';
        return new Response(ledgerFile(handrail.ledger, ledgerFilter(query), format, new Date()), {
          headers: {
            'content-type': type,
            'content-disposition': `attachment; filename="handrail-ledger.${format}"`,
            'cache-control': 'no-store',
          },
        });
      },
    }),
  ];
}

function hostRoutes({ handrail }: RouteParts): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/hosts',
      policy: 'session',
      summary: 'Hosts that commands have contacted or tried to',
      input: z.strictObject({ days: wholeNumber(366).exactOptional() }),
      async handle({ input: { days = 1 } }): Promise<readonly WebHost[]> {
        const since = new Date(Date.now() - Math.max(1, days) * dayMs).toISOString();
        return groupByHost(await handrail.contacts({ limit: maxContacts }), since);
      },
    }),
  ];
}

function runningRoutes(parts: RouteParts): readonly Route[] {
  const { handrail } = parts;
  return [
    defineRoute({
      method: 'GET',
      path: '/api/running',
      policy: 'session',
      summary: 'Jobs, shells and terminals that run now',
      input: nothing,
      handle: () => runningNow(parts),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/running/shells/:conversation/close',
      policy: 'session',
      summary: 'Ends the shell of a conversation with everything it has started',
      input: nothing,
      async handle({ params }) {
        if (await (await handrail.shells()).close(params['conversation'] ?? '')) return done;
        throw new RequestFailure('not_found', 'This conversation has no open shell any more.');
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/running/terminals/:conversation/:name/close',
      policy: 'session',
      summary: 'Ends a terminal with everything it has started',
      input: nothing,
      async handle({ params }) {
        await (await handrail.terminals()).close(params['conversation'] ?? '', params['name'] ?? '');
        return done;
      },
    }),
  ];
}

async function runningNow({ handrail }: RouteParts): Promise<WebRunning> {
  const [jobs, shells, terminals] = await Promise.all([
    handrail.jobs().then((all) => all.list()),
    handrail.shells().then((all) => all.list()),
    handrail.terminals().then((all) => all.list()),
  ]);
  const alive = terminals.filter(({ isAlive }) => isAlive);
  const running = jobs.filter(({ state }) => state === 'running');
  const ids = [...running, ...shells, ...alive].map(({ conversation }) => conversation);
  const titles = await titlesOf(handrail, new Set(ids));
  return {
    jobs: running.map((each) => ({ ...each, ...titles(each.conversation) })),
    shells: shells.map((each) => ({ ...each, ...titles(each.conversation) })),
    terminals: alive.map(({ conversation, workspace, name: ownName, command }) => ({
      ...{ conversation, workspace, name: ownName, command },
      ...titles(conversation),
    })),
  };
}

async function titlesOf({ conversations }: RouteParts['handrail'], ids: ReadonlySet<string>) {
  const found = await Promise.all([...ids].map((id) => conversations.get(id)));
  const titles = new Map(
    found.flatMap((each) => (each === undefined || each.isThrowaway ? [] : [[each.id, each.title] as const])),
  );
  return (id: string): { readonly title?: string } => {
    const title = titles.get(id);
    return title === undefined ? {} : { title };
  };
}

function ledgerFilter({ conversation, call, failed, denied, ...rest }: WebLedgerQuery): LedgerFilter {
  return {
    ...rest,
    ...(conversation === undefined ? {} : { conversationId: conversation }),
    ...(call === undefined ? {} : { callId: call }),
    ...(failed === undefined ? {} : { failed: true }),
    ...(denied === undefined ? {} : { denied: true }),
  };
}
