/** The sandbox itself: its rung, its userland and the packages of that, and the one long piece of work on it. */
import { homedir } from 'node:os';
import { z } from 'zod';
import type { Userland } from '../../contract/userland.ts';
import type { Done } from '../../contract/web-api.ts';
import type { WebNewSandboxWork, WebPackageQuery, WebSandbox, WebSandboxQuery } from '../../contract/web-sandbox.ts';
import { RequestFailure } from '../request-failure.ts';
import { defineRoute, type Route, type RouteRequest } from '../route.ts';
import { nothing } from './inputs.ts';
import type { RouteParts } from './route-parts.ts';

const done: Done = { done: true };
const maxFound = 200;

const conversation = z.string().max(200).exactOptional();
const yes = z.boolean().exactOptional();
const names = z.array(z.string().min(1).max(128)).min(1).max(100);

const action = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('install'),
    distribution: z.enum(['alpine', 'debian']).exactOptional(),
    version: z.string().max(40).exactOptional(),
    isBare: yes,
    replaces: yes,
  }),
  z.strictObject({ kind: z.literal('add-basic') }),
  z.strictObject({ kind: z.literal('reset'), withHome: yes }),
  z.strictObject({ kind: z.literal('uninstall') }),
  z.strictObject({ kind: z.enum(['install-packages', 'remove-packages']), names }),
]);

export function sandboxRoutes(parts: RouteParts): readonly Route[] {
  return [...lookRoutes(parts), ...workRoutes(parts)];
}

/** Where new conversations work, when none is named. */
async function userlandOf({ handrail, list }: RouteParts, id: string | undefined): Promise<Userland> {
  const folder = id === undefined ? handrail.workspace : (await list.find(id)).workspace;
  return handrail.userland(folder === '' ? homedir() : folder);
}

function lookRoutes(parts: RouteParts): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/sandbox',
      policy: 'session',
      summary: 'The rung in force and the ladder, and how the userland is',
      input: z.strictObject({ conversation }),
      async handle({ input }: RouteRequest<WebSandboxQuery>): Promise<WebSandbox> {
        const userland = await userlandOf(parts, input.conversation);
        const [report, status] = await Promise.all([parts.handrail.sandboxReport(), userland.status()]);
        return { report, userland: status };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/sandbox/packages',
      policy: 'session',
      summary: 'The packages of the userland: installed ones, or those that fit a word',
      input: z.strictObject({ conversation, search: z.string().max(100).exactOptional() }),
      async handle({ input }: RouteRequest<WebPackageQuery>) {
        const { packages } = await userlandOf(parts, input.conversation);
        return input.search === undefined ? packages.list() : packages.search(input.search, { limit: maxFound });
      },
    }),
  ];
}

function workRoutes(parts: RouteParts): readonly Route[] {
  const { sandboxWork } = parts;
  return [
    defineRoute({
      method: 'POST',
      path: '/api/sandbox/work',
      policy: 'session',
      summary: 'Installs, resets or removes the userland, or changes its packages',
      input: z.strictObject({ conversation, action }),
      status: 202,
      handle: async ({ input }: RouteRequest<WebNewSandboxWork>) =>
        sandboxWork.begin(await userlandOf(parts, input.conversation), input.action),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/sandbox/work/stop',
      policy: 'session',
      summary: 'Stops it',
      input: nothing,
      async handle() {
        if (sandboxWork.stop()) return done;
        throw new RequestFailure('not_found', 'Nothing is being changed there any more.');
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/sandbox/work',
      policy: 'session',
      summary: 'How it ended was seen',
      input: nothing,
      async handle() {
        if (sandboxWork.forget()) return done;
        throw new RequestFailure('not_found', 'Nothing that has ended is left to be seen.');
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/sandbox/work',
      policy: 'session',
      summary: 'How it goes, or how the last one ended',
      input: nothing,
      handle: async () => sandboxWork.progress(),
    }),
  ];
}
