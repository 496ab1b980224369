import { describe, expect, it } from 'vitest';
import type { CommandFinding, PathMode, PathZone, ResolvedAccess } from '../contract/access.ts';
import type { Grant } from '../contract/permission.ts';
import { decide } from './decide.ts';
import { createPolicy, type Policy } from './policy.ts';

const path = (zone: PathZone, mode: PathMode, realPath = `/ws/${zone}`): ResolvedAccess => ({
  kind: 'path',
  path: realPath,
  realPath,
  mode,
  zone,
});
const command = (
  text: string,
  given: { dangerous?: boolean; sandboxed?: boolean; findings?: readonly CommandFinding[] } = {},
): ResolvedAccess => ({
  kind: 'command',
  command: text,
  cwd: '/ws',
  isDangerous: given.dangerous ?? false,
  isSandboxed: given.sandboxed ?? true,
  heads: [text.split(' ')[0] ?? ''],
  findings: given.findings ?? [],
});
const grantOf = (pattern: string): Grant => ({
  id: pattern,
  tool: 'some_tool',
  pattern,
  scope: 'conversation',
  conversationId: 'c',
  origin: 'terminal',
  createdAt: '2026-01-31T12:00:00.000Z',
});
const removal: CommandFinding = { kind: 'removes', text: 'rm a', insideSandboxOnly: false };
const policy = (change: { deny?: string[]; ask?: string[]; allow?: string[] } = {}): Policy =>
  createPolicy({
    tools: { allowed: [], disallowed: [] },
    permissions: { deny: change.deny ?? [], ask: change.ask ?? [], allow: change.allow ?? [] },
  });
const verdict = (
  accesses: readonly ResolvedAccess[],
  given: { policy?: Policy; granted?: readonly string[]; gate?: string; names?: readonly string[] } = {},
) =>
  decide({
    names: given.names ?? ['some_tool'],
    closedGate: given.gate,
    accesses,
    policy: given.policy ?? policy(),
    granted: new Map((given.granted ?? []).map((pattern) => [pattern, grantOf(pattern)])),
  });

describe('the default', () => {
  const rows: readonly (readonly [string, ResolvedAccess, 'allow' | 'ask' | 'deny'])[] = [
    ['[E25] reading in the workspace', path('workspace', 'read'), 'allow'],
    ['[E25] writing in the workspace', path('workspace', 'write'), 'allow'],
    ['[E17] removing from the workspace', path('workspace', 'delete'), 'ask'],
    ["reading the sandbox's home", path('home', 'read'), 'allow'],
    ["removing from the sandbox's home", path('home', 'delete'), 'allow'],
    ['reading a kept result', path('artifacts', 'read'), 'allow'],
    ['changing a kept result', path('artifacts', 'write'), 'deny'],
    ['[E25] reading outside', path('outside', 'read'), 'ask'],
    ['[E25] writing outside', path('outside', 'write'), 'ask'],
    ['writing what the machine obeys later', path('trusted', 'write'), 'ask'],
    ['reading our state', path('state', 'read'), 'deny'],
    ['reading credentials', path('credentials', 'read'), 'deny'],
    ['a command in the sandbox', command('ls'), 'allow'],
    ['[E17] any command on the host', command('ls', { sandboxed: false }), 'ask'],
    ['[E16] a command marked dangerous', command('ls', { dangerous: true }), 'ask'],
    ['[E17] removal by a command', command('rm a', { findings: [removal] }), 'ask'],
    [
      "[E17] removal in the sandbox's own places",
      command('rm ~/a', { findings: [{ ...removal, insideSandboxOnly: true }] }),
      'allow',
    ],
    [
      'an allowed host',
      { kind: 'url', url: 'https://a.example/', method: 'GET', host: 'a.example', isAllowedHost: true },
      'allow',
    ],
    [
      'a new host',
      { kind: 'url', url: 'https://b.example/', method: 'GET', host: 'b.example', isAllowedHost: false },
      'ask',
    ],
    ['a message', { kind: 'message', to: 'a@b.example' }, 'ask'],
    ['an MCP tool', { kind: 'mcp', server: 's', tool: 't' }, 'ask'],
    ['a memory', { kind: 'persist', what: 'memory' }, 'allow'],
    ['a schedule', { kind: 'persist', what: 'schedule' }, 'ask'],
    ['nothing', { kind: 'none' }, 'allow'],
  ];
  it.each(rows)('%s', (_title, access, expected) => {
    const decision = verdict([access]);
    expect(decision.verdict).toBe(expected);
    expect(decision.reason).not.toBe('');
  });

  it('asks when one of several accesses asks, and names only that one', () => {
    const outside = path('outside', 'read', '/etc/hosts');
    expect(verdict([path('workspace', 'read'), outside])).toMatchObject({ verdict: 'ask', asked: [outside] });
  });
});

