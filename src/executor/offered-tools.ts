/**
 * What a model is told of the tools: name, description and schema of those that are in every request, then of those that were
 * found, in the order of finding: a list that only grows at its end keeps the provider's cache.
 */
import { isIsolating } from '../base/rung-isolation.ts';
import { rungText } from '../base/rung-text.ts';
import type { ToolStatus } from '../contract/handrail.ts';
import type { ModelInfo, OfferedTool } from '../contract/model.ts';
import type { ShellFacts } from '../contract/services.ts';
import type { ToolDescriptor } from '../contract/tool.ts';
import { hasSwitch, switchedOff } from '../permission/gate.ts';

/** `tools`: those that are on. `found`: names; one that is off by now is left out. */
export function offeredTools(
  tools: readonly ToolDescriptor[],
  model: Pick<ModelInfo, 'isSmall'>,
  environment: string,
  found: readonly string[] = [],
): readonly OfferedTool[] {
  const describe = ({ name, description, inputSchema, smallModels }: ToolDescriptor): OfferedTool => ({
    name,
    description: fillDescription(description, environment, tools),
    inputSchema,
    isForSmallModels: smallModels,
  });
  if (model.isSmall) return tools.filter((tool) => tool.smallModels).map(describe);
  // Without the finder what is not in the request could not be reached.
  const canFind = tools.some((tool) => tool.needs?.includes('toolCatalog'));
  const core = tools.filter((tool) => tool.isCore === true || !canFind);
  const later = found.map((name) => tools.find((tool) => tool.name === name)).filter((tool) => tool !== undefined);
  return [...new Set([...core, ...later])].map(describe);
}

/** What is only known at run time. Groups, not names: the text must not grow with the number of tools. */
export function fillDescription(text: string, environment: string, tools: readonly ToolDescriptor[]): string {
  const further = (): string =>
    [...new Set(tools.filter((tool) => tool.isCore !== true).map((tool) => tool.group))].join(', ');
  return text.replaceAll('{environment}', environment).replaceAll('{groups}', () => further() || 'none now');
}

/** All tools with whether they are on, for people and programs. */
export function listTools(
  tools: readonly ToolDescriptor[],
  closedGate: (tool: ToolDescriptor) => string | undefined,
  environment: string,
): readonly ToolStatus[] {
  const enabled = tools.filter((tool) => closedGate(tool) === undefined);
  return tools.map((tool) => {
    const reason = closedGate(tool) ?? '';
    const description = fillDescription(tool.description, environment, enabled);
    // A family with one switch has none for each of its tools, whatever they say of themselves.
    return {
      ...tool,
      ...(hasSwitch(tool) ? {} : { hasSwitch: false }),
      ...(reason === switchedOff(tool.name) ? { isSwitchedOff: true } : {}),
      ...{ description, isEnabled: reason === '', reason },
    };
  });
}

/** The machine as commands see it, in a few words. */
export function environmentText(facts: ShellFacts): string {
  const place = placeText(facts.rung);
  const packages = facts.packageManager === undefined ? '' : `, packages by ${facts.packageManager}`;
  return `${place} (${facts.distribution}, ${facts.os}, ${facts.shell}${packages})`;
}

function placeText(rung: ShellFacts['rung']): string {
  if (rung === 'host') return 'this machine itself, without any sandbox';
  return isIsolating(rung) ? 'a sandbox' : `this machine: ${rungText(rung)}`;
}
