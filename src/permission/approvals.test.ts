import { describe, expect, it } from 'vitest';
import { ToolFailure } from '../contract/failure.ts';
import type { Answer, Asker, Grant, Question } from '../contract/permission.ts';
import { approvalHash, createApprovals, type Attendant, type CallToApprove, type GrantsKept } from './approvals.ts';
import type { DecisionWithScopes } from './decide.ts';

const call: CallToApprove = {
  callId: 'c1',
  tool: 'some_tool',
  title: 'Some tool',
  summary: 'does something',
  input: '{"path":"/etc/hosts"}',
  conversation: { id: 'conv', workspace: '/ws', isThrowaway: false },
  preview: undefined,
};
const asks: DecisionWithScopes = {
  verdict: 'ask',
  reason: '/etc/hosts is outside the workspace',
  asked: [{ kind: 'path', path: '/etc/hosts', realPath: '/etc/hosts', mode: 'read', zone: 'outside' }],
  scopes: ['once', 'conversation'],
  used: [],
};

function memoryGrants(): GrantsKept & { readonly kept: Grant[] } {
  const kept: Grant[] = [];
  return {
    kept,
    list: async (id) => kept.filter((grant) => grant.conversationId === undefined || grant.conversationId === id),
    add: async (grant) => void kept.push(grant),
    used: async () => {},
  };
}

function answering(answer: Answer): Asker & { readonly asked: Question[] } {
  const asked: Question[] = [];
  return { origin: 'test', asked, ask: async (question) => (asked.push(question), answer) };
}

const attend = (change: Partial<Attendant> = {}): Attendant => ({
  approve: 'ask',
  asker: undefined,
  isTyped: false,
  signal: new AbortController().signal,
  onAsk: async () => {},
  onAnswer: async () => {},
  ...change,
});

describe('settle', () => {
  it('[E26] nobody to ask means no, and the reason says so', async () => {
    const settled = await createApprovals(memoryGrants()).settle(asks, call, attend());
    expect(settled.verdict).toBe('deny');
    expect(settled.reason).toContain('nobody is here');
  });

  it('[E26] mode none is a no although somebody could be asked', async () => {
    const asker = answering({ verdict: 'allow', scope: 'once' });
    expect((await createApprovals(memoryGrants()).settle(asks, call, attend({ approve: 'none', asker }))).verdict).toBe(
      'deny',
    );
    expect(asker.asked).toEqual([]);
  });

  it('mode all is a yes to a question, never to a denial', async () => {
    const approvals = createApprovals(memoryGrants());
    expect((await approvals.settle(asks, call, attend({ approve: 'all' }))).verdict).toBe('allow');
    const denial: DecisionWithScopes = { verdict: 'deny', reason: 'no', isHard: true, asked: [], scopes: [], used: [] };
    expect((await approvals.settle(denial, call, attend({ approve: 'all', isTyped: true }))).verdict).toBe('deny');
  });

  it('[E24] the question carries tool, path as given, real path and the exact arguments', async () => {
    const asker = answering({ verdict: 'allow', scope: 'once' });
    await createApprovals(memoryGrants()).settle(asks, call, attend({ asker }));
    expect(asker.asked[0]).toMatchObject({
      tool: 'some_tool',
      input: call.input,
      accesses: asks.asked,
      isDangerous: false,
      reason: asks.reason,
    });
  });

  it('an answer for once leaves no grant, one for the conversation leaves one that holds there only', async () => {
    const store = memoryGrants();
    const approvals = createApprovals(store);
    await approvals.settle(asks, call, attend({ asker: answering({ verdict: 'allow', scope: 'once' }) }));
    expect(store.kept).toEqual([]);
    await approvals.settle(asks, call, attend({ asker: answering({ verdict: 'allow', scope: 'conversation' }) }));
    const patterns = async (tool: string, id: string) => [...(await approvals.granted(tool, id)).keys()];
    expect(await patterns('some_tool', 'conv')).toEqual(['read /etc/hosts']);
    expect(await patterns('some_tool', 'another')).toEqual([]);
    expect(await patterns('other_tool', 'conv')).toEqual([]);
  });

  it('in a throw-away conversation only a single use is offered', async () => {
    const asker = answering({ verdict: 'allow', scope: 'conversation' });
    const throwaway = { ...call, conversation: { ...call.conversation, isThrowaway: true } };
    expect((await createApprovals(memoryGrants()).settle(asks, throwaway, attend({ asker }))).verdict).toBe('deny');
    expect(asker.asked[0]?.scopes).toEqual(['once']);
  });

  it('[A8] a scope that was not offered is a no', async () => {
    const store = memoryGrants();
    const settled = await createApprovals(store).settle(
      asks,
      call,
      attend({ asker: answering({ verdict: 'allow', scope: 'always' }) }),
    );
    expect(settled.verdict).toBe('deny');
    expect(store.kept).toEqual([]);
  });

  it('stopping while the question is open is a cancellation, whatever is answered afterwards', async () => {
    const control = new AbortController();
    const asker: Asker = {
      origin: 'test',
      ask: async () => {
        control.abort();
        return { verdict: 'allow', scope: 'once' };
      },
    };
    await expect(
      createApprovals(memoryGrants()).settle(asks, call, attend({ asker, signal: control.signal })),
    ).rejects.toThrow(ToolFailure);
  });
});

