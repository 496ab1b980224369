/** Control groups of version 2, on machines that are not this one: where groups are made, and what is written in which order. */
import { describe, expect, it } from 'vitest';
import { type ControlGroupTree, createControlGroupTree } from '../../../test/kit/control-group-tree.ts';
import { defaultSettings } from '../settings/default-settings.ts';
import { createLimits, type Limits } from './create-limits.ts';

const tight = { ...defaultSettings.sandbox.limits, memoryMegabytes: 200, processes: 64, cpus: 1.5 };
const mount = '/sys/fs/cgroup';
const ours = `handrail-${process.pid}`;

function limitsIn(tree: ControlGroupTree, isRoot: boolean, settings = tight): Limits {
  return createLimits({
    settings: () => settings,
    environment: {},
    machine: {
      files: tree,
      isRoot,
      memoryBytes: () => 8 * 2 ** 30,
      findScope: () => undefined,
      // A child of ours starts where we are.
      canEnter(entrance) {
        tree.put(tree.read('/proc/self/cgroup').slice(3).trim(), 4242);
        try {
          tree.write(entrance, '4242');
          return true;
        } catch {
          // What the kernel says to a process that may not.
          return false;
        } finally {
          tree.forget(4242);
        }
      },
    },
  });
}

const held = (limits: Limits): string[] => limits.describe().flatMap(({ limit, isHeld }) => (isHeld ? [limit] : []));

