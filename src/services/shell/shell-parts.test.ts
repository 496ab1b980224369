/** The small parts of the shell, each on its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, readdirSync, readSync, statSync, writeSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkEnvironment, resolveWorkingDir } from './check-request.ts';
import { endTree, type KillTarget, within } from './end-tree.ts';
import { describeLeft, readFirstReport } from './first-process.ts';
import { createPipePool } from './pipe-pool.ts';
import {
  carriesMark,
  commandLine,
  descendantsOf,
  isEnding,
  listProcesses,
  sendSignal,
  signOfSleep,
} from './process-tree.ts';
import { throttleProgress } from './throttle-progress.ts';
import { decideTimeLimit } from './time-limit.ts';

describe('the time limit', () => {
  const limits = { timeoutSeconds: 30, maxTimeoutSeconds: 120 };
  it.each([
    ['nothing asked for', {}, 30_000],
    ['less than the default', { timeoutMs: 500 }, 500],
    ['the maximum', { timeoutMs: 120_000 }, 120_000],
    ['a contract of its own', { defaultTimeoutMs: 180_000 }, 180_000],
    ['a wish within a contract of its own', { timeoutMs: 150_000, defaultTimeoutMs: 180_000 }, 150_000],
  ])('[K59] [E14] %s', (_title, request, timeoutMs) => {
    expect(decideTimeLimit(request, limits)).toEqual({ timeoutMs });
  });

  it('[K59] a larger wish is lowered and said', () => {
    expect(decideTimeLimit({ timeoutMs: 121_000 }, limits)).toEqual({
      timeoutMs: 120_000,
      note: expect.stringContaining('120 s'),
    });
    expect(decideTimeLimit({ timeoutMs: 200_000, defaultTimeoutMs: 180_000 }, limits)).toMatchObject({
      timeoutMs: 180_000,
    });
  });

  it('[K59] settings raise both', () => {
    const raised = { timeoutSeconds: 300, maxTimeoutSeconds: 900 };
    expect(decideTimeLimit({ defaultTimeoutMs: 180_000 }, raised).timeoutMs).toBe(300_000);
    expect(decideTimeLimit({ timeoutMs: 800_000 }, raised)).toEqual({ timeoutMs: 800_000 });
    // A timer of Node that is set for longer than 2^31 ms fires at once.
    expect(decideTimeLimit({ timeoutMs: 1e13 }, { timeoutSeconds: 1, maxTimeoutSeconds: 1e12 }).timeoutMs).toBeLessThan(
      2 ** 31,
    );
  });
});

describe('the request', () => {
  it('finds its folder', () => {
    const places = { workspace: '/w', home: '/h' };
    const cases: [string | undefined, string][] = [[undefined, '/w'], ['', '/w'], ['a/../b', '/w/b'], ['~', '/h'], ['~/x', '/h/x'], ['/tmp/', '/tmp'], ['..', '/'], ['~x', '/w/~x']]; // prettier-ignore
    for (const [given, found] of cases) expect(resolveWorkingDir(given, places)).toBe(found);
  });

  it('refuses a variable that no program could be given', () => {
    expect(() => checkEnvironment({ A: 'x'.repeat(130_000) }, () => false)).toThrow(
      expect.objectContaining({ code: 'too_large' }),
    );
    expect(checkEnvironment({ A: 'x'.repeat(110_000) }, () => false)).toHaveProperty('A');
  });
});

describe('progress', () => {
  it('passes 64 KB a second and goes on in the next', () => {
    let now = 0;
    let shown = '';
    const show = throttleProgress(
      ({ text }) => void (shown += text),
      () => now,
    );
    for (let count = 0; count < 40; count += 1) show('stdout', Buffer.alloc(4096, 'x'));
    expect(shown.length).toBe(65_536);
    now = 1000;
    show('stdout', Buffer.from('next'));
    expect(shown.endsWith('xnext')).toBe(true);
  });

  it('joins characters that came in pieces', () => {
    let shown = '';
    const show = throttleProgress(
      ({ text }) => void (shown += text),
      () => 0,
    );
    for (const byte of Buffer.from('é😀')) show('stderr', Buffer.from([byte]));
    expect(shown).toBe('é😀');
  });
});

describe('the report of the first process', () => {
  it('is read between the lines of the sandbox’s own', () => {
    const text =
      '{ "child-pid": 12 }\n\nstarted\n\nleft 4 sleep 9 \n\nleft 5 node x\n\nleft-count 14\n{ "exit-code": 0 }\n';
    expect(readFirstReport(text)).toEqual({
      outcome: 'started',
      left: ['sleep 9 (pid 4)', 'node x (pid 5)'],
      leftCount: 14,
    });
    expect(readFirstReport('{ "child-pid": 12 }\n').outcome).toBe('silent');
  });

  it('becomes one sentence', () => {
    expect(describeLeft([])).toBeUndefined();
    expect(describeLeft(['a (pid 1)'])).toBe('1 background process was ended when the command finished: a (pid 1)');
    expect(describeLeft(['a (pid 1)', 'b (pid 2)'], 14)).toBe(
      '14 background processes were ended when the command finished: a (pid 1), b (pid 2), …',
    );
  });
});

describe('pipes', () => {
  const owner = { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 };

  it('[A23] carry bytes, are nobody else’s, and come back empty', async () => {
    const pool = createPipePool();
    const [pipe] = await pool.take(1, owner);
    const writer = pipe?.openWriter() ?? -1;
    expect(statSync(`/proc/self/fd/${writer}`).mode & 0o777).toBe(0o600);
    writeSync(writer, 'left over');
    closeSync(writer);
    expect(pipe?.readSoFar()).toBe('left over');
    pool.release(pipe === undefined ? [] : [pipe]);
    const [again] = await pool.take(1, owner);
    expect(again).toBe(pipe);
    expect(again?.readSoFar()).toBe('');
    pool.close();
  });

  it('end after what they were fed with', async () => {
    const pool = createPipePool();
    const [pipe] = await pool.take(1, owner);
    const { reader, send } = pipe?.feed(Buffer.from('fed')) ?? { reader: -1, send: () => undefined };
    send();
    const bytes = Buffer.alloc(10);
    expect([readSync(reader, bytes), readSync(reader, bytes)]).toEqual([3, 0]);
    closeSync(reader);
    pool.release(pipe === undefined ? [] : [pipe]);
    pool.close();
  });

  it('that somebody still writes to are not used again', async () => {
    const pool = createPipePool();
    const [pipe] = await pool.take(1, owner);
    const writer = pipe?.openWriter() ?? -1;
    pool.release(pipe === undefined ? [] : [pipe]);
    const others = await pool.take(8, owner);
    expect(others).not.toContain(pipe);
    closeSync(writer);
    pool.release(others);
    pool.close();
  });

  it('are not kept in any number after a burst', async () => {
    const pool = createPipePool();
    const open = (): number => readdirSync('/proc/self/fd').length;
    const before = open();
    const taken = await Promise.all(Array.from({ length: 30 }, () => pool.take(4, owner)));
    for (const pipes of taken) pool.release(pipes);
    expect(open() - before).toBeLessThanOrEqual(40);
    pool.close();
    expect(open()).toBe(before);
  });

  it('that are made beforehand go to whoever comes, as many as each wants, and are gone when nobody does', async () => {
    const pool = createPipePool();
    const open = (): number => readdirSync('/proc/self/fd').length;
    const before = open();
    pool.prepare();
    const taken = await Promise.all([pool.take(6, owner), pool.take(6, owner), pool.take(1, owner)]);
    expect(taken.map((pipes) => pipes.length)).toEqual([6, 6, 1]);
    expect(new Set(taken.flat()).size).toBe(13);
    for (const pipes of taken) pool.release(pipes);
    pool.close();
    const other = createPipePool();
    other.prepare();
    other.close();
    await expect(other.take(1, owner)).rejects.toMatchObject({ code: 'unavailable' });
    expect(open()).toBe(before);
  });

  it('say where there is no room for them', async () => {
    await expect(createPipePool('/nowhere').take(1, owner)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('TMPDIR'),
    });
  });
});

describe('ending a tree', () => {
  function target(diesOf: string): { calls: string[]; target: KillTarget; gone: Promise<void> } {
    const calls: string[] = [];
    let die = (): void => undefined;
    const gone = new Promise<void>((resolve) => (die = resolve));
    const act = (name: string) => () => {
      calls.push(name);
      if (name === diesOf) die();
    };
    return {
      calls,
      gone,
      target: { interrupt: act('interrupt'), terminate: act('terminate'), kill: act('kill'), destroy: act('destroy') },
    };
  }

  it.each([
    ['interrupt', 'SIGINT', ['interrupt']],
    ['terminate', 'SIGTERM', ['interrupt', 'terminate']],
    ['kill', 'SIGKILL', ['interrupt', 'terminate', 'kill']],
    ['destroy', 'SIGKILL', ['interrupt', 'terminate', 'kill', 'destroy']],
  ])('goes no further than %s', async (diesOf, signal, calls) => {
    const made = target(diesOf);
    expect(await endTree(made.target, made.gone)).toBe(signal);
    expect(made.calls).toEqual(calls);
  });

  it('waiting for what fails fails', async () => {
    await expect(within(Promise.reject(new Error('no')), 1000)).rejects.toThrow('no');
    expect(await within(new Promise(() => undefined), 1)).toBe(false);
  });
});

it('the process table knows children, marks and names with spaces', async () => {
  const child = spawn('bash', ['-c', 'exec -a "a) b" sleep 60 & echo $!; wait'], {
    env: { PATH: process.env['PATH'], MARK: 'x1' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const pid = Number(line.toString());
    await expect.poll(() => commandLine(pid)).toBe('a) b 60');
    expect(descendantsOf(process.pid, listProcesses()).map((entry) => entry.pid)).toEqual(
      expect.arrayContaining([child.pid, pid]),
    );
    expect([carriesMark(pid, 'MARK=x1'), carriesMark(pid, 'MARK=x'), carriesMark(process.pid, 'MARK=x1')]).toEqual([
      true,
      false,
      false,
    ]);
    sendSignal(pid, 'SIGKILL');
  } finally {
    child.kill('SIGKILL');
  }
});

it('the process table tells who sleeps on, who has been awake, and who is dead and not collected', async () => {
  // Whoever takes the place of a shell knows nothing of its children: cat collects none.
  const child = spawn('bash', ['-c', 'sleep 600 & echo $!; exec cat'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const pid = child.pid ?? 0;
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const below = Number(line.toString());
    await expect.poll(() => commandLine(pid)).toBe('cat');
    expect([isEnding(pid), isEnding(below)]).toEqual([false, false]);
    sendSignal(below, 'SIGKILL');
    await expect.poll(() => isEnding(below)).toBe(true);
    await expect.poll(() => signOfSleep(pid)).toBeDefined();
    const asleep = signOfSleep(pid);
    expect(signOfSleep(pid)).toBe(asleep);
    child.stdin.write('awake\n');
    await once(child.stdout, 'data');
    await expect.poll(() => signOfSleep(pid)).toBeDefined();
    expect(signOfSleep(pid)).not.toBe(asleep);
  } finally {
    child.kill('SIGKILL');
  }
  expect(signOfSleep(0)).toBeUndefined();
});
