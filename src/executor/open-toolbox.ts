/** All tools of the program, and what settings say about them. */
import type { Settings } from '../contract/settings.ts';
import type { Tool, ToolDescriptor } from '../contract/tool.ts';
import { createGate } from '../permission/gate.ts';
import { createPolicy, type Policy } from '../permission/policy.ts';
import { discoverTools } from './discover.ts';
import { createToolRegistry, type ToolRegistry } from './registry.ts';

export type Toolbox = {
  readonly registry: ToolRegistry;
  /** Throws SetupFailure for a rule that is none, or that almost names a tool. */
  judge(settings: Settings): Judged;
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
  };
}
