import { readdirSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { openShellWorld, type ShellWorld, type ShellWorldOptions } from '../../../test/kit/shell-world.ts';
import { ToolFailure } from '../../contract/failure.ts';
import { buildBwrapArgs } from '../sandbox/bwrap-args.ts';
import { findProot } from '../sandbox/find-proot.ts';

const worlds: ShellWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

function open(options: ShellWorldOptions = {}): ShellWorld {
  const world = openShellWorld(options);
  worlds.push(world);
  return world;
}

describe('what a command is given', () => {
  it('[K58] runs in the folder and with the variables of the request', async () => {
    const result = await open().run('pwd; echo $A', { workingDir: '/tmp', env: { A: '1' } });
    expect(result).toMatchObject({ exitCode: 0, cwd: '/tmp', rung: 'namespaces', timedOut: false, notes: [] });
    expect(result.stdout).toEqual({ text: '/tmp\n1\n', truncated: false, totalBytes: 7 });
  });

  it('finds folders of the workspace and of the private home, and names one that is not there', async () => {
    const world = open();
    await world.run('mkdir -p "a b"/c ~/d');
    expect((await world.run('pwd', { workingDir: 'a b/c' })).stdout.text).toBe(`${world.workspace}/a b/c\n`);
    expect((await world.run('pwd', { workingDir: '~/d' })).stdout.text).toBe('/home/handrail/d\n');
    await expect(world.run('pwd', { workingDir: '/root' })).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('/root does not exist in the sandbox'),
    });
  });

  it('takes any text as it is, also what looks like an option, and a megabyte of it', async () => {
    const world = open();
    expect((await world.run('-c')).stderr.text).toContain('-c: command not found');
    expect((await world.run("printf '%s|' 'ä€😀' \"$0\" '$HOME'")).stdout.text).toBe('ä€😀|bash|$HOME|');
    const long = `# ${'x'.repeat(1_000_000)}\necho ${'y'.repeat(200_000)} | wc -c; exit 8`;
    expect(await world.run(long)).toMatchObject({ exitCode: 8, stdout: { text: '200001\n' } });
  });

  it('lets PATH and LD_PRELOAD be set inside, where they harm nobody', async () => {
    const world = open();
    const result = await world.run('echo $PATH; echo $LD_PRELOAD', { env: { PATH: '/nowhere', LD_PRELOAD: '' } });
    expect(result.stdout.text).toBe('/nowhere\n\n');
  });

  it('keeps the workspace and the home from command to command, and nothing else', async () => {
    const world = open();
    await world.run('echo kept | tee here ~/there /tmp/gone; cd /; export A=1');
    expect((await world.run('cat here ~/there; ls /tmp; pwd; echo "[$A]"')).stdout.text).toBe(
      `kept\nkept\n${world.workspace.split('/')[2]}\n${world.workspace}\n[]\n`,
    );
  });
});

