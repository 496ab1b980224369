import { describe, expect, test } from 'vitest';
import type { Question } from '../../contract/permission.ts';
import { createElicitingAsker, createWaitingAsker, type OpenQuestion } from './asker.ts';

const onHost: Question = {
  id: 'q1',
  callId: 'c',
  conversationId: 'k',
  tool: 'execute_shell_command',
  title: 'Run',
  summary: 'id',
  reason: 'it runs outside any sandbox',
  input: '{"command":"id"}',
  accesses: [
    { kind: 'command', command: 'id', cwd: '/', isDangerous: false, isSandboxed: false, heads: ['id'], findings: [] },
  ],
  isDangerous: false,
  scopes: ['once'],
  hash: 'h',
};
const harmless: Question = { ...onHost, accesses: [] };
const yes = { action: 'accept', content: { answer: 'allow once' } } as const;
const nothing = () => undefined;
const quiet = () => new AbortController().signal;

describe('asking by a request of the server', () => {
  test('the answer of the form is the answer, recorded as an elicitation', async () => {
    const asker = createElicitingAsker(() => Promise.resolve(yes));
    expect(asker.origin).toBe('mcp-elicitation');
    expect(await asker.ask(harmless, quiet())).toEqual({ verdict: 'allow', scope: 'once' });
  });

  test('a command outside the sandbox is not even asked about', async () => {
    let asked = 0;
    const elicit = () => {
      asked += 1;
      return Promise.resolve(yes);
    };
    expect(await createElicitingAsker(elicit).ask(onHost, quiet())).toMatchObject({
      verdict: 'deny',
      reason: expect.stringContaining('outside the sandbox'),
    });
    expect(asked).toBe(0);
    // The twin: without the guard the same answer would allow it.
    expect(await createElicitingAsker(elicit, nothing).ask(onHost, quiet())).toEqual({
      verdict: 'allow',
      scope: 'once',
    });
  });

  test('a client that fails is a no with its reason, a cancelled call is neither yes nor no', async () => {
    const asker = createElicitingAsker(() => Promise.reject(new Error('Request timed out')));
    expect(await asker.ask(harmless, quiet())).toMatchObject({
      verdict: 'deny',
      reason: expect.stringContaining('Request timed out'),
    });
    await expect(asker.ask(harmless, AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
  });

  test('without forms nobody was asked, and the record says so', async () => {
    const asker = createElicitingAsker(undefined);
    expect(asker.origin).toBe('mcp-without-elicitation');
    expect(await asker.ask(harmless, quiet())).toMatchObject({
      verdict: 'deny',
      reason: expect.stringContaining('cannot show questions'),
    });
  });
});

describe('asking by a result', () => {
  const waiting = (canAsk = true) => {
    const open = new Map<string, OpenQuestion>();
    return { open, canAsk: () => canAsk, onOpen: () => undefined };
  };

  test('[A08] an answer counts once', async () => {
    const parts = waiting();
    const answer = createWaitingAsker(parts).ask(harmless, quiet());
    const [opened] = parts.open.values();
    opened?.settle({ verdict: 'deny', reason: 'no' });
    opened?.settle({ verdict: 'allow', scope: 'once' });
    expect(await answer).toEqual({ verdict: 'deny', reason: 'no' });
    expect(parts.open.size).toBe(0);
  });

  test('a command outside the sandbox never opens; without the guard it would', async () => {
    const guarded = waiting();
    expect(await createWaitingAsker(guarded).ask(onHost, quiet())).toMatchObject({ verdict: 'deny' });
    expect(guarded.open.size).toBe(0);
    const unguarded = waiting();
    const answer = createWaitingAsker(unguarded, nothing).ask(onHost, quiet());
    unguarded.open.get('q1')?.settle({ verdict: 'allow', scope: 'once' });
    expect(await answer).toEqual({ verdict: 'allow', scope: 'once' });
  });

  test('a cancelled call closes its question', async () => {
    const parts = waiting();
    const control = new AbortController();
    const answer = createWaitingAsker(parts).ask(harmless, control.signal);
    control.abort();
    await expect(answer).rejects.toMatchObject({ code: 'cancelled' });
    expect(parts.open.size).toBe(0);
  });

  test('a client without forms is told so', async () => {
    expect(await createWaitingAsker(waiting(false)).ask(harmless, quiet())).toMatchObject({
      verdict: 'deny',
      reason: expect.stringContaining('cannot show'),
    });
  });
});
