import { describe, expect, it } from 'vitest';
import type { Shell, ShellRequest, ShellResult } from '../../contract/services.ts';
import { readCommand } from '../../permission/read-command/read-command.ts';
import tool from './ssh-exec.ts';

const usual: ShellResult = {
  exitCode: 0,
  timedOut: false,
  stdout: { text: 'out\n', truncated: false, totalBytes: 4 },
  stderr: { text: '', truncated: false, totalBytes: 0 },
  cwd: '/ws',
  rung: 'namespaces',
  durationMs: 5,
  notes: [],
};

/** Calls the tool over a shell that only answers. */
async function call(given: unknown, result: Partial<ShellResult> = {}) {
  const input = tool.input.parse(given);
  const requests: ShellRequest[] = [];
  const shell: Shell = {
    run: async (request) => {
      requests.push(request);
      return { ...usual, ...result };
    },
  };
  const context = {
    callId: 'call',
    calledAs: 'ssh_exec',
    conversation: { id: 'c', workspace: '/ws', isThrowaway: false },
    signal: new AbortController().signal,
    emit: () => undefined,
  };
  const output = await tool.run(input, { shell }, context);
  return { output, requests, accesses: tool.access(input) };
}

const stderr = (text: string) => ({ text, truncated: false, totalBytes: text.length });

describe('ssh_exec', () => {
  it('[N10] runs exactly what is asked about, with a timeout of its own', async () => {
    const { requests, accesses } = await call({
      command: "echo 'a b'",
      host: 'box',
      username: 'me',
      port: 2222,
      key_path: '~/.ssh/id',
      timeout: 5,
    });
    const command = String(requests[0]?.command);
    expect(accesses).toEqual([{ kind: 'command', command, isDangerous: false }]);
    expect(command).toMatch(/ -p 2222 .*-i ~\/\.ssh\/id -l me box -- 'echo '\\''a b'\\'''$/);
    expect(requests[0]).toMatchObject({ timeoutMs: 5_000, defaultTimeoutMs: 5_000 });
    expect((await call({ command: 'x', host: 'box' })).requests[0]).toMatchObject({ timeoutMs: 60_000 });
  });

  it.each([
    { host: '-oProxyCommand=evil' },
    { host: 'a b' },
    { host: 'a;b' },
    { host: '' },
    { host: 'u$x' },
    { username: '-x' },
    { username: 'a b' },
    { key_path: '-i' },
    { key_path: 'a b' },
    { key_path: '$(x)' },
    { port: 0 },
    { port: 70_000 },
    { command: '' },
    { timeout: 0 },
    { password: 'x' },
  ])('[A13] refuses what could be more than one word or an option: %j', (given) => {
    expect(tool.input.safeParse({ command: 'true', host: 'box', ...given }).success).toBe(false);
  });

  it('[E17] [A14] what it would remove over there is seen, what it reads is not asked about', async () => {
    const context = { cwd: '/ws', home: '/home/handrail', workspace: '/ws', isSandboxed: true };
    const findingsOf = async (command: string) => {
      const { requests } = await call({ command, host: 'box', username: 'me' });
      return readCommand(String(requests[0]?.command), context).findings.filter((each) => !each.insideSandboxOnly);
    };
    expect(await findingsOf('rm -rf /var/lib/x')).toContainEqual(expect.objectContaining({ kind: 'removes' }));
    expect(await findingsOf('uptime; df -h')).toEqual([]);
  });

  it('[N10] says what to do about keys', async () => {
    const failed = async (text: string) =>
      (await call({ command: 'x', host: 'box' }, { exitCode: 255, stderr: stderr(text) })).output.text;
    expect(await failed('Host key verification failed.')).toContain('known_host_line');
    expect(await failed('WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!')).toContain('ssh-keygen -R box');
    expect(await failed('me@box: Permission denied (publickey).')).toContain('key_path');
    expect(
      (await call({ command: 'x', host: 'box' }, { exitCode: 1, stderr: stderr('Permission denied') })).output.text,
    ).not.toContain('[note]');
  });

  it('[N10] gives streams, code and time, and fails when it takes too long', async () => {
    const { output } = await call(
      { command: 'x', host: 'box' },
      { exitCode: 3, stderr: stderr('oops\n'), notes: ['n'] },
    );
    expect(output.data).toEqual({
      host: 'box',
      exit_code: 3,
      stdout: 'out\n',
      stderr: 'oops\n',
      timed_out: false,
      duration_ms: 5,
      notes: ['n'],
    });
    expect(output.text).toBe('out\n[stderr]\noops\n[exit code 3]\n[note] n');
    const late = await call({ command: 'x', host: 'box' }, { exitCode: null, timedOut: true });
    expect(late.output).toMatchObject({ failure: 'timeout' });
  });
});
