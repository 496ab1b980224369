import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { CallContext } from '../contract/call.ts';
import type { EventBody } from '../contract/event.ts';
import { ToolFailure } from '../contract/failure.ts';
import type { Asker } from '../contract/permission.ts';
import type { Services } from '../contract/services.ts';
import { defineTool, type Tool } from '../contract/tool.ts';
import { createApprovals } from '../permission/approvals.ts';
import { createPolicy } from '../permission/policy.ts';
import { describeTool } from './describe-tool.ts';
import { executeCalls } from './execute-calls.ts';
import type { ExecutorParts } from './executor-parts.ts';
import { createToolRegistry } from './registry.ts';

const base = {
  title: 'Test tool',
  description: 'For tests.',
  input: z.strictObject({ value: z.string().default('x') }),
  needs: [],
  access: () => [{ kind: 'none' }] as const,
  effect: 'read',
  summary: ({ value }: { value: string }) => value,
} as const;

type Change = Partial<Tool> & Pick<Tool, 'run'>;

function harness(tools: Readonly<Record<string, Change>>, given: { closed?: string } = {}) {
  const events: EventBody[] = [];
  const logged: unknown[] = [];
  const loads: string[] = [];
  const registry = createToolRegistry();
  for (const [name, change] of Object.entries(tools)) {
    const tool = { ...defineTool({ ...base, run: async () => ({ text: '' }) }), ...change } as Tool;
    registry.add(describeTool(name, 'test', tool), () => (loads.push(name), tool));
  }
  const parts: ExecutorParts = {
    registry,
    services: { bind: async () => ({}) as Services },
    resolveAccess: async (access) =>
      access.kind === 'path' ? { ...access, realPath: access.path, zone: 'outside' } : (access as { kind: 'none' }),
    approvals: createApprovals({ list: async () => [], add: async () => {}, used: async () => {} }),
    policy: () =>
      createPolicy({ tools: { allowed: [], disallowed: [] }, permissions: { deny: [], ask: [], allow: [] } }),
    untrustedSince: async () => undefined,
    closedGate: () => given.closed,
    keepArtifact: async (content) => ({ id: 'kept', path: '/kept', bytes: content.length }),
    log: (error) => logged.push(error),
  };
  const control = new AbortController();
  const context = (change: Partial<CallContext> = {}): CallContext => ({
    conversation: { id: 'c', workspace: '/ws', isThrowaway: true },
    signal: control.signal,
    approve: 'none',
    asker: undefined,
    record: async (event) => void events.push(event),
    ...change,
  });
  const run = (calls: readonly (readonly [string, unknown])[], change?: Partial<CallContext>) =>
    executeCalls(
      parts,
      calls.map(([tool, input], at) => ({ callId: `call${at}`, tool, input, origin: 'model' })),
      context(change),
    );
  return { run, events, logged, loads, control };
}

