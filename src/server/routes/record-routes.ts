/** The state of the program, and what is kept: tools, grants, costs, jobs, findings. */
import { homedir } from 'node:os';
import { z } from 'zod';
import type {
  Done,
  WebArtifactPage,
  WebArtifactQuery,
  WebJob,
  WebJobLog,
  WebState,
  WebToolSwitch,
} from '../../contract/web-api.ts';
import { RequestFailure } from '../request-failure.ts';
import { defineRoute, type Route, type RouteRequest } from '../route.ts';
import { nothing, wholeNumber } from './inputs.ts';
import type { RouteParts } from './route-parts.ts';

const done: Done = { done: true };

const artifactQuery = z.strictObject({
  offset: wholeNumber(1e9).exactOptional(),
  limit: wholeNumber(200_000).exactOptional(),
});

export function recordRoutes(parts: RouteParts): readonly Route[] {
  return [
    ...programRoutes(parts),
    ...grantRoutes(parts),
    ...spentRoutes(parts),
    ...jobRoutes(parts),
    ...artifactRoutes(parts),
  ];
}

function programRoutes(parts: RouteParts): readonly Route[] {
  const { handrail, settingsWatch } = parts;
  return [
    defineRoute({
      method: 'GET',
      path: '/api/state',
      policy: 'session',
      summary: 'The program: version, sandbox, model, settings that matter to the screen',
      input: nothing,
      handle: () => stateOf(parts),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/doctor',
      policy: 'session',
      summary: 'What is good and what is to be mended',
      input: nothing,
      handle: () => handrail.examine(),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/tools',
      policy: 'session',
      summary: 'All tools, and whether each is on',
      input: nothing,
      handle: () => handrail.listTools(),
    }),
    defineRoute({
      method: 'PATCH',
      path: '/api/tools/:name',
      policy: 'session',
      summary: 'Turns a tool on or off',
      input: z.strictObject({ isOn: z.boolean() }),
      async handle({ params, input: { isOn } }: RouteRequest<WebToolSwitch>) {
        const tool = (await handrail.listTools()).find(({ name }) => name === params['name']);
        if (tool === undefined) throw new RequestFailure('not_found', `There is no tool ${params['name'] ?? ''}.`);
        await handrail.switchTool(tool.name, isOn);
        await settingsWatch.look();
        return done;
      },
    }),
  ];
}

function grantRoutes({ handrail }: RouteParts): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/grants',
      policy: 'session',
      summary: 'What was allowed for longer than once: all, or what holds in one conversation',
      input: z.strictObject({ conversation: z.string().max(200).exactOptional() }),
      handle: ({ input }) =>
        input.conversation === undefined ? handrail.grants.all() : handrail.grants.list(input.conversation),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/grants/:id',
      policy: 'session',
      summary: 'Takes back what was allowed',
      input: nothing,
      async handle({ params }) {
        if (await handrail.grants.revoke(params['id'] ?? '')) return done;
        throw new RequestFailure('not_found', 'There is no such grant. It may have been revoked already.');
      },
    }),
  ];
}

function spentRoutes({ handrail }: RouteParts): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/costs',
      policy: 'session',
      summary: 'What models have taken, by day, conversation and model',
      input: z.strictObject({ days: wholeNumber(3_660).exactOptional() }),
      handle: ({ input }) => handrail.costs(Math.max(1, input.days ?? 30)),
    }),
  ];
}

function jobRoutes({ handrail }: RouteParts): readonly Route[] {
  const of = async (params: Readonly<Record<string, string>>) =>
    (await handrail.jobs()).of(params['conversation'] ?? '');
  return [
    defineRoute({
      method: 'GET',
      path: '/api/jobs',
      policy: 'session',
      summary: 'Background jobs of all conversations',
      input: nothing,
      handle: async (): Promise<readonly WebJob[]> => (await handrail.jobs()).list(),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/jobs/:conversation/:id/log',
      policy: 'session',
      summary: 'Lines of what one has printed; without an offset the last',
      input: z.strictObject({ offset: wholeNumber(1e12).exactOptional(), limit: wholeNumber(2_000).exactOptional() }),
      async handle({ params, input: { offset, limit = 200 } }): Promise<WebJobLog> {
        return (await of(params)).log(params['id'] ?? '', { offset: offset ?? -limit, limit });
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/jobs/:conversation/:id/kill',
      policy: 'session',
      summary: 'Ends one with everything it has started',
      input: nothing,
      handle: async ({ params }) => (await of(params)).kill(params['id'] ?? ''),
    }),
  ];
}

function artifactRoutes({ handrail }: RouteParts): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/artifacts/:id',
      policy: 'session',
      summary: 'A page of a result that was too long and is kept whole',
      input: artifactQuery,
      handle: ({
        params,
        input: { offset = 0, limit = 20_000 },
      }: RouteRequest<WebArtifactQuery>): Promise<WebArtifactPage> =>
        handrail.readArtifact(params['id'] ?? '', { offset, limit: Math.max(1, limit) }),
    }),
  ];
}

async function stateOf({ handrail, choices }: RouteParts): Promise<WebState> {
  const { problem } = await handrail.settingsFile.look();
  const { version, settings } = handrail;
  const usual = choices.get().workspace ?? handrail.workspace;
  const { sandbox, features, limits, budgets, defaultModel, fallback } = settings;
  const [rung, model, modelChoices] = await Promise.all([handrail.rung(), handrail.model(), handrail.modelChoices()]);
  return {
    version,
    rung,
    modelChoices,
    settings: { sandbox, features, limits, budgets, defaultModel, fallback },
    home: homedir(),
    isWelcomeDue: !choices.get().isDone && (await handrail.conversations.list({ limit: 1 })).length === 0,
    pendingConfirmations: handrail.confirmations.pending(),
    confirmationHash: handrail.confirmations.hash(),
    ...(problem === undefined ? {} : { settingsProblem: problem }),
    ...(usual === '' ? {} : { workspace: usual }),
    ...(model === undefined ? {} : { model }),
  };
}
