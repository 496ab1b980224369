/** All tools of the program, and what settings say about them. */
import { MisuseFailure, SetupFailure } from '../contract/failure.ts';
import type { RuleMeaning } from '../contract/handrail.ts';
import type { Settings } from '../contract/settings.ts';
import type { Tool, ToolDescriptor } from '../contract/tool.ts';
import { createGate } from '../permission/gate.ts';
import { createPolicy, type Policy } from '../permission/policy.ts';
import { parseRule, ruleNamesTool } from '../permission/rule.ts';
import { discoverTools } from './discover.ts';
import { createToolRegistry, type ToolRegistry } from './registry.ts';

export type Toolbox = {
  readonly registry: ToolRegistry;
  /** Throws SetupFailure for a rule that is none, or that almost names a tool. */
  judge(settings: Settings): Judged;
  /** Rejects with MisuseFailure for such a rule. */
  explainRule(rule: string): Promise<RuleMeaning>;
};

export type Judged = {
  readonly policy: Policy;
  /** Why a tool is off, or undefined. */
  readonly gate: (tool: ToolDescriptor) => string | undefined;
};

/** The homes: what `~` in a rule may mean. `more`: tools of whoever uses the library, by wire name. */
export async function openToolbox(
  folder: string,
  { userHome, homeFolder }: { readonly userHome: string; readonly homeFolder: string },
  more: Readonly<Record<string, Tool>> | undefined,
): Promise<Toolbox> {
  const registry = createToolRegistry();
  await discoverTools(folder, registry, more);
  return {
    registry,
    judge(settings) {
      const policy = createPolicy(settings, { homes: [userHome, homeFolder], tools: registry.descriptors() });
      return { policy, gate: createGate(settings, policy, registry.getDescriptor) };
    },
    explainRule: async (rule) => explainRule(rule, registry.descriptors()),
  };
}

function explainRule(text: string, all: readonly ToolDescriptor[]): RuleMeaning {
  try {
    const rules = { deny: [text], ask: [], allow: [] };
    createPolicy({ permissions: rules, tools: { allowed: [], disallowed: [] } }, { tools: all });
  } catch (error) {
    if (!(error instanceof SetupFailure)) throw error;
    throw new MisuseFailure(error.message.replace(/^settings\.json: \S+: /, ''), { cause: error });
  }
  const rule = parseRule(text);
  const tools = all.filter(({ name, aliases }) => ruleNamesTool(rule, [name, ...aliases]));
  const kinds = new Set(tools.map(kindOf));
  const [kind] = kinds;
  return {
    tools: tools.map(({ title }) => title),
    ...(rule.argument === undefined ? {} : { argument: rule.argument }),
    ...(kinds.size === 1 && kind !== undefined ? { kind } : {}),
  };
}

/** What its calls touch, by what it works with. */
function kindOf({ needs = [] }: ToolDescriptor): RuleMeaning['kind'] {
  if (needs.some((name) => ['shell', 'terminals', 'jobs'].includes(name))) return 'command';
  return needs.some((name) => ['files', 'search'].includes(name)) ? 'path' : undefined;
}
