/** The tools as an MCP client sees them: which are offered, and how each is described. */
import type { Tool, ToolAnnotations } from '@modelcontextprotocol/server';
import { MisuseFailure } from '../../contract/failure.ts';
import type { Handrail, ToolStatus } from '../../contract/handrail.ts';
import type { Effect } from '../../contract/tool.ts';

export type ToolList = {
  /** What is on at this moment, and chosen. */
  offered(): Promise<readonly ToolStatus[]>;
  /** By name or alias, also when it is off; undefined when there is none, or it was not chosen. */
  find(name: string): Promise<ToolStatus | undefined>;
  /** For "did you mean". */
  names(): Promise<readonly string[]>;
};

/** `only`: names or aliases; omitted: every tool. Rejects with MisuseFailure when one of them is no tool. */
export async function createToolList(
  handrail: Pick<Handrail, 'listTools'>,
  only: readonly string[] | undefined,
  onProblem: (line: string) => void,
): Promise<ToolList> {
  const all = await handrail.listTools();
  const unknown = (only ?? []).filter((name) => findByName(all, name) === undefined);
  if (unknown.length > 0) {
    const which = unknown.map((name) => `"${name}"`).join(', ');
    throw new MisuseFailure(`--tools: there is no tool ${which}. "handrail tools" lists them all.`);
  }
  const chosen = only && new Set(only.map((name) => findByName(all, name)?.name));
  for (const tool of all) {
    if (chosen?.has(tool.name) && !tool.isEnabled) onProblem(`${tool.name} is not offered: ${tool.reason}`);
  }
  const known = async () =>
    (await handrail.listTools()).filter((tool) => chosen === undefined || chosen.has(tool.name));
  const offered = async () => (await known()).filter((tool) => tool.isEnabled);
  return {
    offered,
    find: async (name) => findByName(await known(), name),
    names: async () => (await offered()).map((tool) => tool.name),
  };
}

function findByName(tools: readonly ToolStatus[], name: string): ToolStatus | undefined {
  return tools.find((tool) => tool.name === name) ?? tools.find((tool) => tool.aliases.includes(name));
}

export function describeForClient(tool: ToolStatus): Tool {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: tool.inputSchema as Tool['inputSchema'],
    ...(hasObjectOutput(tool) && { outputSchema: tool.outputSchema as NonNullable<Tool['outputSchema']> }),
    annotations: { title: tool.title, ...hintsOf[tool.effect], openWorldHint: !closedGroups.has(tool.group) },
  };
}

/** MCP before 2026-07-28 knows results that are objects only. */
export function hasObjectOutput(tool: ToolStatus): boolean {
  return tool.outputSchema?.['type'] === 'object';
}

// What changes something may also destroy: the descriptor does not promise less, and the hint's own default is true.
const hintsOf: Readonly<Record<Effect, ToolAnnotations>> = {
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  idempotent: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  once: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
};

/** Settings groups whose tools touch this machine only. Any other may reach the outside, as MCP assumes of a tool without the hint. */
const closedGroups: ReadonlySet<string> = new Set(['files', 'artifacts', 'system', 'memory', 'schedule', 'notes']);
