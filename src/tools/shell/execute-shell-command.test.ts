import { describe, expect, it } from 'vitest';
import type { ShellRequest, ShellResult } from '../../contract/services.ts';
import tool from './execute-shell-command.ts';

const usual: ShellResult = {
  exitCode: 0,
  timedOut: false,
  stdout: { text: 'out\n', truncated: false, totalBytes: 4 },
  stderr: { text: '', truncated: false, totalBytes: 0 },
  cwd: '/project',
  rung: 'namespaces',
  durationMs: 12,
  notes: [],
};

const usualJob = {
  sessionId: 'bg-7',
  cwd: '/project',
  state: 'running',
  exitCode: null,
  startedAt: '2026-01-02T03:04:05.000Z',
  rung: 'namespaces',
  logBytes: 0,
  notes: [],
} as const;

/** Calls the tool with a shell that gives `result`, and tells what the shell was asked. */
async function call(input: unknown, result: Partial<ShellResult> = {}, calledAs = 'execute_shell_command') {
  const requests: ShellRequest[] = [];
  const progress: unknown[] = [];
  const shell = {
    run(request: ShellRequest, onOutput?: (chunk: { stream: 'stdout' | 'stderr'; text: string }) => void) {
      requests.push(request);
      onOutput?.({ stream: 'stdout', text: 'out' });
      return Promise.resolve({ ...usual, ...result });
    },
  };
  const backgrounds: unknown[] = [];
  const never = () => Promise.reject(new Error('not asked for'));
  const jobs = {
    start(request: Pick<ShellRequest, 'command' | 'workingDir' | 'env'>) {
      backgrounds.push(request);
      return Promise.resolve({ ...usualJob, command: request.command });
    },
    ...{ list: never, log: never, kill: never, remove: never },
  };
  const conversation = { id: 'c', workspace: '/project', isThrowaway: true };
  const context = {
    signal: new AbortController().signal,
    conversation,
    calledAs,
    emit: (one: unknown) => void progress.push(one),
  };
  const output = await tool.run(tool.input.parse(input), { shell, jobs }, context);
  return { ...output, requests, progress, backgrounds };
}

