/** Models: which services are connected, whether one answers; and the keys of them, which go in and never come out. */
import { z } from 'zod';
import type { ModelTrial } from '../../contract/model-setup.ts';
import type { Done } from '../../contract/web-api.ts';
import type { WebNewSecret, WebSecretKept, WebSecrets } from '../../contract/web-setup.ts';
import { RequestFailure } from '../request-failure.ts';
import { defineRoute, type Route, type RouteRequest } from '../route.ts';
import { modelName, nothing } from './inputs.ts';
import type { RouteParts } from './route-parts.ts';

const done: Done = { done: true };

/** As a variable of the environment has, by which a key is found too. */
const secretName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,199}$/, 'must be letters, digits and underscores');
const secretValue = z.string().min(1).max(16_384);

/** What the settings take for a service: they are asked themselves when it is saved. */
const service = z.strictObject({
  service: z.string().min(1).max(100),
  dialect: z.enum(['openai-chat', 'openai-responses', 'anthropic', 'gemini']),
  baseUrl: z.string().max(2_000).exactOptional(),
  keyName: secretName.exactOptional(),
  contextWindow: z.int().positive().exactOptional(),
});

export function modelRoutes(parts: RouteParts): readonly Route[] {
  return [...trialRoutes(parts), ...secretRoutes(parts)];
}

function trialRoutes({ handrail }: RouteParts): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/models',
      policy: 'session',
      summary: 'Services of models that are connected, and local servers that answer now',
      input: nothing,
      handle: () => handrail.modelSetup(),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/models/test',
      policy: 'session',
      summary: 'Asks a model for one short answer',
      input: z.strictObject({ model: modelName, service: service.exactOptional(), key: secretValue.exactOptional() }),
      async handle({ input }: RouteRequest<ModelTrial>) {
        await handrail.settingsFile.look();
        return handrail.tryModel(input);
      },
    }),
  ];
}

function secretRoutes({ handrail: { secrets, upkeep } }: RouteParts): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/secrets',
      policy: 'session',
      summary: 'Names of the kept secrets, and where they lie',
      input: nothing,
      async handle(): Promise<WebSecrets> {
        const [names, places] = await Promise.all([secrets.names(), upkeep.places()]);
        return { names, place: places.find(({ kind }) => kind === 'secrets')?.place ?? '' };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/secrets',
      policy: 'session',
      summary: 'Keeps a secret under a name',
      input: z.strictObject({ name: secretName, value: secretValue }),
      handle: ({ input }: RouteRequest<WebNewSecret>): Promise<WebSecretKept> =>
        secrets.set(input.name, input.value.trim()),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/secrets/:name',
      policy: 'session',
      summary: 'Forgets a secret',
      input: nothing,
      async handle({ params }) {
        if (await secrets.remove(params['name'] ?? '')) return done;
        throw new RequestFailure('not_found', 'No secret of that name is kept. It may come from the environment.');
      },
    }),
  ];
}
