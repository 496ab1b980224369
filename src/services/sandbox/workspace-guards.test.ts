import { chmodSync, lstatSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createTemporaryTree } from '../../../test/kit/temporary-tree.ts';
import { findHiddenPaths } from './hidden-paths.ts';
import { findProcGuards } from './proc-guards.ts';
import { openRealFolder } from './real-folder.ts';
import { hostEnvironment, sandboxEnvironment } from './sandbox-environment.ts';
import { checkUsableWorkspace } from './usable-workspace.ts';

let root: string;
beforeEach(async () => {
  root = realpathSync(await createTemporaryTree());
});

describe('what is hidden', () => {
  it('[A28] credentials, our state and what is asked for, where they are there', () => {
    for (const folder of ['.ssh', '.config/gh', 'a/b/state', 'a/b/state/deep', 'kept'])
      mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, '.netrc'), '');
    symlinkSync('kept', join(root, '.aws'));
    const hidden = findHiddenPaths(root, [
      join(root, 'a/b/state'),
      join(root, 'a/b/state/deep'),
      join(root, 'absent'),
      '/elsewhere',
    ]);
    expect(hidden.map(({ path, kind }) => [path.slice(root.length + 1), kind])).toEqual([
      ['a/b/state', 'folder'],
      ['.ssh', 'folder'],
      ['.config/gh', 'folder'],
      ['.netrc', 'file'],
    ]);
    expect(hidden[0]?.pins).toEqual([join(root, 'a'), join(root, 'a/b')]);
    const { dev, ino } = lstatSync(join(root, '.ssh'));
    expect(hidden[1]?.id).toBe(`${dev}:${ino}`);
  });

  it('[A28] in a folder that all users share, the sockets and sessions of other programs', async () => {
    for (const folder of ['ssh-abc', '.X11-unix', 'mine']) mkdirSync(join(root, folder));
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(root, 'agent.sock'), resolve));
    try {
      expect(findHiddenPaths(root, [])).toEqual([]);
      chmodSync(root, 0o1777);
      expect(
        findHiddenPaths(root, [])
          .map(({ path }) => path.slice(root.length + 1))
          .toSorted(),
      ).toEqual(['.X11-unix', 'agent.sock', 'ssh-abc']);
    } finally {
      chmodSync(root, 0o700);
      await new Promise((resolve) => server.close(resolve));
    }
  });
});

describe('a real folder', () => {
  it('[A26] is what it says, with its identity', () => {
    const { dev, ino } = lstatSync(root);
    expect(openRealFolder(root, 'The workspace')).toMatchObject({ path: root, id: `${dev}:${ino}` });
  });

  it.each([
    ['a link', 'link', 'denied'],
    ['behind a link', 'link/inner', 'denied'],
    ['reached by ..', 'real/../real', 'denied'],
    ['a file', 'file', 'denied'],
    ['absent', 'absent', 'not_found'],
  ])('[A26] is not one that is %s', (_title, name, code) => {
    mkdirSync(join(root, 'real/inner'), { recursive: true });
    symlinkSync('real', join(root, 'link'));
    writeFileSync(join(root, 'file'), '');
    expect(() => openRealFolder(`${root}/${name}`, 'The workspace')).toThrow(expect.objectContaining({ code }));
  });
});

describe('a workspace', () => {
  it.each(['/', '/usr', '/etc', '/etc/ssl', '/proc/self', '/dev', '/home', '/home/ann', '/var/state', '/run'])(
    'cannot be %s',
    (path) => {
      expect(() => checkUsableWorkspace(path, '/var/state', '/home/ann')).toThrow(
        expect.objectContaining({ code: 'denied' }),
      );
    },
  );

  it.each(['/home/ann/project', '/tmp', '/tmp/x', '/usr/src/app', '/srv/x', '/var/state/workspaces/1', '/root/x'])(
    'can be %s',
    (path) => {
      checkUsableWorkspace(path, '/var/state', '/home/ann');
    },
  );
});

describe('the environment', () => {
  const own = {
    PATH: '/home/ann/evil:/usr/bin', HOME: '/home/ann', LANG: 'de_DE.UTF-8', TZ: 'Europe/Berlin', OPENAI_API_KEY: 'canary', LD_PRELOAD: 'x', DISPLAY: ':0',
  }; // prettier-ignore

  it('[A49] inside is ours but for language and time zone', () => {
    expect(sandboxEnvironment('/home/handrail', own)).toEqual({
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/home/handrail/.local/bin',
      HOME: '/home/handrail', USER: 'handrail', LOGNAME: 'handrail', SHELL: '/bin/bash', TERM: 'dumb', PYTHONUNBUFFERED: '1',
      LANG: 'de_DE.UTF-8', TZ: 'Europe/Berlin',
    }); // prettier-ignore
    expect(sandboxEnvironment('/h', { LANG: '../../x', TZ: '/../etc' })).toMatchObject({ LANG: 'C.UTF-8' });
    expect(sandboxEnvironment('/h', { TZ: '/../etc' })).not.toHaveProperty('TZ');
  });

  it('[A49] on the host rung is the user’s session without keys', () => {
    expect(hostEnvironment(own)).toEqual({
      PATH: own.PATH, HOME: '/home/ann', TERM: 'dumb', PYTHONUNBUFFERED: '1', DISPLAY: ':0', LANG: 'de_DE.UTF-8', TZ: 'Europe/Berlin',
    }); // prettier-ignore
  });
});

it('[A28] every writable part of the kernel’s /proc is guarded, and nothing of processes', async () => {
  const proc = await createTemporaryTree({
    'sys/kernel/panic': '0',
    'sysrq-trigger': '',
    'irq/1/smp_affinity': '',
    'bus/ro': '',
    uptime: '1',
    '1/mem': '',
  });
  for (const name of ['bus/ro', 'uptime']) chmodSync(join(proc, name), 0o444);
  symlinkSync('1', join(proc, 'self'));
  expect(findProcGuards(proc)).toEqual([join(proc, 'irq'), join(proc, 'sys'), join(proc, 'sysrq-trigger')]);
});