describe('the call', () => {
  it('[K58] takes the parameters of both contracts and no others', () => {
    const all = {
      command: 'x',
      timeout: 5,
      working_dir: 'a',
      env: { A: '1' },
      background: false,
      fresh: true,
      isDangerous: false,
      summary: 's',
    };
    expect(tool.input.parse(all)).toEqual(all);
    for (const wrong of [
      {},
      { command: '' },
      { command: 'x', approved: true },
      { command: 'x', timeout: 0 },
      { command: 'x', timeout: '5' },
      { command: 'x', env: { A: 1 } },
    ]) {
      expect(tool.input.safeParse(wrong).success).toBe(false);
    }
  });

  it('[K58] hands them to the shell', async () => {
    const { requests, progress } = await call({
      command: 'x',
      timeout: 5,
      working_dir: 'a',
      env: { A: '1' },
      fresh: true,
    });
    expect(requests).toEqual([{ command: 'x', timeoutMs: 5000, workingDir: 'a', env: { A: '1' }, fresh: true }]);
    expect(progress).toEqual([{ stream: 'stdout', text: 'out' }]);
  });

  it('[K59] [E14] called as bash it may take 180 s', async () => {
    expect((await call({ command: 'x' })).requests).toEqual([{ command: 'x' }]);
    expect((await call({ command: 'x' }, {}, 'bash')).requests).toEqual([{ command: 'x', defaultTimeoutMs: 180_000 }]);
    expect(tool.aliases).toEqual(['bash']);
  });

  it('[K59] the executor waits longer than the shell, whatever is asked for', () => {
    const wait = tool.timeoutMs;
    if (typeof wait !== 'function') throw new Error('the time limit depends on the call');
    expect(wait({ command: 'x', timeout: 5 })).toBe(15_000);
    expect(wait({ command: 'x' })).toBeGreaterThan(190_000);
    expect(wait({ command: 'x', timeout: 1e12 })).toBeLessThan(2 ** 31);
  });

  it('[E16] declares the exact command, its folder and its danger', () => {
    expect(tool.access({ command: 'rm -rf x' })).toEqual([
      { kind: 'command', command: 'rm -rf x', isDangerous: false },
    ]);
    expect(tool.access({ command: 'rm x', working_dir: 'a', isDangerous: true })).toEqual([
      { kind: 'command', command: 'rm x', cwd: 'a', isDangerous: true },
    ]);
    expect(tool.effect).toBe('once');
  });

  it('[E16] shows its summary, else its command, as one line', () => {
    expect(tool.summary({ command: 'a\nb', summary: 'Tidy\n up' })).toBe('Tidy up');
    expect(tool.summary({ command: 'a\n  b' })).toBe('a b');
    expect(tool.summary({ command: 'x'.repeat(500) })).toHaveLength(160);
    expect(tool.summary({ command: ' ' })).toBe('(empty command)');
  });

  it('[K61] in the background it is a job, whatever the timeout', async () => {
    const input = { command: 'x', background: true, timeout: 1, working_dir: 'a', env: { A: '1' } };
    const { text, data, backgrounds } = await call(input);
    expect(backgrounds).toEqual([{ command: 'x', workingDir: 'a', env: { A: '1' } }]);
    expect(text).toContain('manage_process {"action":"log","session_id":"bg-7"}');
    expect(data).toMatchObject({ session_id: 'bg-7', command: 'x', status: 'running', exit_code: null });
    expect(tool.output?.parse(data)).toEqual(data);
  });

  it('[E14] is short for the common case and whole as data', async () => {
    const { text, data, view, truncated } = await call({ command: 'x', summary: 's' });
    expect(text).toBe('out');
    expect(data).toEqual({
      command: 'x', exit_code: 0, stdout: 'out\n', stderr: '', summary: 's', timed_out: false, cwd: '/project', rung: 'namespaces', duration_ms: 12,
    }); // prettier-ignore
    expect(tool.output?.safeParse(data).success).toBe(true);
    expect(view).toEqual({ kind: 'terminal', command: 'x', stdout: 'out\n', stderr: '', exitCode: 0 });
    expect(truncated).toBe(false);
  });

  it('[E14] a command that fails is a result', async () => {
    const stderr = { text: 'bad\n', truncated: false, totalBytes: 4 };
    expect((await call({ command: 'x' }, { exitCode: 1, stderr })).text).toBe('out\n[stderr]\nbad\n[exit code 1]');
  });

  it('silence is said', async () => {
    const stdout = { text: '', truncated: false, totalBytes: 0 };
    expect((await call({ command: 'x' }, { stdout })).text).toBe('(no output, exit code 0)');
    expect((await call({ command: 'x' }, { stdout, exitCode: 2 })).text).toBe('[exit code 2]');
  });

  it('[K59] a timeout, a signal and notes are said', async () => {
    const timedOut = await call(
      { command: 'x' },
      { exitCode: null, timedOut: true, signal: 'SIGKILL', notes: ['It took too long.'] },
    );
    expect(timedOut.text).toBe('out\n[timed out]\n[note] It took too long.');
    expect(timedOut.data).toMatchObject({
      exit_code: null,
      timed_out: true,
      signal: 'SIGKILL',
      notes: ['It took too long.'],
    });
    expect((await call({ command: 'x' }, { exitCode: null, signal: 'SIGTERM' })).text).toBe('out\n[ended by SIGTERM]');
  });

  it('[E15] [K65] what was cut is marked, with its true length and the whole', async () => {
    const artifact = { id: 'a1', path: '/a1', bytes: 10 };
    const stdout = { text: 'head … tail', truncated: true, totalBytes: 11_534_336 };
    const cut = await call({ command: 'x' }, { stdout, artifact });
    expect(cut).toMatchObject({
      truncated: true,
      artifact,
      data: { stdout_truncated: true, stdout_bytes: 11_534_336 },
    });
    expect(cut.data).not.toHaveProperty('stderr_truncated');
  });
});

it('[K62] [K37] the description has room for the machine, and tells how to write HTML', () => {
  expect(tool.description).toContain('{environment}');
  expect(tool.description).toMatch(/self-contained file with inline CSS and JavaScript/);
  expect(Buffer.byteLength(tool.description)).toBeLessThanOrEqual(450);
});
