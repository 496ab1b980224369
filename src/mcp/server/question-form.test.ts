import { describe, expect, test } from 'vitest';
import type { ResolvedAccess } from '../../contract/access.ts';
import type { Question } from '../../contract/permission.ts';
import { questionForm, readAnswer, refusal } from './question-form.ts';

const outside: ResolvedAccess = { kind: 'path', path: 'link', realPath: '/etc/hosts', mode: 'write', zone: 'outside' };
const command = {
  kind: 'command',
  command: 'rm -r a',
  cwd: '/w',
  isDangerous: false,
  isSandboxed: true,
  heads: ['rm'],
  findings: [],
} as const;

function question(change: Partial<Question> = {}): Question {
  return {
    id: 'q',
    callId: 'c',
    conversationId: 'k',
    tool: 'write_file',
    title: 'Write file',
    summary: 'write link',
    reason: 'it is outside',
    input: '{"path":"link"}',
    accesses: [outside],
    isDangerous: false,
    scopes: ['once', 'conversation'],
    hash: 'h',
    ...change,
  };
}

describe('the form', () => {
  test('shows tool, summary, reason, the real path with the given one, and the arguments', () => {
    const { message } = questionForm(question());
    for (const part of [
      'Write file (write_file)',
      'write link',
      'it is outside',
      '/etc/hosts (given as link)',
      '{"path":"link"}',
    ]) {
      expect(message).toContain(part);
    }
  });

  test('offers the wider scope only where the question does', () => {
    const answers = (change: Partial<Question>) => questionForm(question(change)).requestedSchema.properties['answer'];
    expect(answers({})).toMatchObject({ enum: ['allow once', 'allow for this connection', 'deny'] });
    expect(answers({ scopes: ['once'] })).toMatchObject({ enum: ['allow once', 'deny'] });
    expect(answers({ scopes: ['once', 'always'] })).toMatchObject({ enum: ['allow once', 'deny'] });
  });

  test('control and invisible characters are visible, and no text can pass for a line of its own', () => {
    const { message } = questionForm(
      question({
        title: 'T\nAnswer: allow',
        summary: 's\u001b[2Jx',
        reason: 'r\u202e',
        input: '"\u200b"',
        accesses: [{ ...outside, realPath: '/a\nWhy it asks: nothing' }],
      }),
    );
    expect(message).toContain('T\\nAnswer: allow');
    expect(message).toContain('s\\x1b[2Jx');
    expect(message).toContain('r\\u202e');
    expect(message).toContain('"\\u200b"');
    expect(message).toContain('1 hidden characters');
    expect(message).toContain('/a\\nWhy it asks');
    expect(message).not.toMatch(/[\u001b\u202e\u200b]/u);
  });

  test('danger is marked, a command is shown whole, a long preview is cut and says so', () => {
    const preview = { kind: 'text', text: 'p'.repeat(50_000) } as const;
    const { message } = questionForm(
      question({ isDangerous: true, accesses: [{ ...command, command: 'echo "\u0007"' }], preview }),
    );
    expect(message).toContain('MARKED AS DANGEROUS');
    expect(message).toContain('echo "\\x07"');
    expect(message).toMatch(/\d+ characters of the preview are not shown/u);
    expect(message.length).toBeLessThan(10_000);
  });

  test.each([
    [
      { kind: 'url', url: 'https://x.test/a', method: 'POST', host: 'x.test', isAllowedHost: false },
      'POST https://x.test/a',
    ],
    [{ kind: 'app', name: 'gimp' }, 'gimp'],
    [{ kind: 'message', to: 'a@b.test' }, 'a@b.test'],
    [{ kind: 'mcp', server: 's1', tool: 't1' }, 's1, tool t1'],
    [{ kind: 'persist', what: 'schedule' }, 'schedule'],
  ] satisfies [ResolvedAccess, string][])('names what is touched: %j', (access, part) => {
    expect(questionForm(question({ accesses: [access] })).message).toContain(part);
  });
});

describe('what an MCP client cannot allow', () => {
  test.each([
    ['a command outside the sandbox', [{ ...command, isSandboxed: false }], /outside the sandbox/u],
    [
      'one of several commands outside the sandbox',
      [outside, command, { ...command, isSandboxed: false }],
      /outside the sandbox/u,
    ],
    ['a file that the machine obeys later', [{ ...outside, zone: 'trusted' }], /obeyed or run/u],
    ['our own state', [{ ...outside, zone: 'state', mode: 'delete' }], /obeyed or run/u],
    ['a user tool', [{ kind: 'persist', what: 'user-tool' }], /change the settings/u],
    ['a profile', [{ kind: 'persist', what: 'profile' }], /change the settings/u],
  ] satisfies [string, ResolvedAccess[], RegExp][])('%s', (_name, accesses, reason) => {
    expect(refusal(question({ accesses }))).toMatch(reason);
  });

  test('arguments too long to be read whole', () => {
    expect(refusal(question({ input: 'x'.repeat(20_001) }))).toMatch(/20001 characters/u);
    expect(refusal(question({ input: 'x'.repeat(20_000) }))).toBeUndefined();
  });

  test('everything else it can', () => {
    const accesses: ResolvedAccess[] = [
      outside,
      command,
      { ...outside, zone: 'trusted', mode: 'read' },
      { kind: 'persist', what: 'schedule' },
    ];
    expect(refusal(question({ accesses }))).toBeUndefined();
  });
});

describe('[A08] the answer', () => {
  const accept = (answer: unknown) => ({ action: 'accept', content: { answer } });

  test('only the words of the form allow', () => {
    expect(readAnswer(question(), accept('allow once'))).toEqual({ verdict: 'allow', scope: 'once' });
    expect(readAnswer(question(), accept('allow for this connection'))).toEqual({
      verdict: 'allow',
      scope: 'conversation',
    });
    expect(readAnswer(question({ scopes: ['once'] }), accept('allow for this connection')).verdict).toBe('deny');
  });

  test.each([
    undefined,
    null,
    'allow once',
    true,
    [],
    { action: 'accept' },
    { action: 'accept', content: {} },
    { action: 'decline', content: { answer: 'allow once' } },
    { action: 'ACCEPT', content: { answer: 'allow once' } },
    { result: accept('allow once') },
    { content: { answer: 'allow once' } },
    accept(['allow once']),
    accept('allow once '),
    accept('Allow once'),
    accept('always'),
    accept('deny'),
    accept(true),
  ])('%j is a no', (response) => {
    expect(readAnswer(question(), response)).toMatchObject({ verdict: 'deny', reason: expect.any(String) });
  });
});
