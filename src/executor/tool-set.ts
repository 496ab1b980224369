/** The tools as models, people and find_tools see them at this moment: one place, so that they never differ. */
import type { ToolStatus } from '../contract/handrail.ts';
import type { ModelInfo, OfferedTool } from '../contract/model.ts';
import type { ServiceOwner, ShellFacts } from '../contract/services.ts';
import type { ToolCatalog } from '../contract/tool-catalog.ts';
import type { ToolDescriptor } from '../contract/tool.ts';
import { environmentText, listTools, offeredTools } from './offered-tools.ts';
import { callPolls } from './polls.ts';
import type { ToolRegistry } from './registry.ts';
import { createToolCatalog } from './tool-catalog.ts';

export type ToolSet = {
  /** All of them, with why one is off. */
  list(): Promise<readonly ToolStatus[]>;
  /** `found`: the names that find_tools has given in the conversation, in order. */
  offered(model: Pick<ModelInfo, 'isSmall'>, found: readonly string[]): Promise<readonly OfferedTool[]>;
  catalog(): Promise<ServiceOwner<ToolCatalog>>;
  /** Whether this call only watches a job. */
  polls(tool: string, input: string): Promise<boolean>;
  /** The machine as commands see it, in a few words. */
  environment(): Promise<string>;
};

export function createToolSet(
  registry: ToolRegistry,
  closedGate: (tool: ToolDescriptor) => string | undefined,
  shellFacts: () => Promise<ShellFacts>,
): ToolSet {
  const environment = async () => environmentText(await shellFacts());
  const enabled = () => registry.descriptors().filter((tool) => closedGate(tool) === undefined);
  return {
    list: async () => listTools(registry.descriptors(), closedGate, await environment()),
    offered: async (model, found) => offeredTools(enabled(), model, await environment(), found),
    polls: (tool, input) => callPolls(registry, tool, input),
    environment,
    catalog: async () => createToolCatalog(enabled, await environment()),
  };
}
