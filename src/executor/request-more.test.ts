/** What a call finds out only while it runs: it is asked about, answered, and its own time stands still meanwhile. */
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { CallContext } from '../contract/call.ts';
import type { EventBody } from '../contract/event.ts';
import type { Answer, Decision, Grant } from '../contract/permission.ts';
import type { CallScope, Services } from '../contract/services.ts';
import { defineTool, type Tool } from '../contract/tool.ts';
import { createApprovals } from '../permission/approvals.ts';
import { createPolicy } from '../permission/policy.ts';
import { describeTool } from './describe-tool.ts';
import { executeCalls } from './execute-calls.ts';
import type { ExecutorParts } from './executor-parts.ts';
import { createToolRegistry } from './registry.ts';

type Hand = (scope: CallScope) => Promise<string>;

/** A tool whose only hand is `hand`, with a time limit that is shorter than the answer takes. */
function harness(hand: Hand, given: { timeoutMs?: number; isAllowedHost?: boolean } = {}) {
  const events: EventBody[] = [];
  const grants: Grant[] = [];
  const registry = createToolRegistry();
  let ask: () => Promise<string> = async () => '';
  const tool = defineTool({
    title: 'Fetch',
    description: 'For tests.',
    input: z.strictObject({}),
    needs: ['shell'],
    access: () => [{ kind: 'none' }],
    effect: 'read',
    summary: () => 'fetch something',
    timeoutMs: given.timeoutMs ?? 30_000,
    run: async () => ({ text: await ask() }),
  });
  registry.add(describeTool('fetch', 'test', tool as unknown as Tool), () => tool as unknown as Tool);
  const parts: ExecutorParts = {
    registry,
    services: {
      bind: async (_names, scope) => {
        ask = () => hand(scope);
        return {} as Services;
      },
    },
    resolveAccess: async (access) =>
      access.kind === 'url'
        ? { ...access, host: new URL(access.url).hostname, isAllowedHost: given.isAllowedHost === true }
        : (access as { kind: 'none' }),
    approvals: createApprovals({
      list: async () => grants,
      add: async (grant) => void grants.push(grant),
      used: async () => {},
    }),
    policy: () =>
      createPolicy({ tools: { allowed: [], disallowed: [] }, permissions: { deny: [], ask: [], allow: [] } }),
    untrustedSince: async () => undefined,
    closedGate: () => undefined,
    keepArtifact: async () => undefined,
    log: (error) => events.push({ type: 'text-delta', text: String(error) }),
  };
  const run = (count: number, change: Partial<CallContext>) =>
    executeCalls(
      parts,
      Array.from({ length: count }, (_, at) => ({ callId: `call${at}`, tool: 'fetch', input: '{}', origin: 'model' })),
      {
        conversation: { id: 'c', workspace: '/ws', isThrowaway: false },
        signal: new AbortController().signal,
        approve: 'ask',
        asker: undefined,
        record: async (event) => void events.push(event),
        ...change,
      },
    );
  return { run, events, grants };
}

const answering = (answer: Answer, waitMs = 0) => ({
  origin: 'test',
  ask: async () => {
    await delay(waitMs);
    return answer;
  },
});

const wantHost: Hand = async (scope) => {
  const decision = await scope.request?.({ kind: 'url', url: 'https://example.org:443', method: 'CONNECT' });
  return `${decision?.verdict}`;
};

describe('a call that wants more while it runs', () => {
  it('[K41] asks about a new host once, keeps the answer for the conversation, and shows what is asked', async () => {
    const { run, events, grants } = harness(wantHost);
    const asker = answering({ verdict: 'allow', scope: 'conversation' });
    expect((await run(1, { asker })).map((outcome) => outcome.text)).toEqual(['allow']);
    expect((await run(1, { asker })).map((outcome) => outcome.text)).toEqual(['allow']);
    expect(grants.map((grant) => grant.pattern)).toEqual(['host example.org']);
    const questions = events.flatMap((event) => (event.type === 'permission-ask' ? [event.question] : []));
    expect(questions).toHaveLength(1);
    expect(questions[0]).toMatchObject({ reason: 'example.org is a new host', callId: 'call0' });
    expect(questions[0]?.input).toContain('https://example.org:443');
  });

  it.each<[string, Partial<CallContext>, string]>([
    ['when the person says no', { asker: answering({ verdict: 'deny' }) }, 'deny'],
    ['when nobody is there', {}, 'deny'],
    ['when questions count as no', { approve: 'none', asker: answering({ verdict: 'allow', scope: 'once' }) }, 'deny'],
    ['when everything was approved before', { approve: 'all' }, 'allow'],
  ])('[E26] %s', async (_case, change, verdict) => {
    const { run } = harness(wantHost);
    expect((await run(1, change))[0]?.text).toBe(verdict);
  });

  it('[K41] asks nothing about an allowed host', async () => {
    const { run, events } = harness(wantHost, { isAllowedHost: true });
    expect((await run(1, {}))[0]?.text).toBe('allow');
    expect(events.some((event) => event.type === 'permission-ask')).toBe(false);
  });

  it('[K05] has no time of its own pass while the question is open', async () => {
    const { run } = harness(wantHost, { timeoutMs: 150 });
    const asker = answering({ verdict: 'allow', scope: 'once' }, 400);
    expect((await run(1, { asker }))[0]).toMatchObject({ ok: true, text: 'allow' });
  });

  it('[K05] twin: the same wait without a question is over its time', async () => {
    const { run } = harness(
      async () => {
        await delay(400);
        return 'late';
      },
      { timeoutMs: 150 },
    );
    // It ends by itself while it winds up, which still counts; what matters is that it was told to stop.
    let wasStopped = false;
    const stopped = harness(
      (scope) =>
        new Promise((resolve) => {
          scope.signal.addEventListener('abort', () => ((wasStopped = true), resolve('stopped')));
        }),
      { timeoutMs: 150 },
    );
    expect((await stopped.run(1, {}))[0]?.text).toBe('stopped');
    expect(wasStopped).toBe(true);
    expect((await run(1, {}))[0]?.text).toBe('late');
  });

  it('[K67] knows how many calls of the response use the same hand', async () => {
    const seen: (number | undefined)[] = [];
    const hand: Hand = async (scope) => {
      seen.push(scope.callsTogether);
      return '';
    };
    const { run } = harness(hand);
    await run(1, {});
    await run(3, {});
    expect(seen).toEqual([1, 3, 3, 3]);
  });

  it('a decision is given, never a throw, for an access that is refused for good', async () => {
    const decisions: (Decision | undefined)[] = [];
    const { run } = harness(async (scope) => {
      decisions.push(await scope.request?.({ kind: 'url', url: 'https://example.org', method: 'GET' }));
      return '';
    });
    await run(1, { approve: 'none' });
    expect(decisions[0]?.reason).toContain('nobody is here');
  });
});
