/** settings.json key by key, and the yes to what waits for one. */
import { z } from 'zod';
import type { Done } from '../../contract/web-api.ts';
import type { RuleMeaning } from '../../contract/handrail.ts';
import type { WebConfirmation, WebPrompt, WebSettings, WebSettingsChange } from '../../contract/web-settings.ts';
import { defineRoute, type Route, type RouteRequest } from '../route.ts';
import { nothing } from './inputs.ts';
import type { RouteParts } from './route-parts.ts';

const hash = z.string().max(200);

const change = z.strictObject({
  edits: z
    .array(z.strictObject({ path: z.array(z.string().min(1).max(200)).min(1).max(10), value: z.json() }))
    .min(1)
    .max(500),
  hash,
});

export function settingsRoutes(parts: RouteParts): readonly Route[] {
  return [...fileRoutes(parts), ...askedRoutes(parts)];
}

function fileRoutes({ handrail, settingsWatch }: RouteParts): readonly Route[] {
  const { settingsFile, confirmations } = handrail;
  return [
    defineRoute({
      method: 'GET',
      path: '/api/settings',
      policy: 'session',
      summary: 'settings.json as it is written, as it is understood, and what of it is in force',
      input: nothing,
      handle: (): Promise<WebSettings> => settingsFile.read(),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/settings/schema',
      policy: 'session',
      summary: 'Descriptions, defaults and bounds of all keys',
      input: nothing,
      handle: () => settingsFile.schema(),
    }),
    defineRoute({
      method: 'PATCH',
      path: '/api/settings',
      policy: 'session',
      summary: 'Changes keys of settings.json, all or none; null takes one out',
      input: change,
      maxBytes: 512 * 1024,
      async handle({ input: { edits, hash: shown } }: RouteRequest<WebSettingsChange>): Promise<WebSettings> {
        const changed = await settingsFile.change(edits, shown);
        await settingsWatch.look();
        return changed;
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/confirmations',
      policy: 'session',
      summary: 'Puts what was shown of settings.json in force',
      input: z.strictObject({ hash }),
      async handle({ input }: RouteRequest<WebConfirmation>): Promise<Done> {
        // What is confirmed must be what waits now, not what waited when somebody last looked.
        await settingsFile.look();
        confirmations.confirm(input.hash);
        await settingsWatch.look();
        return { done: true };
      },
    }),
  ];
}

/** What settings come to, without a change of them. */
function askedRoutes({ handrail }: RouteParts): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/rules/meaning',
      policy: 'session',
      summary: 'What a permission rule says, as the program reads it',
      input: z.strictObject({ rule: z.string().max(2_000) }),
      handle: ({ input }): Promise<RuleMeaning> => handrail.explainRule(input.rule),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/prompt',
      policy: 'session',
      summary: 'What a model is told before a conversation',
      input: nothing,
      handle: async (): Promise<WebPrompt> => ({ text: await handrail.systemPrompt() }),
    }),
  ];
}