describe('what it prints', () => {
  it('keeps the streams apart, in order and whole', async () => {
    const result = await open().run('for i in 1 2 3; do echo out$i; echo err$i >&2; done; printf "no newline"');
    expect(result.stdout.text).toBe('out1\nout2\nout3\nno newline');
    expect(result.stderr.text).toBe('err1\nerr2\nerr3\n');
  });

  it('[K65] [K66] caps each stream on its own and keeps both ends of each', async () => {
    const world = open();
    const result = await world.run('seq 1 20000; seq 50000 70000 >&2');
    for (const stream of [result.stdout, result.stderr]) {
      expect(stream.truncated).toBe(true);
      expect(stream.text.length).toBeLessThanOrEqual(15_000);
      expect(stream.text).toContain(`${stream.totalBytes} bytes`);
    }
    expect(result.stdout.text).toMatch(/^1\n2\n.*\n19999\n20000\n$/s);
    expect(result.stderr.text).toMatch(/^50000\n.*\n70000\n$/s);
    expect(result.artifact?.bytes).toBe(world.kept[0]?.length);
    expect(world.kept[0]?.toString()).toMatch(/^\[stdout\]\n1\n2\n3\n.*\n20000\n\[stderr\]\n50000\n.*\n70000\n$/s);
  });

  it('[E15] of 11 MB the first and last 5 MB are kept, with the true length', async () => {
    const world = open();
    const result = await world.run('echo first; head -c 11534336 /dev/zero | tr "\\0" x; echo last');
    expect(result.stdout).toMatchObject({ truncated: true, totalBytes: 11_534_347 });
    const artifact = world.kept[0] ?? Buffer.alloc(0);
    expect(Math.abs(artifact.length - 10 * 1024 * 1024)).toBeLessThan(200);
    expect(artifact.subarray(0, 8).toString()).toBe('first\nxx');
    expect(artifact.subarray(-7).toString()).toBe('xxlast\n');
    expect(artifact.includes('of 11534347 bytes left out here')).toBe(true);
    expect(result.stdout.text).toMatch(/^first\nx+\n\.\.\. .*11534347 bytes\] \.\.\.\nx+last\n$/);
  });

  it('shows progress while it runs, but not everything of a flood', async () => {
    const world = open();
    const seen: string[] = [];
    const onOutput = ({ stream, text }: { stream: string; text: string }): void => void seen.push(`${stream}:${text}`);
    await world.run('echo a; echo b >&2', {}, { onOutput });
    expect(seen.toSorted()).toEqual(['stderr:b\n', 'stdout:a\n']);
    let shownChars = 0;
    const flood = await world.run(
      'head -c 20000000 /dev/zero | tr "\\0" x',
      {},
      { onOutput: ({ text }) => void (shownChars += text.length) },
    );
    expect(flood.stdout.totalBytes).toBe(20_000_000);
    expect(shownChars).toBeLessThan(1_000_000);
  });

  it('says so when the whole could not be kept', async () => {
    const artifacts = { keep: () => Promise.resolve(undefined), read: () => Promise.reject(new Error('unused')) };
    const result = await open({ shell: { artifacts } }).run('seq 1 20000');
    expect(result.artifact).toBeUndefined();
    expect(result.notes).toEqual([expect.stringContaining('could not be kept')]);
  });
});

describe('how it ends', () => {
  it('[K59] a timeout keeps what was printed and says so', async () => {
    const result = await open({ limits: { timeoutSeconds: 0.3, maxTimeoutSeconds: 1 } }).run(
      'echo before; sleep 60; echo after',
    );
    expect(result).toMatchObject({ exitCode: null, timedOut: true, signal: 'SIGINT', stdout: { text: 'before\n' } });
    expect(result.notes).toEqual([expect.stringContaining('still running after 0.3 s')]);
  });

  it('[K59] a longer timeout than allowed is lowered, and the result says so', async () => {
    const result = await open().run('true', { timeoutMs: 9_999_000 });
    expect(result.notes).toEqual(['The timeout of 9999 s was lowered to the maximum of 120 s.']);
  });

  it('names what it left in the background, and ends it', async () => {
    const result = await open().run('sleep 300 & sleep 301 & exit 2');
    expect(result.exitCode).toBe(2);
    expect(result.notes[0]).toMatch(
      /^2 background processes were ended when the command finished: sleep 300 \(pid \d+\), sleep 301/,
    );
  });

  it('lets a tee behind the command write its last lines', async () => {
    const world = open();
    await world.run('exec > >(cat >log); echo line');
    expect((await world.run('cat log')).stdout.text).toBe('line\n');
  });

  it('a call that is called off rejects with the reason, and nothing of it lives on', async () => {
    const world = open();
    const control = new AbortController();
    const reason = new ToolFailure('cancelled', 'Stop was pressed.');
    const running = world.run(
      "trap '' INT TERM; echo up; setsid sleep 4711.25 & wait",
      {},
      {
        signal: control.signal,
        onOutput: () => control.abort(reason),
      },
    );
    await expect(running).rejects.toBe(reason);
    expect((await world.run('echo next')).stdout.text).toBe('next\n');
    await expect(world.run('true', {}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it('closing ends what runs and leaves no descriptor open', async () => {
    const world = openShellWorld();
    await world.run('true');
    const before = readdirSync('/proc/self/fd').length;
    const running = world.run('sleep 60');
    const ending = running.catch((error: unknown) => error);
    await world.close();
    expect(await ending).toMatchObject({ code: 'cancelled' });
    expect(readdirSync('/proc/self/fd').length).toBeLessThan(before);
  });

  it('eight at once run together and do not mix', async () => {
    const world = open();
    await world.run('true');
    const startedAt = performance.now();
    const results = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7, 8].map((n) => world.run(`sleep 0.5; echo ${n}; echo e${n} >&2; exit ${n}`)),
    );
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    expect(results.map((result) => [result.exitCode, result.stdout.text, result.stderr.text])).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].map((n) => [n, `${n}\n`, `e${n}\n`]),
    );
  });
});

