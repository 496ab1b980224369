import { chmodSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTemporaryTree } from '../../../test/kit/temporary-tree.ts';
import { buildBwrapArgs, type SandboxPlan } from './bwrap-args.ts';
import { homePathFor } from './host-view.ts';
import { stagedLaunch } from './staged-launch.ts';

const plan: SandboxPlan = {
  bubblewrap: { path: '/usr/bin/bwrap', version: '0.8.0', canDisableUserNamespaces: true, canLimitTmpfs: true },
  sharesNetwork: false,
  runAs: { uid: 1001, gid: 1001, manner: 'self', insideUid: 1001, insideGid: 1001 },
  userland: undefined,
  rootLinks: [{ path: '/bin', target: 'usr/bin' }],
  systemFolders: ['/usr'],
  etc: { source: '/state/sandbox/etc-1', bound: ['alternatives'] },
  procGuards: ['/proc/sys'],
  home: { source: '/state/home', path: '/home/handrail' },
  workspace: { source: '/tmp/project', path: '/tmp/project' },
  binds: [],
  keepsTerminal: false,
  hidden: [{ path: '/tmp/project/a/state', kind: 'folder', id: '1:2', pins: ['/tmp/project/a'] }],
  environment: { HOME: '/home/handrail', EMPTY: '' },
  handles: { status: 6, seccomp: 7 },
};

const text = (changed: Partial<SandboxPlan> = {}): string => ` ${buildBwrapArgs({ ...plan, ...changed }).join(' ')} `;

describe('what every sandbox has', () => {
  it.each([
    '--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup', '--unshare-net', '--disable-userns',
    '--new-session', '--die-with-parent', '--as-pid-1', '--cap-drop ALL', '--clearenv', '--uid 1001 --gid 1001', '--seccomp 7',
    '--ro-bind /usr /usr --symlink usr/bin /bin', '--ro-bind /state/sandbox/etc-1 /etc --ro-bind /etc/alternatives /etc/alternatives',
    '--proc /proc --ro-bind /proc/sys /proc/sys --dev /dev', '--perms 1777 --tmpfs /tmp', '--setenv EMPTY  ',
    '--bind /state/home /home/handrail', '--bind /tmp/project/a /tmp/project/a --perms 0000 --tmpfs /tmp/project/a/state --remount-ro / ',
  ])('%s', (part) => {
    expect(text()).toContain(` ${part}`);
  }); // prettier-ignore

  it('binds nothing of the machine but its system folders', () => {
    const args = buildBwrapArgs(plan);
    const sources = args.flatMap((arg, at) => (arg.endsWith('bind') ? [args[at + 1]] : []));
    expect(sources).toEqual([
      '/usr', '/state/sandbox/etc-1', '/etc/alternatives', '/proc/sys', '/state/home', '/tmp/project', '/tmp/project/a',
    ]); // prettier-ignore
  });

  it('a workspace below /tmp is bound after the empty /tmp', () => {
    expect(text().indexOf('--bind /tmp/project ')).toBeGreaterThan(text().indexOf('--tmpfs /tmp '));
  });
});

describe('what depends', () => {
  it('the shared network is one flag less', () => {
    expect(text({ sharesNetwork: true })).toBe(text().replace(' --unshare-net', ''));
  });

  it('an older bubblewrap is not given what it does not know', () => {
    const older = text({ bubblewrap: { ...plan.bubblewrap, canDisableUserNamespaces: false, canLimitTmpfs: false } });
    expect(older).not.toMatch(/--disable-userns|--size/);
  });

  it('a processor without a known filter gets none', () => {
    expect(text({ handles: { status: 6, seccomp: undefined } })).not.toContain('--seccomp');
  });

  it('a hidden file is covered by the empty device', () => {
    const hidden = [{ path: '/tmp/project/.netrc', kind: 'file' as const, id: '1:3', pins: [] }];
    expect(text({ hidden })).toContain(' --ro-bind /dev/null /tmp/project/.netrc --remount-ro / ');
  });

  it('the home moves aside for a workspace that lies there', () => {
    expect(homePathFor('/home/handrail/project')).toBe('/home/handrail-sandbox');
    expect(homePathFor('/home/handrailer/project')).toBe('/home/handrail');
  });
});

