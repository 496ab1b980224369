/** The small parts of the limits, each on its own. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isRoot } from '../../../test/kit/ordinary-user.ts';
import { defaultSettings } from '../settings/default-settings.ts';
import { needsSecondLook } from './blame-for-disk.ts';
import { createControlGroup } from './control-group.ts';
import { createLimits } from './create-limits.ts';
import { type DiskLook, judgeDisk } from './disk-use.ts';
import { enterGroups } from './enter-groups.ts';
import { decideFigures, readMostOpenFiles, temporarySize } from './limit-figures.ts';
import { dataNote, notesFromWords } from './limit-notes.ts';
import { chooseVictims } from './memory-use.ts';
import { countOwnTasks } from './own-tasks.ts';
import { hasLimitPerNamespace, resourceLimitScript } from './resource-limits.ts';
import { findScopeMaker } from './systemd-scope.ts';

const settings = defaultSettings.sandbox.limits;
const gigabyte = 2 ** 30;

describe('the figures', () => {
  it('[A31] memory is three quarters of the machine and at least a gigabyte, or what the settings say', () => {
    expect(decideFigures(settings, 16 * gigabyte).memoryBytes).toBe(12 * gigabyte);
    expect(decideFigures(settings, gigabyte).memoryBytes).toBe(gigabyte);
    expect(decideFigures({ ...settings, memoryMegabytes: 300 }, 16 * gigabyte).memoryBytes).toBe(300 * 2 ** 20);
  });

  it('file systems in memory get a quarter each, and 2 GB at most', () => {
    expect([temporarySize(100 * gigabyte), temporarySize(gigabyte)]).toEqual([2 * gigabyte, gigabyte / 4]);
  });

  it('our own hard limit on open files is the most that can be handed down', () => {
    expect(readMostOpenFiles(() => 'Max open files            1024                 20000                files\n')).toBe(
      20_000,
    );
    expect(readMostOpenFiles(() => 'Max open files            1024                 unlimited            files\n')).toBe(
      Infinity,
    );
  });

  it('limits per namespace are counted from Linux 5.14 on', () => {
    const kernels = ['5.13.9', '5.14.0', '6.1.0-amd64', '4.19.0', '10.0'];
    expect(kernels.map((kernel) => hasLimitPerNamespace(kernel))).toEqual([false, true, true, false, true]);
  });

  it('counts the processes of our user', () => {
    expect(countOwnTasks()).toBeGreaterThan(0);
    expect(countOwnTasks(4_000_000_000)).toBe(0);
  });
});

describe('what each process carries', () => {
  const figures = { ...decideFigures({ ...settings, fileMegabytes: 20, memoryMegabytes: 300, openFiles: 3000 }) };
  const script = resourceLimitScript({
    figures,
    processes: 77,
    limitsData: true,
    mostOpenFiles: 1500,
    isOnHost: false,
  });
  const shells: [string, readonly string[]][] = [
    ['dash', ['/bin/dash']],
    ['bash as sh', ['/bin/bash', '--posix']],
    ['busybox', ['busybox', 'sh']],
  ];

  it.each(shells)('[A31] %s sets all of it', (_, [file = '', ...args]) => {
    const printed = execFileSync(
      file,
      [...args, '-c', `{ ${script}; } 2>/dev/null; cat /proc/self/limits /proc/self/oom_score_adj`],
      {
        encoding: 'utf8',
      },
    );
    const limit = (name: string): string[] | undefined =>
      new RegExp(`^Max ${name}\\s+(\\d+|unlimited)\\s+(\\d+|unlimited)`, 'm').exec(printed)?.slice(1);
    expect(limit('file size')).toEqual([`${20 * 2 ** 20}`, `${20 * 2 ** 20}`]);
    expect(limit('processes')).toEqual(['77', '77']);
    expect(limit('open files')).toEqual(['1500', '1500']);
    expect(limit('core file size')).toEqual(['0', '0']);
    expect(limit('data size')?.[0]).toBe(`${300 * 2 ** 20}`);
    expect(printed.trimEnd().split('\n').at(-1)).toBe('500');
  });

  it('on the host only what guards the machine is set', () => {
    const host = resourceLimitScript({
      figures,
      processes: undefined,
      limitsData: false,
      mostOpenFiles: 1e6,
      isOnHost: true,
    });
    expect(host).toBe('ulimit -f 40960; ulimit -H -n 3000; echo 500 >/proc/self/oom_score_adj');
  });

  it('a limit that cannot be set does not keep a command from starting', () => {
    const command = ['/bin/sh', '-c', `{ ulimit -f 10; ulimit -f 999999; false; } 2>/dev/null; echo started`];
    expect(execFileSync(command[0] ?? '', command.slice(1), { encoding: 'utf8' })).toBe('started\n');
  });
});

describe('entering a group', () => {
  it('needs nothing where there is none', () => {
    expect(enterGroups([], ['/bin/true'])).toEqual(['/bin/true']);
  });

  it('[A31] a command that cannot enter does not run outside', () => {
    const [file, ...args] = enterGroups(['/proc/nowhere/cgroup.procs'], ['/bin/echo', 'ran']);
    expect(() => execFileSync(file, args, { stdio: 'pipe' })).toThrow(expect.objectContaining({ status: 125 }));
  });
});

const look = (changed: Partial<DiskLook> = {}): DiskLook => ({
  device: 1,
  isMemory: false,
  freeBytes: 50 * gigabyte,
  usedBytes: gigabyte,
  freeFiles: 1_000_000,
  usedFiles: 10_000,
  countsFiles: true,
  ...changed,
});

describe('a disk', () => {
  const figures = decideFigures({
    ...settings,
    diskMegabytes: 20_480,
    files: 500_000,
    freeMegabytes: 1024,
    freeFiles: 20_000,
  });
  const judge = (now: Partial<DiskLook>, before: Partial<DiskLook> = {}): string | undefined =>
    judgeDisk('/w', { before: look(before), now: look(now) }, figures);

  it('[A31] may become fuller until the limit, and fullest until the floor', () => {
    expect(judge({ freeBytes: 31 * gigabyte })).toBeUndefined();
    expect(judge({ freeBytes: 29 * gigabyte })).toContain('sandbox.limits.diskMegabytes');
    expect(judge({ freeBytes: gigabyte / 2 }, { freeBytes: 2 * gigabyte })).toContain('sandbox.limits.freeMegabytes');
    expect(judge({ freeFiles: 400_000 })).toContain('sandbox.limits.files');
    expect(judge({ freeFiles: 10_000 }, { freeFiles: 100_000 })).toContain('sandbox.limits.freeFiles');
  });

  it('that was fuller than that to begin with does not stop a command that tidies up', () => {
    const full = { freeBytes: gigabyte / 4, freeFiles: 1000 };
    expect(judge({ freeBytes: gigabyte / 5, freeFiles: 900 }, full)).toBeUndefined();
    expect(judge({ freeBytes: gigabyte / 10, freeFiles: 900 }, full)).toContain('freeMegabytes');
    expect(judge({ freeBytes: gigabyte / 5, freeFiles: 400 }, full)).toContain('freeFiles');
  });

  it('whose files are not counted has no limit on them', () => {
    expect(judge({ countsFiles: false, freeFiles: 0 }, { countsFiles: false, freeFiles: 0 })).toBeUndefined();
  });

  it('in memory has an end of its own, and counts files', () => {
    expect(judge({ isMemory: true, freeBytes: 0 })).toBeUndefined();
    expect(judge({ isMemory: true, freeFiles: 1 })).toContain('sandbox.limits.files');
  });

  it('that became full beside a shell at rest or a job of days is no proof against them', () => {
    const entry = { every: 1, beganAtMs: performance.now(), suspicion: undefined };
    const verdict = (changed: object, isOwn = false) =>
      ({ entry: { ...entry, ...changed }, disk: '1', note: '', isOwn }) as unknown as Parameters<
        typeof needsSecondLook
      >[0];
    expect(needsSecondLook(verdict({}))).toBe(false);
    expect(needsSecondLook(verdict({ every: 8 }))).toBe(true);
    expect(needsSecondLook(verdict({ beganAtMs: performance.now() - 120_000 }))).toBe(true);
    expect(needsSecondLook(verdict({ every: 8 }, true))).toBe(false);
  });
});

describe('the words of programs', () => {
  const figures = decideFigures({ ...settings, memoryMegabytes: 300 });
  it.each([
    ['bash: fork: retry: Resource temporarily unavailable', 'processes'],
    ['/bin/sh: 0: Cannot fork', 'processes'],
    ["sh: can't fork: Resource temporarily unavailable", 'processes'],
    ['OpenJDK 64-Bit Server VM warning: pthread_create failed (EAGAIN)', 'processes'],
    ["RuntimeError: can't start new thread", 'processes'],
    ['File size limit exceeded', 'fileMegabytes'],
    ['OSError: [Errno 27] File too large', 'fileMegabytes'],
    ['Error: EMFILE: too many open files', 'openFiles'],
    ['OSError: [Errno 24] Too many open files', 'openFiles'],
  ])('%s', (stderr, name) => {
    expect(notesFromWords({ stderr, exitCode: 1 }, figures)).toEqual([
      expect.stringContaining(`sandbox.limits.${name}`),
    ]);
  });

  it('an ordinary failure says nothing of limits', () => {
    expect(notesFromWords({ stderr: 'cat: x: No such file or directory', exitCode: 1 }, figures)).toEqual([]);
    expect(dataNote('x: not found', figures)).toBeUndefined();
  });

  it('a program ended by SIGXFSZ is explained without a word', () => {
    expect(notesFromWords({ stderr: '', exitCode: 153 }, figures)).toEqual([expect.stringContaining('fileMegabytes')]);
  });

  it.each([
    'MemoryError',
    'fork: Cannot allocate memory',
    'terminate called after throwing std::bad_alloc',
    'FATAL ERROR: JavaScript heap out of memory',
  ])('%s names the memory', (stderr) => {
    expect(dataNote(stderr, figures)).toContain('300 MB');
  });
});

it('the biggest are killed until the rest fits', () => {
  const sizes = [10, 50, 30, 0].map((bytes, pid) => ({ pid, bytes }));
  expect(chooseVictims(sizes, 60).map(({ pid }) => pid)).toEqual([1, 2]);
  expect(chooseVictims(sizes, 0)).toEqual([]);
  expect(chooseVictims(sizes, 1000).map(({ pid }) => pid)).toEqual([1, 2, 0]);
});

describe('a systemd scope', () => {
  it('is asked for once, and carries the limits', () => {
    const lines: (readonly string[])[] = [];
    const runtime = dirname(dirname(import.meta.dirname));
    expect(findScopeMaker({ XDG_RUNTIME_DIR: join(runtime, 'nowhere') }, () => true)).toBeUndefined();
    expect(findScopeMaker({}, () => true)).toBeUndefined();
    const maker = findScopeMaker(
      { XDG_RUNTIME_DIR: '/run/user/1000' },
      (line) => lines.push(line) > 0,
      () => true,
    );
    expect(lines).toHaveLength(1);
    const line = maker?.enter({ ...decideFigures({ ...settings, memoryMegabytes: 300, cpus: 0.5 }) }, [
      '/bin/true',
      'x',
    ]);
    expect(line?.slice(0, 4)).toEqual(['/usr/bin/env', 'XDG_RUNTIME_DIR=/run/user/1000', 'systemd-run', '--user']);
    expect(line).toEqual(
      expect.arrayContaining([`MemoryMax=${300 * 2 ** 20}`, 'MemorySwapMax=0', 'TasksMax=2048', 'CPUQuota=50%']),
    );
    expect(line?.slice(-3)).toEqual(['--', '/bin/true', 'x']);
    expect(
      findScopeMaker(
        { XDG_RUNTIME_DIR: '/run/user/1000' },
        () => false,
        () => true,
      ),
    ).toBeUndefined();
  });
});

const killable = createControlGroup('handrail-probe');
await killable?.remove();

// Where version 2 is not there, or not ours to write, process groups and the process table must do.
describe.runIf(killable !== undefined)('a group of the host rung', () => {
  it('[A31] what a killed process of ours has left running in one is ended by the next', async () => {
    const first = createControlGroup('handrail-orphan');
    if (first === undefined) throw new Error('there was one a moment ago');
    const folder = dirname(first.entrance);
    // Its owner, a process number that cannot be.
    const orphan = join(dirname(folder), 'handrail-99999999-left');
    mkdirSync(orphan);
    const child = spawn('/bin/sh', ['-c', 'echo 0 >"$0" && exec sleep 60', join(orphan, 'cgroup.procs')]);
    const ended = once(child, 'exit');
    await expect.poll(() => readFileSync(join(orphan, 'cgroup.procs'), 'utf8')).not.toBe('');
    const second = createControlGroup('handrail-second');
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect(existsSync(folder)).toBe(true);
    await expect
      .poll(async () => (await createControlGroup('handrail-look')?.remove(), existsSync(orphan)))
      .toBe(false);
    for (const group of [first, second]) await group?.remove();
    expect(existsSync(folder)).toBe(false);
  });
});

const onMachine = () => createLimits({ settings: () => settings, environment: {} });
const hasGroups =
  isRoot &&
  onMachine()
    .describe()
    .some(({ limit, isHeld }) => limit === 'memory' && isHeld);

// Containers often show root a read-only /sys/fs/cgroup: there is nothing to test then.
describe.runIf(hasGroups)('control groups of this machine', () => {
  it('[A31] hold the command, go with it, and those of killed processes go with the next', async () => {
    const group = onMachine().group();
    const [file, ...args] = group.enter(['/bin/cat', '/proc/self/cgroup']);
    const printed = execFileSync(file, args, { encoding: 'utf8' });
    const path =
      new RegExp(`\\S*/handrail-${process.pid}/[0-9a-f-]+$`, 'm').exec(printed)?.[0].replace(/^.*?:.*?:/, '') ?? 'none';
    const folder =
      execFileSync('find', ['/sys/fs/cgroup', '-path', `*${path}`], { encoding: 'utf8' }).split('\n')[0] ?? '';
    expect(existsSync(join(folder, 'tasks')) || existsSync(join(folder, 'cgroup.procs'))).toBe(true);
    // A process number that cannot be.
    const orphan = join(dirname(dirname(folder)), 'handrail-99999999');
    mkdirSync(join(orphan, 'one'), { recursive: true });
    onMachine().describe();
    expect([existsSync(folder), existsSync(orphan)]).toEqual([true, false]);
    await group.remove();
    expect([existsSync(folder), existsSync(dirname(folder))]).toEqual([false, false]);
  });
});
