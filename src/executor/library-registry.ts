/** The registry as a library face: tools as plain objects, permission as three lists and a callback, dispatch of text. */
import { markerPrompt } from '../base/marker-prompt.ts';
import { parseToolMarkers } from '../base/parse-tool-marker.ts';
import type { JsonSchema } from '../contract/model.ts';
import type { CallOutcome, ToolOutput } from '../contract/output.ts';
import type { Tool, ToolDescriptor } from '../contract/tool.ts';
import type { ToolRegistry } from './registry.ts';

/** What a library user writes: no more than a name, a description, a schema and what it does. */
export type PlainTool = {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
  /** Text, or text with data; throwing means failure. */
  run(input: Record<string, unknown>): Promise<string | ToolOutput> | string | ToolOutput;
};

export type LibraryRegistry = Pick<
  ToolRegistry,
  'get' | 'getDescriptor' | 'names' | 'loadedNames' | 'unload' | 'unloadAll'
> & {
  /** The factory is called on the first use. `unloadAfterUse` omitted: the registry's default. */
  registerLazy(
    name: string,
    description: string,
    schema: JsonSchema,
    factory: () => Promise<PlainTool> | PlainTool,
    unloadAfterUse?: boolean,
  ): void;
  /** A ready instance; it counts as loaded at once. */
  register(tool: PlainTool): Promise<void>;
  /** How to call by markers, and each permitted tool with its parameters, from descriptors alone. */
  systemPromptSection(): string;
  /** Runs the first `[TOOL: name {…}]` of the text; null when there is none. */
  dispatch(text: string): Promise<CallOutcome | null>;
};

export type LibraryRegistryParts = {
  readonly registry: ToolRegistry;
  isPermitted(tool: ToolDescriptor): boolean;
  /** Permission, load, run, release, in that order. */
  execute(tool: string, input: string): Promise<CallOutcome>;
};

export function createLibraryRegistry(parts: LibraryRegistryParts): LibraryRegistry {
  const { registry } = parts;
  const registerLazy: LibraryRegistry['registerLazy'] = (name, description, schema, factory, unloadAfterUse) => {
    registry.add(
      descriptorOf(name, description, schema),
      async () => toTool(await factory(), name, description, schema),
      unloadAfterUse,
    );
  };
  return {
    get: (name) => registry.get(name),
    getDescriptor: (name) => registry.getDescriptor(name),
    names: () => registry.names(),
    loadedNames: () => registry.loadedNames(),
    unload: (name) => registry.unload(name),
    unloadAll: () => registry.unloadAll(),
    registerLazy,
    async register(tool) {
      registerLazy(tool.name, tool.description, tool.schema, () => tool);
      await registry.get(tool.name);
    },
    systemPromptSection() {
      return markerPrompt(registry.descriptors().filter((tool) => parts.isPermitted(tool)));
    },
    async dispatch(text) {
      const [marker] = parseToolMarkers(text);
      return marker === undefined ? null : parts.execute(marker.tool, marker.input);
    },
  };
}

function descriptorOf(name: string, description: string, schema: JsonSchema): ToolDescriptor {
  return {
    name,
    group: 'library',
    title: name,
    description,
    aliases: [],
    inputSchema: schema,
    effect: 'once',
    timeoutMs: 30_000,
    maxChars: 20_000,
    enabledByDefault: true,
    smallModels: false,
    platforms: [],
  };
}

async function toTool(plain: PlainTool, name: string, description: string, schema: JsonSchema): Promise<Tool> {
  const { z } = await import('zod');
  return {
    title: name,
    description,
    input: z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]),
    needs: [],
    access: () => [{ kind: 'none' }],
    effect: 'once',
    summary: (input) => JSON.stringify(input).slice(0, 120),
    async run(input) {
      const output = await plain.run(input as Record<string, unknown>);
      return typeof output === 'string' ? { text: output } : output;
    },
  };
}