describe('an allowance that is kept', () => {
  const hour = (count: number) => new Date(Date.UTC(2026, 0, 31, count));
  const yes = (scope: 'conversation' | 'always') => attend({ asker: answering({ verdict: 'allow', scope }) });
  const offered: DecisionWithScopes = { ...asks, scopes: ['once', 'conversation', 'always'] };

  it('says who gave it, when, how far, and until when where the settings say so', async () => {
    const store = memoryGrants();
    const approvals = createApprovals(store, { grantHours: 8, newId: () => 'id', now: () => hour(9) });
    await approvals.settle(offered, call, yes('always'));
    await createApprovals(store, { newId: () => 'id2', now: () => hour(9) }).settle(offered, call, yes('conversation'));
    const common = { tool: 'some_tool', pattern: 'read /etc/hosts', origin: 'test', createdAt: hour(9).toISOString() };
    expect(store.kept).toEqual([
      { ...common, id: 'id', scope: 'always', conversationId: undefined, expiresAt: hour(17).toISOString() },
      { ...common, id: 'id2', scope: 'conversation', conversationId: 'conv' },
    ]);
  });

  it('ends to the minute', async () => {
    const store = memoryGrants();
    let now = hour(9);
    const approvals = createApprovals(store, { grantHours: 8, now: () => now });
    await approvals.settle(offered, call, yes('conversation'));
    const holds = async () => (await approvals.granted('some_tool', 'conv')).has('read /etc/hosts');
    now = new Date(hour(17).getTime() - 1);
    expect(await holds()).toBe(true);
    now = hour(17);
    expect(await holds()).toBe(false);
    // Given again, it holds again.
    await approvals.settle(offered, call, yes('conversation'));
    expect(await holds()).toBe(true);
  });

  it('of equal ones the newest counts, so that a yes after a text of others is not hidden by an older one', async () => {
    const store = memoryGrants();
    let now = hour(9);
    const approvals = createApprovals(store, { now: () => now });
    await approvals.settle(offered, call, yes('conversation'));
    now = hour(11);
    await approvals.settle(offered, call, yes('conversation'));
    const kept = (await approvals.granted('some_tool', 'conv')).get('read /etc/hosts');
    expect(kept?.createdAt).toBe(hour(11).toISOString());
  });

  it('counts each use once, whatever it covers', async () => {
    const uses: (readonly string[])[] = [];
    const store = { ...memoryGrants(), used: async (ids: readonly string[]) => void uses.push(ids) };
    const approvals = createApprovals(store, { newId: () => 'id' });
    await approvals.settle(offered, call, yes('conversation'));
    const [grant] = [...(await approvals.granted('some_tool', 'conv')).values()];
    if (grant === undefined) throw new Error('nothing was kept');
    await approvals.used([grant, grant]);
    expect(uses).toEqual([['id']]);
  });
});

describe('the hash an answer is bound to', () => {
  it.each([
    ['tool', { tool: 'other' }],
    ['arguments', { input: '{"path":"/etc/passwd"}' }],
    ['preview', { preview: { kind: 'text', text: 'x' } as const }],
    ['folder', { conversation: { ...call.conversation, workspace: '/other' } }],
    ['conversation', { conversation: { ...call.conversation, id: 'other' } }],
  ])('[A8] changes with the %s', (_what, change) => {
    expect(approvalHash({ ...call, ...change })).not.toBe(approvalHash(call));
    expect(approvalHash({ ...call })).toBe(approvalHash(call));
  });
});