describe('a call', () => {
  it('[K04] whose arguments were mended is asked about, run and recorded as it was understood', async () => {
    const asked: string[] = [];
    const ran: unknown[] = [];
    const asker: Asker = {
      origin: 'test',
      ask: async (question) => (asked.push(question.input), { verdict: 'allow', scope: 'once' }),
    };
    const access = () => [{ kind: 'path', path: '/elsewhere', mode: 'read' }] as const;
    const { run, events } = harness({ look: { access, run: async (input) => (ran.push(input), { text: 'seen' }) } });
    const [outcome] = await run([['look', "{'value': 'y',}"]], { approve: 'ask', asker });
    expect(asked).toEqual(['{"value":"y"}']);
    expect(ran).toEqual([{ value: 'y' }]);
    expect(events[0]).toMatchObject({ type: 'tool-start', input: '{"value":"y"}', repairs: [/quotes/, /comma/].map((words) => expect.stringMatching(words)) }); // prettier-ignore
    expect(outcome?.text).toMatch(/^seen\n\[The arguments were mended: quotes .*; a comma .*\]$/);
  });

  it('[K04] with an unknown name is answered with the nearest one', async () => {
    const { run, events } = harness({ read_file: { run: async () => ({ text: '' }) } });
    const [outcome] = await run([['read_fil', '{}']]);
    expect(outcome).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect(outcome?.text).toContain('read_file');
    expect(events.map((event) => event.type)).toEqual(['tool-start', 'tool-end']);
  });

  it.each([
    ['broken JSON', '{"value": "a', 'JSON'],
    ['an array', '[1]', 'an array'],
    ['a wrong type', '{"value": 5}', 'value'],
    ['an unknown key', '{"valeu": "a"}', 'valeu'],
  ])('[K04] with %s is answered with the cause and not run', async (_what, input, cause) => {
    let ran = false;
    const { run } = harness({ tool: { run: async () => ((ran = true), { text: '' }) } });
    const [outcome] = await run([['tool', input]]);
    expect(outcome).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    expect(outcome?.text).toContain(cause);
    expect(ran).toBe(false);
  });

  it('takes null and empty text as "not given"', async () => {
    const { run } = harness({ tool: { run: async (input) => ({ text: (input as { value: string }).value }) } });
    expect(
      await run([
        ['tool', '{"value": null}'],
        ['tool', ''],
      ]),
    ).toMatchObject([{ text: 'x' }, { text: 'x' }]);
  });

  it('[K05] that passes its timeout is answered with timeout, also when it ignores the signal', async () => {
    const { run } = harness({ tool: { timeoutMs: 30, run: () => new Promise(() => {}) } });
    expect(await run([['tool', {}]])).toMatchObject([{ ok: false, error: { code: 'timeout' } }]);
  });

  it('[K06] that throws anything is answered in one sentence, and the stack goes to the log only', async () => {
    const { run, logged } = harness({
      throws: { run: async () => Promise.reject(new TypeError('x is not a function')) },
      odd: { run: async () => Promise.reject('just text') },
    });
    const outcomes = await run([
      ['throws', {}],
      ['odd', {}],
    ]);
    expect(outcomes).toMatchObject([{ error: { code: 'internal' } }, { error: { code: 'internal' } }]);
    expect(JSON.stringify(outcomes)).not.toContain('at ');
    expect(logged).toHaveLength(2);
  });

  it('[K07] with a long result keeps head and tail, names the length and keeps the whole', async () => {
    const text = `HEAD${'x'.repeat(50_000 - 8)}TAIL`;
    const { run } = harness({ tool: { run: async () => ({ text }) } });
    const [outcome] = await run([['tool', {}]]);
    expect(outcome).toMatchObject({ ok: true, truncated: true, artifact: { id: 'kept', bytes: 50_000 } });
    expect(outcome?.text.length).toBeLessThanOrEqual(20_000);
    expect(outcome?.text).toMatch(/^HEAD[\s\S]*50000[\s\S]*TAIL$/);
  });

  it('[L08] of a tool that is off makes no instance and says why', async () => {
    const { run, loads } = harness({ tool: { run: async () => ({ text: '' }) } }, { closed: 'it is switched off' });
    expect(await run([['tool', {}]])).toMatchObject([{ ok: false, error: { code: 'denied' } }]);
    expect(loads).toEqual([]);
  });

  it('[E26] that would have to be asked about does not run when nobody is there; its twin with a yes does', async () => {
    let runs = 0;
    const outside = {
      access: () => [{ kind: 'path', path: '/etc/hosts', mode: 'read' }] as const,
      run: async () => ((runs += 1), { text: 'done' }),
    };
    const { run, events } = harness({ tool: outside });
    expect(await run([['tool', {}]])).toMatchObject([{ ok: false, error: { code: 'denied' } }]);
    expect(runs).toBe(0);
    const asker: Asker = { origin: 'test', ask: async () => ({ verdict: 'allow', scope: 'once' }) };
    expect(await run([['tool', {}]], { approve: 'ask', asker })).toMatchObject([{ ok: true, text: 'done' }]);
    expect(runs).toBe(1);
    expect(events.map((event) => event.type).slice(-4)).toEqual([
      'tool-start',
      'permission-ask',
      'permission-answer',
      'tool-end',
    ]);
  });

  it('whose preview changed while the question was open is a conflict and does not run', async () => {
    let shown = 0;
    let ran = false;
    const { run } = harness({
      tool: {
        access: () => [{ kind: 'path', path: '/etc/hosts', mode: 'write' }] as const,
        preview: async () => ({ kind: 'text', text: `version ${(shown += 1)}` }),
        run: async () => ((ran = true), { text: '' }),
      },
    });
    const asker: Asker = { origin: 'test', ask: async () => ({ verdict: 'allow', scope: 'once' }) };
    expect(await run([['tool', {}]], { approve: 'ask', asker })).toMatchObject([{ error: { code: 'conflict' } }]);
    expect(ran).toBe(false);
  });

  it('is cancelled by Stop even when it ignores the signal', async () => {
    const { run, control } = harness({
      tool: { run: () => (control.abort(new ToolFailure('cancelled', 'Stopped.')), new Promise(() => {})) },
    });
    const startedAt = performance.now();
    expect(await run([['tool', {}]])).toMatchObject([{ error: { code: 'cancelled' } }]);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});

describe('the calls of one response', () => {
  it('[K67] run together and are answered in source order', async () => {
    const waiting: (() => void)[] = [];
    const together = () =>
      new Promise<{ text: string }>((resolve) => {
        waiting.push(() => resolve({ text: `${waiting.length}` }));
        // Only when the last has started do all go on: in a row they would wait for ever.
        if (waiting.length === 8) for (const go of [...waiting].reverse()) go();
      });
    const { run } = harness({
      tool: { run: async (input) => (await together(), { text: (input as { value: string }).value }) },
    });
    const calls = Array.from({ length: 8 }, (_, at) => ['tool', { value: `${at}` }] as const);
    expect((await run(calls)).map((outcome) => outcome.text)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7']);
  });

  it('one that fails does not touch the others', async () => {
    const { run } = harness({
      good: { run: async () => ({ text: 'good' }) },
      bad: { run: async () => Promise.reject(new ToolFailure('busy', 'Later.')) },
    });
    expect(
      await run([
        ['bad', {}],
        ['good', {}],
        ['nope', {}],
      ]),
    ).toMatchObject([{ error: { code: 'busy' } }, { ok: true }, { error: { code: 'not_found' } }]);
  });

  it('an effect that must not happen twice is on disk before it happens', async () => {
    const durable: boolean[] = [];
    const { run } = harness({
      tool: { effect: 'once', run: async () => ({ text: '' }) },
      other: { run: async () => ({ text: '' }) },
    });
    await run(
      [
        ['tool', {}],
        ['other', {}],
      ],
      {
        record: async (event, options) => void (event.type === 'tool-start' && durable.push(options?.durable === true)),
      },
    );
    expect(durable).toEqual([true, false]);
  });
});