const withoutIds = (lines: readonly string[]): string[] =>
  lines.map((line) => line.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID').replaceAll(ours, 'OURS'));

describe('a service that was given its own group (Delegate=yes)', () => {
  it('[A31] moves aside, hands the controllers down and limits each command there', async () => {
    const tree = createControlGroupTree({ own: '/handrail.service', user: 'user' });
    tree.add('/handrail.service', { owner: 'user' });
    tree.set('/handrail.service', 'cgroup.controllers', 'cpu memory pids');
    tree.put('/handrail.service', process.pid);
    const limits = limitsIn(tree, false);
    expect(held(limits)).toEqual(['memory', 'processes', 'processor time', 'files and disks']);
    expect(tree.read('/proc/self/cgroup')).toBe('0::/handrail.service/handrail-program\n');
    tree.log.length = 0;
    const group = limits.group();
    expect(withoutIds(tree.log)).toEqual([
      'make /handrail.service/OURS',
      '/handrail.service/OURS/cpu.weight = 75',
      `/handrail.service/OURS/memory.max = ${6 * 2 ** 30}`,
      '/handrail.service/OURS/memory.swap.max = 0',
      '/handrail.service/OURS/memory.oom.group = 0',
      '/handrail.service/OURS/cgroup.subtree_control = +memory',
      '/handrail.service/OURS/cgroup.subtree_control = +pids',
      '/handrail.service/OURS/cgroup.subtree_control = +cpu',
      'make /handrail.service/OURS/ID',
      `/handrail.service/OURS/ID/memory.max = ${200 * 2 ** 20}`,
      '/handrail.service/OURS/ID/memory.swap.max = 0',
      '/handrail.service/OURS/ID/memory.oom.group = 0',
      '/handrail.service/OURS/ID/pids.max = 64',
      '/handrail.service/OURS/ID/cpu.max = 150000 100000',
    ]);
    const entered = group.enter(['/bin/true', 'x']);
    expect(withoutIds([...entered].slice(4))).toEqual([
      `${mount}/handrail.service/OURS/ID/cgroup.procs`,
      '--',
      '/bin/true',
      'x',
    ]);
    await group.remove();
    expect(tree.groups()).toEqual(['/handrail.service', '/handrail.service/handrail-program']);
  });

  it('a group with processes of others in it is left as it is', () => {
    const tree = createControlGroupTree({ own: '/user.scope', user: 'user' });
    tree.add('/user.scope', { owner: 'user' });
    tree.set('/user.scope', 'cgroup.controllers', 'cpu memory pids');
    tree.put('/user.scope', process.pid);
    tree.put('/user.scope', 77);
    expect(held(limitsIn(tree, false))).not.toContain('memory');
    expect(tree.log).toEqual([]);
  });
});

describe('a desktop', () => {
  const desktop = (): ControlGroupTree => {
    const tree = createControlGroupTree({ own: '/user@1000.service/app.slice/term.scope', user: 'user' });
    tree.add('/user@1000.service', { owner: 'user', handsDown: ['cpu', 'memory', 'pids'] });
    tree.add('/user@1000.service/app.slice', { owner: 'user', handsDown: ['memory', 'pids'] });
    tree.add('/user@1000.service/app.slice/term.scope', { owner: 'user' });
    tree.put('/user@1000.service/app.slice/term.scope', process.pid);
    tree.put('/user@1000.service/app.slice/term.scope', 77);
    return tree;
  };

  it('[A31] groups are made beside our own, below the nearest one of the user’s that hands controllers down', async () => {
    const tree = desktop();
    const limits = limitsIn(tree, false);
    const group = limits.group();
    expect(tree.groups().map((path) => withoutIds([path])[0])).toContain('/user@1000.service/app.slice/OURS/ID');
    expect(tree.read('/proc/self/cgroup')).toBe('0::/user@1000.service/app.slice/term.scope\n');
    await group.remove();
    expect(tree.groups()).toEqual([
      '/user@1000.service',
      '/user@1000.service/app.slice',
      '/user@1000.service/app.slice/term.scope',
    ]);
  });

  it('the processor’s share is asked for, too, where it is not handed down yet', () => {
    const tree = desktop();
    const limits = limitsIn(tree, false);
    expect(held(limits)).toContain('processor time');
    expect(tree.value('/user@1000.service/app.slice', 'cgroup.subtree_control')).toBe('memory pids cpu');
  });

  it('[A31] what processes of ours that were killed have left is ended and removed', () => {
    const tree = desktop();
    const parent = '/user@1000.service/app.slice';
    for (const pid of [99_999_998, 99_999_999]) {
      tree.add(`${parent}/handrail-${pid}`, { owner: 'user' });
      tree.add(`${parent}/handrail-${pid}/one`, { owner: 'user' });
    }
    tree.put(`${parent}/handrail-99999999/one`, 88);
    limitsIn(tree, false).describe();
    expect(tree.groups().filter((path) => path.includes('handrail'))).toEqual([
      `${parent}/handrail-99999999`,
      `${parent}/handrail-99999999/one`,
    ]);
    // What outlived its program is ended; the next look finds it empty.
    expect(tree.log).toContain(`${parent}/handrail-99999999/cgroup.kill = 1`);
    tree.forget(88);
    limitsIn(tree, false).describe();
    expect(tree.groups().filter((path) => path.includes('handrail'))).toEqual([]);
  });
});

describe('a login without a group of its own', () => {
  const login = (user: 'root' | 'user'): ControlGroupTree => {
    const tree = createControlGroupTree({ own: '/user.slice/session-1.scope', user });
    tree.add('/user.slice', { handsDown: ['memory', 'pids'] });
    tree.add('/user.slice/session-1.scope');
    tree.put('/user.slice/session-1.scope', process.pid);
    tree.put('/user.slice/session-1.scope', 77);
    return tree;
  };

  it('[A31] an ordinary user gets no group there, and doctor says what to do', () => {
    const tree = login('user');
    const limits = limitsIn(tree, false);
    expect(limits.describe().find(({ limit }) => limit === 'memory')).toMatchObject({
      isHeld: false,
      fix: expect.stringContaining('Delegate=yes'),
    });
    const group = limits.group();
    expect(group.enter(['/bin/true'])).toEqual(['/bin/true']);
    expect(group.rlimits).toMatch(/ulimit -S -d 204800;/);
    expect(tree.log).toEqual([]);
  });

  it('[A31] root makes its groups beside the session', () => {
    const tree = login('root');
    const limits = limitsIn(tree, true);
    expect(held(limits)).toContain('memory');
    limits.group();
    expect(tree.groups().map((path) => withoutIds([path])[0])).toContain('/user.slice/OURS/ID');
  });

  it('[A31] a service manager of the user’s limits each command by a scope', () => {
    const tree = login('user');
    const entered: number[] = [];
    const limits = createLimits({
      settings: () => tight,
      environment: {},
      machine: {
        files: tree,
        isRoot: false,
        canEnter: () => false,
        findScope: () => ({
          enter(figures, command) {
            entered.push(figures.processes);
            return ['systemd-run', ...command];
          },
        }),
      },
    });
    expect(held(limits)).toEqual(['memory', 'processes', 'processor time', 'files and disks']);
    expect(limits.group().enter(['/bin/true'])).toEqual(['systemd-run', '/bin/true']);
    expect(entered).toEqual([64]);
    const group = limits.group();
    expect(group.notes({ stderr: 'line 1: 7 Killed perl', exitCode: 0 })).toEqual([
      expect.stringContaining('sandbox.limits.memoryMegabytes'),
    ]);
    expect(group.notes({ stderr: '', exitCode: 1 })).toEqual([]);
  });
});

describe('a container', () => {
  it('[A31] root moves aside in the group that it is shown as the top, when it is alone in it', () => {
    const tree = createControlGroupTree({ own: '/', user: 'root' });
    // A top that has a type is not the machine's.
    tree.set('/', 'cgroup.type', 'domain');
    tree.put('/', process.pid);
    expect(held(limitsIn(tree, true))).toContain('memory');
    expect(tree.groups()).toEqual(['/handrail-program']);
  });

  it('the machine’s own top group hands down with processes in it', () => {
    const tree = createControlGroupTree({ own: '/', user: 'root' });
    tree.put('/', process.pid);
    tree.put('/', 1);
    const limits = limitsIn(tree, true);
    limits.group();
    expect(tree.groups().map((path) => withoutIds([path])[0])).toEqual(['/OURS', '/OURS/ID']);
  });
});

describe('while it runs', () => {
  it('[A31] what the kernel counts becomes sentences, each time anew', () => {
    const tree = createControlGroupTree({ own: '/', user: 'root' });
    tree.put('/', process.pid);
    const group = limitsIn(tree, true).group();
    const folder = tree.groups().find((path) => path.includes('-') && path.split('/').length === 3) ?? '';
    expect(group.notes()).toEqual([]);
    tree.set(folder, 'memory.events', 'low 0\noom 1\noom_kill 1\n');
    tree.set(folder, 'pids.events', 'max 9\n');
    expect(group.notes()).toEqual([
      expect.stringContaining('200 MB in all'),
      expect.stringContaining('64 processes and threads'),
    ]);
    expect(group.notes()).toEqual([]);
  });

  it('the group that limits it holds it as well, and ends all of it at once', () => {
    const tree = createControlGroupTree({ own: '/', user: 'root' });
    tree.put('/', process.pid);
    const group = limitsIn(tree, true).group();
    const folder = tree.groups().find((path) => path.split('/').length === 3) ?? '';
    tree.put(folder, 55);
    expect(group.hold?.pids()).toEqual([55]);
    group.hold?.kill();
    expect(tree.log.at(-1)).toBe(`${folder}/cgroup.kill = 1`);
  });
});
