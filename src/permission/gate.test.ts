import { expect, it } from 'vitest';
import type { ToolDescriptor } from '../contract/tool.ts';
import { closedGate, createGate, hasSwitch } from './gate.ts';
import { defaultSettings } from '../services/settings/default-settings.ts';
import { createPolicy } from './policy.ts';

type GateSettings = Parameters<typeof closedGate>[1];
const settings: GateSettings = {
  features: { memory: true, scheduling: true, email: true, mcp: true, sandbox: true },
  toolEnabled: {},
  sandbox: defaultSettings.sandbox,
};
const tool = { name: 'grep', aliases: ['search'], group: 'files', enabledByDefault: true, platforms: [] };
const policy = (allowed: string[] = [], disallowed: string[] = []) =>
  createPolicy({ tools: { allowed, disallowed }, permissions: { deny: [], ask: [], allow: [] } });

it('[L03] an empty allowed list lets every tool pass', () => {
  expect(closedGate(tool, settings, policy())).toBeUndefined();
});

it('[L03] a tool in both lists is blocked', () => {
  expect(closedGate(tool, settings, policy(['grep'], ['grep']))).toContain('disallowed');
});

it('[L03] a list that is not empty blocks every other tool, and an alias counts as the name', () => {
  expect(closedGate(tool, settings, policy(['glob']))).toContain('tools.allowed');
  expect(closedGate(tool, settings, policy(['search']))).toBeUndefined();
  expect(closedGate(tool, settings, policy([], ['search']))).toContain('disallowed');
});

it('[K79] a switch turns a tool off, and one that is off by default on', () => {
  expect(closedGate(tool, { ...settings, toolEnabled: { grep: false } }, policy())).toContain('tool_enabled_grep');
  expect(closedGate({ ...tool, enabledByDefault: false }, settings, policy())).toContain('switched off');
  expect(
    closedGate({ ...tool, enabledByDefault: false }, { ...settings, toolEnabled: { grep: true } }, policy()),
  ).toBeUndefined();
});

it('[K57] commands are off on the host rung until the user turns them on', () => {
  const shell = { ...tool, name: 'execute_shell_command', aliases: ['bash'], group: 'shell' };
  const host: GateSettings = { ...settings, sandbox: { ...settings.sandbox, rung: 'host' } };
  expect(closedGate(shell, settings, policy())).toBeUndefined();
  expect(closedGate(shell, host, policy())).toContain('switched off');
  expect(closedGate(shell, { ...host, toolEnabled: { execute_shell_command: true } }, policy())).toBeUndefined();
});

it('[K78] a feature that is off takes its whole family with it, whatever the switches say', () => {
  const memory = { ...tool, name: 'memory_store', group: 'memory' };
  const off = { ...settings, features: { ...settings.features, memory: false }, toolEnabled: { memory_store: true } };
  expect(closedGate(memory, off, policy())).toContain('memory');
  expect(closedGate(tool, off, policy())).toBeUndefined();
  const shell = { ...tool, name: 'execute_shell_command', aliases: ['bash'], group: 'shell' };
  const noSandbox = { ...settings, features: { ...settings.features, sandbox: false } };
  expect(closedGate(shell, noSandbox, policy())).toContain('sandbox');
});

it('[K79] a switch by an alias counts, and the name goes first', () => {
  expect(closedGate(tool, { ...settings, toolEnabled: { search: false } }, policy())).toContain('switched off');
  const both = { ...settings, toolEnabled: { search: false, grep: true } };
  expect(closedGate(tool, both, policy())).toBeUndefined();
});

it('a tool for other platforms is not there', () => {
  expect(closedGate({ ...tool, platforms: ['darwin'] }, settings, policy(), 'linux')).toContain('linux');
});

it('[K63] a tool that belongs to another one is on exactly when that one is', () => {
  const jobs = { ...descriptor('manage_process', []), follows: 'bash' };
  const leader = descriptor('execute_shell_command', ['bash']);
  const host: GateSettings = { ...settings, sandbox: { ...settings.sandbox, rung: 'host' } };
  const find = (name: string) => (name === 'bash' ? leader : undefined);
  const gate = (given: Partial<GateSettings>, lists = policy()) => createGate({ ...settings, ...given }, lists, find);
  const cases: readonly ReturnType<typeof gate>[] = [
    gate({}),
    gate({ toolEnabled: { execute_shell_command: false } }),
    gate({ toolEnabled: { bash: false } }),
    gate({ features: { ...settings.features, sandbox: false } }),
    gate({ sandbox: host.sandbox }),
    gate({ sandbox: host.sandbox, toolEnabled: { bash: true } }),
    gate({}, policy(['bash'])),
    gate({}, policy(['manage_process'])),
    gate({}, policy([], ['execute_shell_command'])),
  ];
  const isOn = cases.map((each) => [each(leader) === undefined, each(jobs) === undefined]);
  expect(isOn.map(([first]) => first)).toEqual(isOn.map(([, second]) => second));
  expect(isOn.filter(([first]) => first)).toHaveLength(3);
  // By itself it can only be taken away.
  expect(gate({ toolEnabled: { manage_process: false } })(jobs)).toContain('tool_enabled_manage_process');
  expect(gate({}, policy([], ['manage_process']))(jobs)).toContain('disallowed');
  // The twin: a tool that belongs to nothing is looked at alone.
  const alone = descriptor('manage_process', []);
  expect(gate({ toolEnabled: { bash: false } })(alone)).toBeUndefined();
});

function descriptor(name: string, aliases: readonly string[]): ToolDescriptor {
  const about = { title: name, description: name, inputSchema: { type: 'object' }, effect: 'read' } as const;
  const limits = { timeoutMs: 1, maxChars: 1, enabledByDefault: true, smallModels: false, platforms: [] };
  return { name, aliases, group: 'shell', ...about, ...limits };
}

it.each(['memory', 'schedule', 'heartbeat', 'email'])(
  '[K81] a tool of the family %s has no switch of its own: only its family is on or off',
  (group) => {
    const one = { ...tool, name: 'one_of_them', aliases: ['its_alias'], group };
    expect(hasSwitch(one)).toBe(false);
    const toolEnabled = { one_of_them: false, its_alias: false };
    expect(closedGate(one, { ...settings, toolEnabled }, policy())).toBeUndefined();
    const features = { ...settings.features, memory: false, scheduling: false, email: false };
    expect(closedGate(one, { ...settings, features, toolEnabled: { one_of_them: true } }, policy())).toMatch(
      /^the feature/,
    );
    expect(closedGate(one, settings, policy([], ['its_alias']))).toContain('disallowed');
    expect(hasSwitch({ ...one, group: 'files' })).toBe(true);
  },
);

it('[K63] a tool that follows another one is switched off by its other name too', () => {
  const leader = { ...tool, name: 'leader', aliases: [] };
  const follower = { ...tool, name: 'follower', aliases: ['its_alias'], follows: 'leader' };
  const find = (name: string) => [leader, follower].find((each) => each.name === name) as ToolDescriptor | undefined;
  const gate = (toolEnabled: Record<string, boolean>, disallowed: string[] = []) =>
    createGate({ ...settings, toolEnabled }, policy([], disallowed), find)(follower as unknown as ToolDescriptor);
  expect(gate({})).toBeUndefined();
  expect(gate({ its_alias: false })).toContain('tool_enabled_follower');
  expect(gate({}, ['its_alias'])).toContain('disallowed');
  expect(gate({ leader: false })).toContain('it belongs to leader');
});
