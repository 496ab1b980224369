/** What the kernel would allow inside if the sandbox let it: mounts, namespaces, keyrings, its own settings, the terminal. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { isRoot } from '../../../test/kit/ordinary-user.ts';
import { openShellWorld, type ShellWorld, type ShellWorldOptions } from '../../../test/kit/shell-world.ts';
import { createLimits } from '../limits/create-limits.ts';
import { defaultSettings } from '../settings/default-settings.ts';
import { buildBwrapArgs, namespaceArgs } from './bwrap-args.ts';
import { findBubblewrap } from './find-bubblewrap.ts';

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
});

function open(options: ShellWorldOptions = {}): ShellWorld {
  const world = openShellWorld(options);
  opened.push(world.close);
  return world;
}

const edited = (edit: (args: string[]) => string[], more: ShellWorldOptions['sandbox'] = {}): ShellWorld =>
  open({ sandbox: { ...more, buildArgs: (plan) => edit(buildBwrapArgs(plan)) } });

const noFilter = { seccompFilter: () => undefined };
const without =
  (...flags: string[]) =>
  (args: string[]): string[] =>
    args.filter((arg) => !flags.includes(arg));

/** As the kernel numbers them on the two processors. */
const numbers =
  process.arch === 'arm64'
    ? { keyctl: 219, ioUringSetup: 425, mount: 40, umount: 39 }
    : { keyctl: 250, ioUringSetup: 425, mount: 165, umount: 166 };

describe('namespaces and mounts', () => {
  // Variables, because perl refuses to hand constants to syscall().
  const mountSomething = `perl -e 'my ($run, $tmp, $none, $kind) = ("/run", "/tmp", "none", "tmpfs");
    print syscall(${numbers.umount}, $run, 0) == 0 ? "unmounted" : "$!";
    print syscall(${numbers.mount}, $none, $tmp, $kind, 0, 0) == 0 ? " mounted" : " $!"'`;
  const nest = 'unshare -U true 2>&1 && echo nested';

  it('[A28] nothing can be mounted or unmounted', async () => {
    const result = await open().run(mountSomething);
    expect(result.stdout.text).toBe('Operation not permitted Operation not permitted');
  });

  it('[A28] twin: with capabilities in its own namespace it can', async () => {
    const ids = ['--uid', '--gid'];
    const world = edited(
      (args) =>
        without('--disable-userns')(args)
          .map((arg) => (arg === '--cap-drop' ? '--cap-add' : arg))
          // Another number than 0 would cost bubblewrap a second namespace, which does not own the mounts.
          .map((arg, at, all) => (ids.includes(all[at - 1] ?? '') ? '0' : arg)),
      noFilter,
    );
    expect((await world.run(mountSomething)).stdout.text).toBe('unmounted mounted');
  });

  it('[A28] no further user namespace can be made', async () => {
    expect((await open().run(nest)).stdout.text).not.toContain('nested');
  });

  it('[A28] either of the two guards against it is enough', async () => {
    const filterOnly = await edited(without('--disable-userns')).run(nest);
    const flagOnly = await open({ sandbox: noFilter }).run(nest);
    expect([filterOnly.stdout.text, flagOnly.stdout.text].join()).not.toContain('nested');
    const twin = edited(without('--disable-userns'), noFilter);
    expect((await twin.run(nest)).stdout.text).toBe('nested\n');
  });

  it('[A28] no capability is left', async () => {
    const result = await open().run(
      "grep -E '^(Cap(Prm|Eff|Bnd|Amb)|NoNewPrivs|Seccomp):' /proc/self/status | awk '{print $2}' | sort -u",
    );
    expect(result.stdout.text).toBe('0000000000000000\n1\n2\n');
  });
});

describe('system calls', () => {
  const keyring = `perl -e 'print syscall(${numbers.keyctl}, 0, -3, 1) < 0 ? "refused: $!" : "keyring"'`;
  const ring = `perl -e 'my $p = "\\0" x 120; print syscall(${numbers.ioUringSetup}, 4, $p) < 0 ? "refused: $!" : "ring"'`;

  it('[A28] the kernel keyring is out of reach', async () => {
    expect((await open().run(keyring)).stdout.text).toBe('refused: Operation not permitted');
    expect((await open({ sandbox: noFilter }).run(keyring)).stdout.text).toBe('keyring');
  });

  it('[A28] io_uring does not exist', async () => {
    expect((await open().run(ring)).stdout.text).toBe('refused: Function not implemented');
    expect((await open({ sandbox: noFilter }).run(ring)).stdout.text).not.toContain('not implemented');
  });

  it('[A28] threads, pipes and child processes work under the filter', async () => {
    const threads = `perl -e 'for (1..3) { fork or exit 0 } 1 while wait > 0; print "ok"'; seq 1 100000 | sort -n | tail -1`;
    expect((await open().run(threads)).stdout.text).toBe('ok100000\n');
  });
});

describe('the kernel’s settings', () => {
  // The value that is there already, in case the guard does not hold.
  const rewrite =
    'v=$(cat /proc/sys/kernel/panic) && [ -w /proc/sys/kernel/panic ] && echo "$v" > /proc/sys/kernel/panic && echo written';
  const writable = `find /proc/[a-z]* -path /proc/self -prune -o -path /proc/thread-self -prune -o -type f -writable -print 2>/dev/null | grep -v '^/proc/sys/.*/\\(oom\\|ns_last\\)' | head`;

  it('[A28] cannot be written, also when the workspace is root’s', async () => {
    const result = await open().run(`${rewrite}; ${writable}`);
    expect(result.stdout.text).not.toContain('written');
    expect(
      result.stdout.text.split('\n').filter((line) => line.startsWith('/proc/') && !line.startsWith('/proc/pressure')),
    ).toEqual([]);
  });

  it.runIf(isRoot)('[A28] twin: as root without the read-only bindings they can', async () => {
    const world = edited((args) => {
      const kept: string[] = [];
      for (let at = 0; at < args.length; at += 1) {
        if (args[at] === '--ro-bind' && args[at + 1]?.startsWith('/proc/') === true) at += 2;
        else kept.push(args[at] ?? '');
      }
      return kept;
    });
    expect((await world.run(rewrite)).stdout.text).toContain('written');
  });
});

