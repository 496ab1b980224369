import { expect, it } from 'vitest';
import type { CodeRequest } from '../../contract/code.ts';
import type { ShellResult } from '../../contract/services.ts';
import tool from './code-exec.ts';

const usual: ShellResult = {
  ...{ exitCode: 0, timedOut: false, cwd: '/work', rung: 'namespaces', durationMs: 3, notes: [] },
  stdout: { text: '42\n', truncated: false, totalBytes: 3 },
  stderr: { text: '', truncated: false, totalBytes: 0 },
};

async function call(input: unknown, result: Partial<ShellResult> = {}) {
  const requests: CodeRequest[] = [];
  const code = {
    run: (request: CodeRequest) => Promise.resolve(requests.push(request)).then(() => ({ ...usual, ...result })),
  };
  const context = {
    signal: new AbortController().signal,
    conversation: { id: 'c', workspace: '/work', isThrowaway: true },
    calledAs: 'code_exec',
    emit: () => undefined,
  };
  return { ...(await tool.run(tool.input.parse(input), { code }, context)), requests };
}

it('[N07] Python is the language unless the call says otherwise', async () => {
  const { text, data, requests } = await call({ code: 'print(42)' });
  expect(requests).toEqual([{ code: 'print(42)', language: 'python' }]);
  expect(text).toBe('42');
  expect(data).toMatchObject({ language: 'python', success: true, exit_code: 0, stdout: '42\n', stderr: '' });
  const more = { code: 'x', language: 'typescript', working_dir: 'a', timeout: 7 };
  expect((await call(more)).requests).toEqual([
    { code: 'x', language: 'typescript', workingDir: 'a', timeoutMs: 7000 },
  ]);
});

it('[N07] a program that failed is a result that says so', async () => {
  const stderr = { text: 'Traceback\n', truncated: false, totalBytes: 10 };
  const { text, data, failure } = await call({ code: 'x' }, { exitCode: 1, stderr });
  expect(text).toBe('The program failed.\n42\n[stderr]\nTraceback\n[exit code 1]');
  expect([data?.['success'], data?.['exit_code'], failure]).toEqual([false, 1, undefined]);
  const late = await call({ code: 'x' }, { exitCode: null, timedOut: true, signal: 'SIGINT' });
  expect([late.failure, late.data?.['timed_out']]).toEqual(['timeout', true]);
});

it('[N07] it is asked about as a program, never read as a shell command', () => {
  const access = tool.access(tool.input.parse({ code: 'import os', language: 'javascript', working_dir: 'a' }));
  const program = { kind: 'command', command: 'import os', language: 'javascript', cwd: 'a', isDangerous: false };
  expect(access).toEqual([program]);
  expect(tool.summary(tool.input.parse({ code: 'a\nb' }))).toBe('python: a b');
});
