/** Whether a tool exists at all for this user: switches and lists, before any call is looked at. */
import type { Settings } from '../contract/settings.ts';
import type { ToolDescriptor } from '../contract/tool.ts';
import type { Policy } from './policy.ts';

/** Families that one feature switch turns on and off, by settings group. */
const featureOfGroup: Readonly<Record<string, keyof Settings['features']>> = {
  memory: 'memory',
  schedule: 'scheduling',
  heartbeat: 'scheduling',
  email: 'email',
  mcp: 'mcp',
  shell: 'sandbox',
};

/** Families whose tools belong together so much that one of them alone would be of no use: they have that one switch only. */
const masterOnlyGroups: ReadonlySet<string> = new Set(['memory', 'schedule', 'heartbeat', 'email']);

/** The gate of one program: a tool that belongs to another one is on exactly when that one is, unless it is switched off itself. */
export function createGate(
  settings: GateSettings,
  policy: Policy,
  find: (name: string) => ToolDescriptor | undefined,
): (tool: ToolDescriptor) => string | undefined {
  return (tool) => {
    const leader = tool.follows === undefined ? undefined : find(tool.follows);
    if (leader === undefined) return closedGate(tool, settings, policy);
    const reason = closedGate(leader, settings, policy);
    if (reason !== undefined) return `it belongs to ${leader.name}, and ${reason}`;
    const names = [tool.name, ...tool.aliases];
    if (hasSwitch(tool) && names.some((name) => settings.toolEnabled[name] === false)) return switchedOff(tool.name);
    return names.some((name) => policy.disallowed.has(name)) ? disallowed : undefined;
  };
}

type GateSettings = Pick<Settings, 'features' | 'toolEnabled' | 'sandbox'>;

/** The reason of its own switch. */
export const switchedOff = (name: string): string => `it is switched off (settings key tool_enabled_${name})`;
const disallowed = 'tools.disallowed in the settings names it';

/**
 * Why the tool is off, or undefined when it is on. Order: feature gate, platform, the tool's own switch, `tools.disallowed`,
 * `tools.allowed` (when not empty, every other tool is off).
 */
export function closedGate(
  tool: Pick<ToolDescriptor, 'name' | 'aliases' | 'group' | 'enabledByDefault' | 'platforms' | 'hasSwitch'>,
  settings: GateSettings,
  policy: Policy,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const feature = featureOfGroup[tool.group];
  if (feature !== undefined && !settings.features[feature]) return `the feature "${feature}" is switched off`;
  if (tool.platforms.length > 0 && !tool.platforms.includes(platform)) return `it does not exist on ${platform}`;
  const names = [tool.name, ...tool.aliases];
  if (!isSwitchedOn(tool, settings)) {
    return tool.hasSwitch === false ? 'commands run outside any sandbox' : switchedOff(tool.name);
  }
  if (names.some((name) => policy.disallowed.has(name))) return disallowed;
  if (policy.allowed.size > 0 && !names.some((name) => policy.allowed.has(name))) {
    return 'tools.allowed in the settings does not name it';
  }
  return undefined;
}

/** Whether a setting `tool_enabled_<id>` of its own turns the tool on and off. */
export function hasSwitch(tool: Pick<ToolDescriptor, 'group' | 'hasSwitch'>): boolean {
  return tool.hasSwitch !== false && !masterOnlyGroups.has(tool.group);
}

function isSwitchedOn(tool: Parameters<typeof closedGate>[0], settings: Parameters<typeof closedGate>[1]): boolean {
  // An alias counts as the name does, as in the lists; the name itself comes first.
  const switched = [tool.name, ...tool.aliases].find((name) => settings.toolEnabled[name] !== undefined);
  const own = switched === undefined || !hasSwitch(tool) ? undefined : settings.toolEnabled[switched];
  if (own !== undefined) return own;
  // Commands outside any sandbox are off until the user turns them on.
  if (tool.group === 'shell' && settings.sandbox.rung === 'host') return false;
  return tool.enabledByDefault;
}
