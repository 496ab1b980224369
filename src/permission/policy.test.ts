/** What the settings say, from text to rules: slips are told with their place. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResolvedAccess } from '../contract/access.ts';
import { decide } from './decide.ts';
import { createPolicy, type Policy, type PolicyPlaces } from './policy.ts';

type Lists = { readonly deny?: string[]; readonly ask?: string[]; readonly allow?: string[] };
const tools = [
  { name: 'read_file', aliases: [] },
  { name: 'execute_shell_command', aliases: ['bash'] },
  { name: 'grep', aliases: [] },
];
const policyOf = ({ deny = [], ask = [], allow = [] }: Lists, places: PolicyPlaces = { tools }): Policy =>
  createPolicy({ tools: { allowed: [], disallowed: [] }, permissions: { deny, ask, allow } }, places);

describe('a slip in a rule', () => {
  it.each<[Lists, RegExp]>([
    [
      { deny: ['bash', 'read file(/etc)'] },
      /^settings\.json: permissions\.deny\[1\]: "read file\(\/etc\)" is no permission rule/,
    ],
    [{ allow: ['bash('] }, /permissions\.allow\[0\]/],
    [{ ask: ['bash()'] }, /permissions\.ask\[0\]/],
    [{ ask: [''] }, /permissions\.ask\[0\]/],
    [
      { deny: ['raed_file(/etc)'] },
      /permissions\.deny\[0\]: "raed_file\(\/etc\)" names no tool there is.*Did you mean read_file\?/,
    ],
    [{ deny: ['bsh'] }, /Did you mean bash\?/],
  ])('%j is told with its place', (lists, message) => {
    expect(() => policyOf(lists)).toThrow(message);
  });

  it('a tool that may come later is no slip, and neither is a pattern', () => {
    for (const rule of ['weather(x)', 'mcp_*', 'reed_*', 'Read_File(/etc)', 'BASH(curl *)'])
      expect(policyOf({ deny: [rule] }).deny).toHaveLength(1);
  });
});

const denies = (rule: string, access: ResolvedAccess, names: readonly string[], places: PolicyPlaces = {}) =>
  decide({
    names,
    closedGate: undefined,
    accesses: [access],
    policy: policyOf({ deny: [rule] }, places),
    granted: new Map(),
    workspace: '/ws',
  }).verdict === 'deny';

const file = (realPath: string, given = realPath): ResolvedAccess => ({
  ...{ kind: 'path', path: given, realPath, mode: 'read', zone: 'workspace' },
});

describe('the tool of a rule', () => {
  const names = ['execute_shell_command', 'bash'];
  const command: ResolvedAccess = {
    ...{ kind: 'command', command: 'curl x', cwd: '/ws', isDangerous: false, isSandboxed: true },
    ...{ heads: ['curl'], findings: [] },
  };
  it.each([
    ['bash', true],
    ['Bash', true],
    ['execute_shell_command', true],
    ['*', true],
    ['execute_*', true],
    ['bas?', true],
    ['bash(curl)', true],
    ['Bash(curl *)', true],
    ['*(curl)', true],
    ['bash(wget)', false],
    ['grep', false],
    ['bash_*', false],
  ])('%s', (rule, expected) => {
    expect(denies(rule, command, names)).toBe(expected);
  });

  it('of other kinds of access', () => {
    const names = ['some_tool'];
    expect(denies('some_tool(files/*)', { kind: 'mcp', server: 'files', tool: 'read' }, names)).toBe(true);
    expect(denies('some_tool(files)', { kind: 'mcp', server: 'files', tool: 'read' }, names)).toBe(true);
    expect(denies('some_tool(files/write)', { kind: 'mcp', server: 'files', tool: 'read' }, names)).toBe(false);
    expect(denies('some_tool(*@example.org)', { kind: 'message', to: 'A@Example.org' }, names)).toBe(true);
    expect(denies('some_tool(schedule)', { kind: 'persist', what: 'schedule' }, names)).toBe(true);
    expect(denies('some_tool(vlc)', { kind: 'app', name: '/usr/bin/vlc' }, names)).toBe(true);
  });
});

describe('a path of a rule', () => {
  let root = '';
  beforeAll(() => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'handrail-policy-')));
    mkdirSync(path.join(root, 'data/private'), { recursive: true });
    symlinkSync(path.join(root, 'data'), path.join(root, 'link'));
    symlinkSync(path.join(root, 'data'), path.join(root, 'home'));
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it('[A20] forbids what is there by every name, where links lead to it', () => {
    const secret = file(path.join(root, 'data/private/key'));
    for (const rule of ['link/private', 'link/private/', 'link/**', 'link/*/key']) {
      expect(denies(`read_file(${root}/${rule})`, secret, ['read_file'])).toBe(true);
    }
    expect(denies('read_file(~/private/**)', secret, ['read_file'], { homes: [path.join(root, 'home')] })).toBe(true);
  });

  it('[A20] allows nothing by a link: a command may have made it', () => {
    const policy = policyOf({ allow: [`read_file(${root}/link/**)`] });
    const access: ResolvedAccess = { ...file(path.join(root, 'data/private/key')), zone: 'outside' } as ResolvedAccess;
    const facts = { names: ['read_file'], closedGate: undefined, accesses: [access], policy, granted: new Map() };
    expect(decide(facts).verdict).toBe('ask');
  });
});
