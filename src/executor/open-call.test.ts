/** What a call is allowed besides while it is open, and whose text its outcome is said to hold. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Access, ResolvedAccess } from '../contract/access.ts';
import type { EventBody } from '../contract/event.ts';
import { ToolFailure } from '../contract/failure.ts';
import type { ToolOutput } from '../contract/output.ts';
import type { Grant } from '../contract/permission.ts';
import type { CallScope, Services } from '../contract/services.ts';
import type { Tool } from '../contract/tool.ts';
import { createApprovals } from '../permission/approvals.ts';
import { createPolicy } from '../permission/policy.ts';
import { describeTool } from './describe-tool.ts';
import { executeCalls } from './execute-calls.ts';
import type { ExecutorParts } from './executor-parts.ts';
import { createToolRegistry } from './registry.ts';
import { createToolSet } from './tool-set.ts';

type Given = {
  readonly access?: readonly Access[];
  readonly run?: (scope: CallScope) => Promise<ToolOutput>;
  readonly needs?: Tool['needs'];
  readonly deny?: string[];
  readonly ask?: string[];
  readonly since?: string;
  readonly grants?: Grant[];
};

const grant = (pattern: string, createdAt: string, more: Partial<Grant> = {}): Grant => ({
  ...{
    id: pattern,
    tool: 'some_tool',
    pattern,
    scope: 'conversation',
    conversationId: 'c',
    origin: 'terminal',
    createdAt,
  },
  ...more,
});
const at = (hour: number) => `2026-01-31T${String(hour).padStart(2, '0')}:00:00.000Z`;

function harness({ access = [{ kind: 'none' }], run, needs = [], deny = [], ask = [], since, grants = [] }: Given) {
  const events: EventBody[] = [];
  const used: (readonly string[])[] = [];
  const registry = createToolRegistry();
  let loads = 0;
  let scopeOfCall: CallScope | undefined;
  const make = (name: string, more: Partial<Tool> = {}) => {
    const tool: Tool = {
      ...{
        title: name,
        description: 'For tests.',
        input: z.strictObject({}),
        needs,
        effect: 'read',
        polls: () => true,
      },
      ...{ access: () => access, summary: () => '' },
      run: async () => (scopeOfCall === undefined || run === undefined ? { text: 'text' } : run(scopeOfCall)),
      ...more,
    };
    registry.add(describeTool(name, 'test', tool), () => ((loads += 1), tool));
  };
  make('some_tool', { aliases: ['its_alias'] });
  make('hidden_tool', { description: 'Is off.' });
  make('other_tool', { description: 'Good. Not as hidden_tool does it. Fine.' });
  const parts = {
    registry,
    services: {
      bind: async (_names: unknown, scope: CallScope) => ((scopeOfCall = scope), {} as Services),
    },
    resolveAccess: async (each: Access): Promise<ResolvedAccess> => resolved(each),
    approvals: createApprovals({
      list: async () => grants,
      add: async (each) => void grants.push(each),
      used: async (ids) => void used.push(ids),
    }),
    policy: () => createPolicy({ tools: { allowed: [], disallowed: [] }, permissions: { deny, ask, allow: [] } }),
    untrustedSince: async () => since,
    closedGate: ({ name }: { readonly name: string }) => (name === 'hidden_tool' ? 'it is off' : undefined),
    keepArtifact: async () => undefined,
    redactor: async () => undefined,
    log: (error: unknown) => void events.push({ type: 'note', text: String(error) }),
  } as unknown as ExecutorParts;
  const call = async (tool = 'some_tool', approve: 'all' | 'none' = 'none') => {
    const [outcome] = await executeCalls(parts, [{ callId: 'k', tool, input: '{}', origin: 'model' }], {
      conversation: { id: 'c', workspace: '/ws', isThrowaway: false },
      signal: new AbortController().signal,
      approve,
      asker: undefined,
      record: async (event) => void events.push(event),
    });
    return outcome;
  };
  return { call, events, used, parts, registry, loads: () => loads };
}

function resolved(access: Access): ResolvedAccess {
  if (access.kind === 'url')
    return { ...access, host: new URL(access.url).hostname, isAllowedHost: access.url.includes('mirror') };
  if (access.kind !== 'path') return access as { kind: 'none' };
  const zone = access.path.startsWith('/ws') ? 'workspace' : access.path.startsWith('/kept') ? 'artifacts' : 'outside';
  return { ...access, realPath: access.path, zone };
}

const reads = (path: string): readonly Access[] => [{ kind: 'path', path, mode: 'read' }];

describe('an outcome says whose text it holds', () => {
  it.each<[string, readonly Access[], string | undefined]>([
    ['nobody’s in the workspace', reads('/ws/a'), undefined],
    ['a file’s from outside', reads('/etc/motd'), '/etc/motd'],
    ['a host’s', [{ kind: 'url', url: 'https://a.example/x', method: 'GET' }], 'a.example'],
    ['also a package host’s', [{ kind: 'url', url: 'https://mirror.example/x', method: 'GET' }], 'mirror.example'],
    ['a server’s', [{ kind: 'mcp', server: 's', tool: 't' }], 'the MCP server s'],
    ['nobody’s when something was removed', [{ kind: 'path', path: '/etc/x', mode: 'delete' }], undefined],
    ['several', [...reads('/a'), ...reads('/b'), ...reads('/c'), ...reads('/d')], '/a, /b, /c and others'],
  ])('%s', async (_what, access, expected) => {
    expect((await harness({ access }).call('some_tool', 'all'))?.untrusted).toBe(expected);
  });

  it('a host that answered while it ran, and what the tool itself knows', async () => {
    const note = harness({
      run: async (scope) => (scope.noteStranger?.('b.example'), { text: '', untrusted: 'a mail' }),
    });
    expect((await note.call())?.untrusted).toBe('b.example, a mail');
  });

  it('also when it fails, since the message may be theirs', async () => {
    const run = async (scope: CallScope): Promise<ToolOutput> => {
      scope.noteStranger?.('b.example');
      throw new ToolFailure('failed', 'The server said: obey.');
    };
    expect(await harness({ run }).call()).toMatchObject({ ok: false, untrusted: 'b.example' });
  });

  it('a call that was not done holds nobody’s', async () => {
    expect(await harness({ access: reads('/etc/motd') }).call()).toEqual({
      ok: false,
      text: expect.stringContaining('/etc/motd is outside the workspace'),
      error: expect.anything(),
    });
  });

  it('kept results may be theirs once text of theirs is in the conversation', async () => {
    const kept = { needs: ['artifacts'] as const };
    expect((await harness({ ...kept, since: at(1) }).call())?.untrusted).toBe('a kept result');
    expect((await harness(kept).call())?.untrusted).toBeUndefined();
    expect((await harness({ access: reads('/kept/a'), since: at(1) }).call())?.untrusted).toBe('a kept result');
  });
});

describe('what was allowed', () => {
  const host: Access = { kind: 'url', url: 'https://a.example/', method: 'CONNECT' };
  const asks = (given: Given) => {
    let answers: unknown;
    const run = async (scope: CallScope): Promise<ToolOutput> => {
      const before = await scope.holds?.(host);
      const decision = await scope.request?.(host);
      const hosts = await scope.grantedHosts?.();
      answers = { before, verdict: decision?.verdict, after: await scope.holds?.(host), hosts };
      return { text: '' };
    };
    return { ...harness({ ...given, run }), answers: () => answers };
  };

  it('for a conversation holds before and after, and for what goes on without anybody', async () => {
    const world = asks({ grants: [grant('host a.example', at(1))] });
    await world.call();
    expect(world.answers()).toEqual({ before: true, verdict: 'allow', after: true, hosts: ['a.example'] });
    expect(world.used).toEqual([['host a.example']]);
  });

  it('for a call holds until that call ends', async () => {
    const world = asks({});
    await world.call('some_tool', 'all');
    expect(world.answers()).toEqual({ before: false, verdict: 'allow', after: true, hosts: [] });
    await world.call();
    expect(world.answers()).toEqual({ before: false, verdict: 'deny', after: false, hosts: [] });
  });

  it.each<[string, Given]>([
    ['before text of others came in', { grants: [grant('host a.example', at(1))], since: at(2) }],
    ['until a time that is over', { grants: [grant('host a.example', at(1), { expiresAt: at(2) })] }],
    ['to another tool', { grants: [grant('host a.example', at(1), { tool: 'other_tool' })] }],
    ['against a rule', { grants: [grant('host a.example', at(1))], deny: ['its_alias(a.example)'] }],
  ])('%s holds no more, for no part of the call', async (_what, given) => {
    const world = asks(given);
    await world.call();
    expect(world.answers()).toEqual({ before: false, verdict: 'deny', after: false, hosts: [] });
    expect(world.used).toEqual([]);
  });

  it('a count that cannot be kept refuses nothing', async () => {
    const world = asks({ grants: [grant('host a.example', at(1))] });
    Object.assign(world.parts.approvals, { used: async () => Promise.reject(new Error('the disk is full')) });
    expect((await world.call())?.ok).toBe(true);
    expect(world.events).toContainEqual({ type: 'note', text: 'Error: the disk is full' });
  });
});

describe('what rules forbid', () => {
  it('is told to hands that look through whole folders', async () => {
    let forbids: CallScope['forbids'];
    const run = async (scope: CallScope) => ((forbids = scope.forbids), { text: '' });
    await harness({ run, access: reads('/ws'), deny: ['some_tool(secrets/**)', 'other_tool'] }).call();
    expect(['/ws/secrets/a', '/ws/secrets/.b/c', '/ws/secret'].map((path) => forbids?.(path))).toEqual([
      true,
      true,
      false,
    ]);
    await harness({ run, access: reads('/ws'), deny: ['other_tool(x)'] }).call();
    expect(forbids).toBeUndefined();
    // What wants a question is left out where nobody was asked, and not where that was the question.
    await harness({ run, access: reads('/ws'), ask: ['some_tool(secrets)'] }).call();
    expect(forbids?.('/ws/secrets/a')).toBe(true);
    await harness({ run, access: reads('/ws/secrets'), ask: ['some_tool(secrets)'] }).call('some_tool', 'all');
    expect(forbids).toBeUndefined();
  });
});

describe('what is off', () => {
  it('[K78] [L05] is named in no error and in no description', async () => {
    const { call, parts, registry } = harness({});
    expect((await call('hiden_tool'))?.text).not.toContain('hidden_tool');
    expect((await call('somme_tool'))?.text).toContain('Did you mean some_tool?');
    expect((await call('nothing_like_it'))?.text).toContain('Available: other_tool, some_tool.');
    const facts = async () => ({ os: 'Linux', distribution: 'Debian 12', shell: 'bash', rung: 'namespaces' }) as const;
    const tools = createToolSet(registry, parts.closedGate, facts);
    const said = JSON.stringify([
      await tools.offered({ isSmall: false }, ['hidden_tool']),
      (await tools.catalog()).forCall({} as never).find('hidden_tool good', 9),
    ]);
    expect(said).not.toContain('hidden_tool');
    expect(said).toContain('Good. Fine.');
  });

  it('[L08] is never made, not even to ask whether its calls only watch', async () => {
    const { call, parts, registry, loads } = harness({});
    const facts = async () => ({ os: 'Linux', distribution: 'Debian 12', shell: 'bash', rung: 'namespaces' }) as const;
    const tools = createToolSet(registry, parts.closedGate, facts);
    expect(await call('hidden_tool')).toMatchObject({ ok: false, error: { code: 'denied' } });
    expect(await tools.polls('hidden_tool', '{}')).toBe(false);
    expect(loads()).toBe(0);
    expect(await tools.polls('some_tool', '{}')).toBe(true);
    expect(loads()).toBe(1);
  });
});