it('[K62] tells the machine as commands see it', async () => {
  expect(await open().owner.facts()).toEqual({
    os: 'Linux',
    distribution: expect.any(String),
    shell: 'bash',
    rung: 'namespaces',
  });
  const onHost = open({ rung: 'host', environment: { PATH: '/usr/bin:/bin' } });
  expect(await onHost.owner.facts()).toMatchObject({ rung: 'host', distribution: expect.any(String) });
});

describe('what is refused', () => {
  it('[A30] a command that was not granted, or was granted for another place', async () => {
    const world = open();
    const conversation = { id: 'c', workspace: world.workspace, isThrowaway: true };
    const granted = (command: string, isSandboxed: boolean) => [
      {
        kind: 'command' as const,
        command,
        cwd: world.workspace,
        isDangerous: false,
        isSandboxed,
        heads: [],
        findings: [],
      },
    ];
    const attempt = (owner: ShellWorld, command: string, isSandboxed: boolean) =>
      owner.owner
        .forCall({
          callId: 'call',
          conversation,
          granted: granted(command, isSandboxed),
          signal: new AbortController().signal,
        })
        .run({ command: 'touch ran' });
    await expect(attempt(world, 'touch  ran', true)).rejects.toMatchObject({ code: 'denied' });
    await expect(attempt(world, 'touch ran', false)).rejects.toMatchObject({ code: 'denied' });
    expect(readdirSync(world.workspace)).toEqual([]);
    const twin = open({ workspace: world.workspace, shell: { isGranted: () => true } });
    await attempt(twin, 'touch  ran', true);
    expect(readdirSync(world.workspace)).toEqual(['ran']);
  });

  it.each([
    ['an empty command', ' \n', {}],
    ['a NUL byte', 'echo a\0b', {}],
    ['a timeout of nothing', 'true', { timeoutMs: 0 }],
    ['a timeout below nothing', 'true', { timeoutMs: -1 }],
    ['a timeout that is no number', 'true', { timeoutMs: Number.NaN }],
    ['a name that is none', 'true', { env: { 'A B': '1' } }],
    ['a value with a NUL byte', 'true', { env: { A: '\0' } }],
    ['a folder with a NUL byte', 'true', { workingDir: 'a\0b' }],
  ])('%s', async (_title, command, request) => {
    await expect(open().run(command, request)).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('[S37] [A29] any command while bubblewrap is missing, with the command that installs it', async () => {
    const find = () =>
      Promise.resolve({ found: undefined, problem: 'missing', reason: 'bubblewrap is not installed' } as const);
    const world = open({ sandbox: { find } });
    await expect(world.run('touch ran')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/not installed.*install.*bubblewrap/),
    });
    expect(readdirSync(world.workspace)).toEqual([]);
  });

  it('a sandbox that cannot start says what it said', async () => {
    const world = open({ sandbox: { buildArgs: (plan) => ['--bind', '/nowhere', '/x', ...buildBwrapArgs(plan)] } });
    await expect(world.run('touch ran')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('/nowhere'),
    });
    expect(readdirSync(world.workspace)).toEqual([]);
  });

  it.each(['container', 'proot'] as const)(
    '[A29] the rung %s where nothing gives it, never silently the host',
    async (rung) => {
      const sandbox = {
        findProot: () => findProot([]),
        findContainer: () =>
          Promise.resolve({ found: undefined, problem: 'missing', reason: 'no container here' } as const),
      };
      const world = open({ rung, sandbox });
      await expect(world.run('touch ran')).rejects.toMatchObject({ code: 'unavailable' });
      await expect(world.run('touch ran', {}, { conversation: 'a' })).rejects.toMatchObject({ code: 'unavailable' });
      expect(readdirSync(world.workspace)).toEqual([]);
    },
  );
});
