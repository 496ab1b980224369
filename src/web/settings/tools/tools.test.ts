import { expect, test } from 'vitest';
import type { ToolStatus } from '../../../contract/handrail.ts';
import { groupTools, shortDescription } from './group-tools.ts';
import { changeRule, countOthers, ruleOf } from './tool-rule.ts';

const tool = (name: string, group: string, more: Partial<ToolStatus> = {}): ToolStatus => ({
  ...{ name, group, title: name, description: `Does ${name}. More of it.`, aliases: [], inputSchema: {} },
  ...{ effect: 'read', timeoutMs: 1, maxChars: 1, enabledByDefault: true, smallModels: false, platforms: [] },
  ...{ isEnabled: true, reason: '', ...more },
});

const all = [
  tool('read_file', 'files'),
  tool('memory_store', 'memory', { hasSwitch: false }),
  tool('execute_shell_command', 'shell', { aliases: ['bash'], isEnabled: false }),
  tool('glob', 'files'),
];
const names = (search: string, filter: Parameters<typeof groupTools>[2]) =>
  groupTools(all, search, filter, ({ name }) => name === 'glob').map(
    ({ group, tools }) => `${group}: ${tools.map(({ name }) => name).join(' ')}`,
  );

test('[K81] [K85] tools stand in their groups; those of a family with one switch are not among them', () => {
  expect(names('', 'all')).toEqual(['files: read_file glob', 'shell: execute_shell_command']);
  expect(names('memory', 'all')).toEqual([]);
});

test('tools are found by name, by another name, by what they do, and by their state', () => {
  expect(names('BASH', 'all')).toEqual(['shell: execute_shell_command']);
  expect(names('does glob', 'all')).toEqual(['files: glob']);
  expect([names('', 'off'), names('', 'on'), names('', 'ruled')]).toEqual([
    ['shell: execute_shell_command'],
    ['files: read_file glob'],
    ['files: glob'],
  ]);
  expect(shortDescription({ description: 'Reads v1.2 files: all of them.' })).toBe('Reads v1.2 files.');
  expect(shortDescription({ description: 'No end' })).toBe('No end');
});

test('the permission of a tool is one rule without brackets; every other rule stays as it is', () => {
  const bash = { name: 'execute_shell_command', aliases: ['bash'] };
  const rules = { deny: ['bash(rm *)'], ask: ['Bash'], allow: ['glob'] };
  expect([ruleOf(rules, bash), countOthers(rules, bash)]).toEqual(['ask', 1]);
  expect(changeRule(rules, bash, 'deny')).toEqual([
    { path: ['permissions', 'deny'], value: ['bash(rm *)', 'execute_shell_command'] },
    { path: ['permissions', 'ask'], value: null },
  ]);
  expect(changeRule(rules, bash, undefined)).toEqual([{ path: ['permissions', 'ask'], value: null }]);
  expect(changeRule({ deny: [], ask: [], allow: [] }, bash, undefined)).toEqual([]);
});
