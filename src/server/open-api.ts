/** The table of routes as an OpenAPI 3.1 document (https://spec.openapis.org/oas/v3.1.0). */
import { z } from 'zod';
import { defineRoute, type Route } from './route.ts';

export function openApiRoute(routes: readonly Route[], version: string): Route {
  const own: Route = defineRoute({
    method: 'GET',
    path: '/api/openapi.json',
    policy: 'session',
    summary: 'This document',
    input: z.strictObject({}),
    handle: async (): Promise<unknown> => openApi([...routes, own], version),
  });
  return own;
}

function openApi(routes: readonly Route[], version: string): unknown {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Handrail', version },
    paths,
    components: { securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'handrail_<port>' } } },
  };
}

function operation(route: Route): unknown {
  const schema = z.toJSONSchema(route.input, { io: 'input' });
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
  const inPath = names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  const inQuery = Object.entries(schema.properties ?? {}).map(([name, each]) => ({ name, in: 'query', schema: each }));
  const isFile = route.takesBytes === true;
  const isInQuery = route.method === 'GET' || isFile;
  const body = isFile ? { 'application/octet-stream': {} } : { 'application/json': { schema } };
  return {
    summary: route.summary,
    security: route.policy === 'session' ? [{ session: [] }] : [],
    parameters: isInQuery ? [...inPath, ...inQuery] : inPath,
    ...(route.method === 'POST' || route.method === 'PATCH' ? { requestBody: { required: true, content: body } } : {}),
    responses: {
      [String(route.status ?? 200)]: { description: 'It went well' },
      default: { description: 'A WebFailure: {error: {code, message}}' },
    },
  };
}
