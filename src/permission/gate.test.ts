import { expect, it } from 'vitest';
import { closedGate } from './gate.ts';
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
