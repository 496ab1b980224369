/** Turns a loaded tool into its descriptor: what the program knows of a tool without loading it. */
import { z } from 'zod';
import type { JsonSchema } from '../contract/model.ts';
import type { Tool, ToolDescriptor } from '../contract/tool.ts';

const defaultTimeoutMs = 30_000;
const defaultMaxChars = 20_000;

/** Pure. `name` is the wire name (snake_case), `group` the tool's folder. Throws when the input is no object schema. */
export function describeTool(name: string, group: string, tool: Tool): ToolDescriptor {
  const inputSchema = toJsonSchema(tool.input, 'input');
  if (inputSchema['type'] !== 'object') throw new Error(`tool ${name}: its input must be a zod object`);
  return {
    name,
    group,
    title: tool.title,
    description: tool.description,
    aliases: tool.aliases ?? [],
    // The executor refuses unknown keys whatever the zod object says of them; the model is told so.
    inputSchema: { ...inputSchema, additionalProperties: false },
    ...(tool.output && { outputSchema: toJsonSchema(tool.output, 'output') }),
    needs: tool.needs,
    effect: tool.effect,
    timeoutMs: describeTimeout(tool, inputSchema),
    maxChars: tool.maxChars ?? defaultMaxChars,
    enabledByDefault: tool.enabledByDefault ?? true,
    smallModels: tool.smallModels ?? false,
    // What a program brings along for its own use is meant to be used.
    isCore: tool.isCore ?? group === 'library',
    ...(tool.follows === undefined ? {} : { follows: tool.follows }),
    ...(tool.hasSwitch === undefined ? {} : { hasSwitch: tool.hasSwitch }),
    platforms: tool.platforms ?? [],
  };
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    override: ({ jsonSchema }) => {
      // zod bounds every integer by what a double holds exactly; to a model that is noise that is paid for on every request.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return rest;
}

/** A timeout that depends on the input is described by what it is when the call names nothing that has a default. */
function describeTimeout(tool: Tool, inputSchema: JsonSchema): number {
  const { timeoutMs } = tool;
  if (typeof timeoutMs !== 'function') return timeoutMs ?? defaultTimeoutMs;
  const parsed = tool.input.safeParse({});
  try {
    const value = timeoutMs(parsed.success ? parsed.data : defaultsOf(inputSchema));
    return Number.isFinite(value) && value > 0 ? value : defaultTimeoutMs;
  } catch {
    // It wants a required argument: nothing is known without a call.
    return defaultTimeoutMs;
  }
}

function defaultsOf(schema: JsonSchema): Record<string, unknown> {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, { readonly default?: unknown }>>;
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([, property]) => property.default !== undefined)
      .map(([key, property]) => [key, property.default]),
  );
}