describe('root that drops to a user', () => {
  const dropped: SandboxPlan = {
    ...plan,
    runAs: { ...plan.runAs, manner: 'dropped' },
    etc: { ...plan.etc, source: '/usr/home-of-1001/etc-1' },
    home: { ...plan.home, source: '/usr/home-of-1001/home' },
    workspace: { source: '/usr/share', path: '/usr/share' },
    hidden: [],
  };

  it('[A28] gives up its groups and capabilities before the sandbox is made', () => {
    const { prefix } = stagedLaunch(dropped);
    expect(prefix.slice(0, 6)).toEqual(['unshare', '--mount', '--propagation', 'private', '/bin/sh', '-c']);
    expect(prefix.slice(7).join(' ')).toBe(
      'sh /usr/home-of-1001 /mnt /usr/share  setpriv --reuid 1001 --regid 1001 --clear-groups --inh-caps -all --bounding-set -all --no-new-privs --',
    );
  });

  it('binds what is private from where the user can reach it', () => {
    const args = buildBwrapArgs(stagedLaunch(dropped).plan).join(' ');
    expect(args).toContain('--ro-bind /mnt/etc-1 /etc');
    expect(args).toContain('--bind /mnt/home /home/handrail --bind /usr/share /usr/share');
  });

  it('shows a workspace that the user cannot reach at another place, pins too', () => {
    const closed = { ...dropped, workspace: { source: '/root/a', path: '/root/a' } };
    const hidden = [{ path: '/root/a/b/c', kind: 'folder' as const, id: '1:2', pins: ['/root/a/b'] }];
    const { plan: staged, prefix } = stagedLaunch({ ...closed, hidden });
    expect(prefix.slice(8, 12)).toEqual(['/usr/home-of-1001', '/mnt', '/root/a', '/media']);
    expect(buildBwrapArgs(staged).join(' ')).toContain('--bind /media /root/a --bind /media/b /root/a/b --perms 0000');
  });

  it('never hides the workspace behind the stage', () => {
    const there = { ...dropped, workspace: { source: '/mnt/disk/project', path: '/mnt/disk/project' } };
    expect(() => stagedLaunch({ ...there, workspace: { source: '/mnt', path: '/mnt' } })).not.toThrow();
    expect(stagedLaunch({ ...there, workspace: { source: '/mnt', path: '/mnt' } }).prefix[9]).toBe('/media');
  });

  it('root without capabilities is staged where it cannot walk', async () => {
    const root = realpathSync(await createTemporaryTree({ 'closed/state/home/x': '', 'open/x': '' }));
    const closed = join(root, 'closed');
    const asRoot: SandboxPlan = {
      ...plan,
      runAs: { uid: 0, gid: 0, manner: 'root', insideUid: 1000, insideGid: 1000 },
      etc: { source: join(closed, 'state/sandbox/etc-1'), bound: [] },
      home: { source: join(closed, 'state/home'), path: '/home/handrail' },
      workspace: { source: '/usr/share', path: '/usr/share' },
      hidden: [],
    };
    chmodSync(root, 0o755);
    chmodSync(closed, 0o000);
    try {
      const { prefix, plan: staged } = stagedLaunch(asRoot);
      expect(prefix.slice(8)).toEqual([join(closed, 'state'), '/mnt', '/usr/share', '']);
      expect([staged.etc.source, staged.home.source]).toEqual(['/mnt/sandbox/etc-1', '/mnt/home']);
    } finally {
      chmodSync(closed, 0o700);
    }
  });

  it('nobody else is staged', () => {
    expect(stagedLaunch(plan)).toMatchObject({ prefix: [], plan });
  });
});