describe('the order', () => {
  it('[L03] a hard denial stands above every grant and rule', () => {
    const granted = ['read /ws/state'];
    expect(verdict([path('state', 'read')], { policy: policy({ allow: ['some_tool'] }), granted })).toMatchObject({
      verdict: 'deny',
      isHard: true,
    });
  });

  it('[L03] a closed gate stands above an allow rule', () => {
    expect(
      verdict([path('workspace', 'read')], { gate: 'it is switched off', policy: policy({ allow: ['some_tool'] }) }),
    ).toMatchObject({ verdict: 'deny', isHard: true });
  });

  it('a deny rule stands above an ask rule, and an ask rule above an allow rule and a grant', () => {
    const all = { deny: ['some_tool'], ask: ['some_tool'], allow: ['some_tool'] };
    expect(verdict([path('outside', 'read')], { policy: policy(all) }).verdict).toBe('deny');
    expect(
      verdict([path('outside', 'read')], { policy: policy({ ...all, deny: [] }), granted: ['read /'] }).verdict,
    ).toBe('ask');
    expect(verdict([path('outside', 'read')], { policy: policy({ allow: ['some_tool'] }) }).verdict).toBe('allow');
  });

  it('an ask rule offers a single use only, since the next call is asked again', () => {
    expect(verdict([path('workspace', 'read')], { policy: policy({ ask: ['some_tool'] }) }).scopes).toEqual(['once']);
  });

  it('[E16] a rule alone does not silence what is dangerous or destroys work, a grant does', () => {
    const dangerous = command('make deploy', { dangerous: true });
    expect(verdict([dangerous], { policy: policy({ allow: ['some_tool'] }) }).verdict).toBe('ask');
    expect(verdict([dangerous], { granted: ['command make deploy'] }).verdict).toBe('allow');
    expect(verdict([dangerous]).scopes).toEqual(['once']);
    const removes = command('rm a', { findings: [removal] });
    expect(verdict([removes], { policy: policy({ allow: ['some_tool'] }) }).verdict).toBe('ask');
    expect(verdict([removes], { granted: ['remove files'] }).verdict).toBe('allow');
  });

  it('an alias in a rule means the tool', () => {
    expect(
      verdict([command('ls')], { names: ['execute_shell_command', 'bash'], policy: policy({ deny: ['bash'] }) })
        .verdict,
    ).toBe('deny');
  });
});

describe('grants', () => {
  it('a grant for a folder covers what lies below it, and nothing beside it', () => {
    expect(verdict([path('outside', 'read', '/data/set/a.csv')], { granted: ['read /data/set'] }).verdict).toBe(
      'allow',
    );
    expect(verdict([path('outside', 'read', '/data/settings')], { granted: ['read /data/set'] }).verdict).toBe('ask');
  });

  it('a grant to read does not cover writing, a grant to write covers reading', () => {
    expect(verdict([path('outside', 'write', '/data/a')], { granted: ['read /data'] }).verdict).toBe('ask');
    expect(verdict([path('outside', 'read', '/data/a')], { granted: ['write /data'] }).verdict).toBe('allow');
    expect(verdict([path('outside', 'delete', '/data/a')], { granted: ['write /data'] }).verdict).toBe('ask');
  });

  it('a grant for one git command does not cover another', () => {
    const git = (text: string) => command(text, { findings: [{ kind: 'git', text, insideSandboxOnly: false }] });
    expect(verdict([git('git -C sub commit -m x')], { granted: ['git commit'] }).verdict).toBe('allow');
    expect(verdict([git('git push')], { granted: ['git commit'] }).verdict).toBe('ask');
  });

  it('a command that cannot be read is covered by its own bytes only', () => {
    const unreadable = (text: string) =>
      command(text, { findings: [{ kind: 'unreadable', text, insideSandboxOnly: false }] });
    expect(verdict([unreadable('$X a')], { granted: ['command $X a'] }).verdict).toBe('allow');
    expect(verdict([unreadable('$X b')], { granted: ['command $X a', 'remove files'] }).verdict).toBe('ask');
  });
});
