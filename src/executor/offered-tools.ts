/** What a model is told of the tools: those that are on, with name, description and schema, and nothing else. */
import type { ToolStatus } from '../contract/handrail.ts';
import type { ModelInfo, OfferedTool } from '../contract/model.ts';
import type { ShellFacts } from '../contract/services.ts';
import type { ToolDescriptor } from '../contract/tool.ts';

export function offeredTools(
  tools: readonly ToolDescriptor[],
  model: Pick<ModelInfo, 'isSmall'>,
  environment: string,
): readonly OfferedTool[] {
  return tools
    .filter((tool) => !model.isSmall || tool.smallModels)
    .map(({ name, description, inputSchema }) => ({
      name,
      description: description.replaceAll('{environment}', environment),
      inputSchema,
    }));
}

/** All tools with whether they are on, for people and programs. */
export function listTools(
  tools: readonly ToolDescriptor[],
  closedGate: (tool: ToolDescriptor) => string | undefined,
  environment: string,
): readonly ToolStatus[] {
  return tools.map((tool) => {
    const reason = closedGate(tool) ?? '';
    const description = tool.description.replaceAll('{environment}', environment);
    return { ...tool, description, isEnabled: reason === '', reason };
  });
}

/** The machine as commands see it, in a few words. */
export function environmentText(facts: ShellFacts): string {
  const place = facts.rung === 'host' ? 'this machine itself, without any sandbox' : 'a sandbox';
  const packages = facts.packageManager === undefined ? '' : `, packages by ${facts.packageManager}`;
  return `${place} (${facts.distribution}, ${facts.os}, ${facts.shell}${packages})`;
}