describe('the terminal we were started from', () => {
  const inject = 'perl -e \'open(T, "+<", "/dev/tty") or exit 3; my $x = "x"; ioctl(T, 0x5412, $x) or exit 4; exit 0\'';

  /** In a pseudo-terminal made by script(1); gives the exit code of the attempt. */
  async function attempt(drop: readonly string[]): Promise<number | null> {
    const { found } = await findBubblewrap();
    if (found === undefined) throw new Error('bubblewrap is missing: apt-get install bubblewrap');
    const folder = mkdtempSync(join(tmpdir(), 'handrail-terminal-'));
    try {
      const args = [
        ...namespaceArgs(found, false).filter((arg) => !drop.includes(arg)),
        '--ro-bind',
        '/',
        '/',
        '--proc',
        '/proc',
      ];
      const line = [
        found.path,
        ...args,
        '--dev',
        '/dev',
        'sh',
        '-c',
        `'${inject.replaceAll("'", String.raw`'\''`)}'`,
      ].join(' ');
      return spawnSync('script', ['-qec', line, join(folder, 'typescript')], { input: '' }).status;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  it('[A27] cannot be typed into', async () => {
    expect(await attempt([])).toBe(3);
  });

  it('[A27] twin: in the same session it is open', async () => {
    // 4: the kernel itself may refuse the injection (dev.tty.legacy_tiocsti), but the terminal was there.
    expect([0, 4]).toContain(await attempt(['--new-session']));
  });
});

describe('processes without end', () => {
  // Root's are counted by a control group, which containers often do not let it make.
  it.runIf(!isRoot || canLimitProcesses())(
    '[A31] are held at a number that is named, and the machine goes on',
    async () => {
      const world = open();
      const bomb = `perl -e 'my $n = 0; while ($n < 2200 and defined(my $child = fork)) { $n++; $child or sleep 60, exit } print "$n $!"; exit 7'`;
      const result = await world.run(bomb, { timeoutMs: 20_000 });
      expect(result.exitCode).toBe(7);
      expect(result.stdout.text).toMatch(/^(19|20)\d\d Resource temporarily unavailable$/);
      const named = await world.run('echo "bash: fork: Resource temporarily unavailable" >&2');
      expect(named.notes).toEqual([expect.stringContaining('2048 processes')]);
    },
  );
});

describe('what lies inside the workspace', () => {
  it('[A28] credentials and our state are hidden, and cannot be moved into sight', async () => {
    const base = open();
    const workspace = join(base.base, 'project');
    const stateFolder = join(workspace, 'tools', 'state');
    mkdirSync(join(workspace, '.ssh'), { recursive: true });
    mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
    writeFileSync(join(workspace, '.ssh', 'id_ed25519'), 'canary-7f3a');
    writeFileSync(join(workspace, '.netrc'), 'canary-7f3a');
    writeFileSync(join(stateFolder, 'secrets'), 'canary-7f3a');
    const peek =
      'cat .ssh/id_ed25519 .netrc tools/state/secrets moved/state/secrets; mv tools moved; mv .ssh seen; cat seen/id_ed25519';
    const options = { workspace, sandbox: { stateFolder, homeFolder: join(stateFolder, 'home') } };
    const world = open(options);
    expect((await world.run(peek)).stdout.text).toBe('');
    expect((await world.run(`${peek}; grep -r canary . | wc -l`)).stdout.text).toBe('0\n');

    const showing = open({
      ...options,
      sandbox: { ...options.sandbox, buildArgs: (plan) => buildBwrapArgs({ ...plan, hidden: [] }) },
    });
    await expect(showing.run('true')).rejects.toMatchObject({
      code: 'denied',
      message: expect.stringContaining('could not be hidden'),
    });
    const unpinned = open({
      ...options,
      sandbox: {
        ...options.sandbox,
        buildArgs: (plan) => buildBwrapArgs({ ...plan, hidden: plan.hidden.map((entry) => ({ ...entry, pins: [] })) }),
      },
    });
    expect((await unpinned.run('mv tools moved && mv moved tools && echo moved')).stdout.text).toBe('moved\n');
  });

  it('[A26] a workspace exchanged while the sandbox is made runs nothing', async () => {
    const { openRealFolder } = await import('./real-folder.ts');
    const world = open({
      sandbox: {
        openFolder(path, what) {
          const folder = openRealFolder(path, what);
          return what === 'The workspace' ? { ...folder, id: '1:2' } : folder;
        },
      },
    });
    await expect(world.run('touch ran')).rejects.toMatchObject({
      code: 'denied',
      message: expect.stringContaining('exchanged'),
    });
    expect((await open({ workspace: world.workspace }).run('ls')).stdout.text).toBe('');
  });
});

function canLimitProcesses(): boolean {
  const limits = createLimits({ settings: () => defaultSettings.sandbox.limits, environment: process.env });
  return limits.describe().some(({ limit, isHeld }) => limit === 'processes' && isHeld);
}
