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
import { withoutNames } from './without-names.ts';

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
  const isOn = (tool: ToolDescriptor): boolean => closedGate(tool) === undefined;
  /** Whatever is off is named by none of them. */
  const described = (): readonly ToolDescriptor[] => {
    const all = registry.descriptors();
    const off = all.filter((tool) => !isOn(tool));
    return off.length === 0 ? all : all.map((tool) => withoutNames(tool, off));
  };
  const enabled = (): readonly ToolDescriptor[] => described().filter(isOn);
  /** A small model is offered its few, and hears of no other. */
  const forSmall = (): readonly ToolDescriptor[] => {
    const [few, others] = [true, false].map((isFor) => enabled().filter((tool) => tool.smallModels === isFor));
    return (few ?? []).map((tool) => withoutNames(tool, others ?? []));
  };
  return {
    list: async () => listTools(described(), closedGate, await environment()),
    offered: async (model, found) =>
      offeredTools(model.isSmall ? forSmall() : enabled(), model, await environment(), found),
    async polls(name, input) {
      const tool = registry.getDescriptor(name);
      // A tool that is off is never made, not even to be asked about itself.
      return tool !== undefined && isOn(tool) && callPolls(registry, name, input);
    },
    environment,
    catalog: async () => createToolCatalog(enabled, await environment()),
  };
}
