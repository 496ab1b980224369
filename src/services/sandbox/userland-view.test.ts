/** What a command in a userland could do to the next sandbox, and cannot: links it plants, folders it swaps. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openShellWorld, type ShellWorld, type ShellWorldOptions } from '../../../test/kit/shell-world.ts';
import { buildBwrapArgs } from './bwrap-args.ts';
import { createSandbox } from './create-sandbox.ts';
import { lookThrough, readUserlandView } from './userland-view.ts';

let base: string;
const worlds: ShellWorld[] = [];
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-view-')));
});
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
  rmSync(base, { recursive: true, force: true });
});

/** This machine's own system as a userland: its folders are links into a tree of ours. */
function makeUserland(stateFolder: string): string {
  const folder = join(stateFolder, 'userland/current');
  const tree = join(folder, 'root');
  for (const name of ['etc', 'var/lib', 'opt', 'usr', 'srv']) mkdirSync(join(tree, name), { recursive: true });
  writeFileSync(join(tree, 'etc/os-release'), 'PRETTY_NAME="A tree of a test"\n');
  writeFileSync(join(tree, 'etc/passwd'), 'root:x:0:0:root:/home/handrail:/bin/sh\n');
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) symlinkSync(`usr/${name}`, join(tree, name));
  const record = { distribution: 'debian', idMap: 'single', stage: 'ready', prettyName: 'A tree of a test', dns: [] };
  writeFileSync(join(folder, 'record.json'), JSON.stringify(record));
  return tree;
}

/** Its /usr is the machine's, bound where the tree's would be: a real one would be hundreds of megabytes. */
const withMachineUsr: NonNullable<ShellWorldOptions['sandbox']> = {
  root: () => 'userland',
  buildArgs: (plan) => {
    const usr = plan.userland?.mounts.find((mount) => mount.path === '/usr')?.source ?? '';
    return buildBwrapArgs(plan).map((arg, at, all) => (arg === usr && all[at + 1] === '/usr' ? '/usr' : arg));
  },
};

function open(workspace?: string): { world: ShellWorld; tree: string } {
  const stateFolder = join(base, 'state');
  mkdirSync(stateFolder, { recursive: true });
  const tree = makeUserland(stateFolder);
  const world = openShellWorld({
    ...(workspace === undefined ? {} : { workspace }),
    sandbox: { ...withMachineUsr, stateFolder, homeFolder: join(stateFolder, 'home') },
  });
  worlds.push(world);
  return { world, tree };
}

const once = { fresh: true };

describe('the root', () => {
  it('[A26] commands are root inside, and nobody of importance outside', async () => {
    const { world } = open();
    const result = await world.run(
      'id -u; touch made /etc/made; grep CapEff /proc/self/status; cat /etc/os-release',
      once,
    );
    expect(result.stdout.text).toBe('0\nCapEff:\t0000000000040000\nPRETTY_NAME="A tree of a test"\n');
    expect(existsSync(join(world.workspace, 'made'))).toBe(true);
  });

  it('[A26] the top of it cannot be written, so nothing can be planted where the next sandbox mounts', async () => {
    const { world, tree } = open();
    const before = readdirSync(tree);
    const result = await world.run(
      'ln -s /tmp /evil; mkdir /new; rm /bin; rmdir /srv; mv /etc /etc2; ln -sfn /tmp /home; ls /',
      once,
    );
    expect(result.stderr.text.match(/Read-only file system|Device or resource busy/g)?.length).toBeGreaterThanOrEqual(
      6,
    );
    expect(readdirSync(tree)).toEqual(before);
  });

  it('[A26] giving files away says yes and does nothing; becoming somebody else too', async () => {
    const { world } = open();
    const result = await world.run(
      'touch f; chown 13:42 f && stat -c %u:%g f; setpriv --reuid 5 --clear-groups id -u',
      once,
    );
    expect(result.stdout.text).toBe('0:0\n0\n');
  });

  it('[A28] the kernel’s knobs stay closed to it', async () => {
    const { world } = open();
    const result = await world.run(
      'echo 1 >/proc/sys/kernel/panic; mount -t tmpfs none /srv; unshare -U true; mknod /srv/null c 1 3; chroot /srv true; :',
      once,
    );
    expect(result.stdout.text).toBe('');
    expect(result.stderr.text.split('\n').filter((line) => line !== '')).toHaveLength(6);
  });
});

describe('a workspace below one of its folders', () => {
  const place = '/var/tmp';

  it('[A26] lies beside what the tree has there, and a link planted on the way leads nowhere', async () => {
    const workspace = realpathSync(mkdtempSync(join(place, 'handrail-workspace-')));
    try {
      const { world, tree } = open(workspace);
      mkdirSync(join(tree, 'var/cache'));
      // As a command with another workspace could have done it.
      symlinkSync(join(base, 'elsewhere'), join(tree, 'var/tmp'));
      mkdirSync(join(base, 'elsewhere'));
      const result = await world.run('pwd; touch here; ls -d /var/lib /var/cache; touch /var/x', once);
      expect(result.stdout.text).toBe(`${workspace}\n/var/cache\n/var/lib\n`);
      expect(existsSync(join(workspace, 'here'))).toBe(true);
      expect(readdirSync(join(base, 'elsewhere'))).toEqual([]);
    } finally {
      rmSync(workspace, { recursive: true, force: true });
    }
  });

  it('[A26] twin: mounted whole, the same link is followed out of the tree', async () => {
    const tree = makeUserland(join(base, 'state'));
    symlinkSync('/somewhere', join(tree, 'var/tmp'));
    const whole = readUserlandView(tree, '/unrelated');
    expect(whole.mounts.find((mount) => mount.path === '/var')?.source).toBe(join(tree, 'var'));
    const apart = readUserlandView(tree, '/var/tmp/workspace');
    expect(apart.mounts.map((mount) => mount.path)).not.toContain('/var');
    expect(apart.links.map((link) => link.path)).not.toContain('/var/tmp');
  });

  describe('[A26] a folder on the way that becomes a link out of the tree while it is looked at', () => {
    function lookAfterSwap(look: (source: string) => string | undefined) {
      const tree = makeUserland(join(base, 'state'));
      const outside = join(base, 'outside');
      for (const folder of [join(tree, 'srv/a/keys'), join(outside, 'keys')]) mkdirSync(folder, { recursive: true });
      return readUserlandView(tree, '/srv/a/workspace', (source) => {
        renameSync(join(tree, 'srv/a'), join(tree, 'srv/b'));
        symlinkSync(outside, join(tree, 'srv/a'));
        return look(source);
      });
    }
    const idOf = (path: string): string => {
      const { dev, ino } = statSync(path, { bigint: true });
      return `${dev}:${ino}`;
    };

    it('shows nothing of where it leads', () => {
      const view = lookAfterSwap(lookThrough);
      expect([...view.mounts, ...view.checks].map(({ path }) => path)).not.toContain('/srv/a/keys');
    });

    it('twin: by its path alone it would be mounted, and be what is expected', () => {
      const view = lookAfterSwap(idOf);
      expect(view.mounts.map(({ path }) => path)).toContain('/srv/a/keys');
      expect(view.checks).toContainEqual({ path: '/srv/a/keys', id: idOf(join(base, 'outside/keys')) });
    });
  });

  it('[A26] a folder on the way that was swapped while the sandbox was made is noticed', async () => {
    const workspace = realpathSync(mkdtempSync(join(place, 'handrail-workspace-')));
    try {
      const stateFolder = join(base, 'state');
      const tree = makeUserland(stateFolder);
      const world = openShellWorld({
        workspace,
        sandbox: {
          ...withMachineUsr,
          stateFolder,
          homeFolder: join(stateFolder, 'home'),
          buildArgs(plan) {
            renameSync(join(tree, 'var/lib'), join(tree, 'var/old'));
            mkdirSync(join(tree, 'var/lib'));
            return withMachineUsr.buildArgs?.(plan) ?? [];
          },
        },
      });
      worlds.push(world);
      await expect(world.run('true', once)).rejects.toThrow(/exchanged/);
    } finally {
      rmSync(workspace, { recursive: true, force: true });
    }
  });
});

it('[K45] the doctor names the root in force, and its absence as the reason for refusing', async () => {
  const stateFolder = join(base, 'state');
  mkdirSync(stateFolder);
  let root: 'host-view' | 'userland' = 'host-view';
  const sandbox = createSandbox({
    stateFolder,
    homeFolder: join(stateFolder, 'home'),
    userHome: '/nonexistent',
    rung: () => 'namespaces',
    root: () => root,
    environment: {},
  });
  expect((await sandbox.report()).root).toMatch(/this machine's system/);
  root = 'userland';
  expect(await sandbox.report()).toMatchObject({ rung: undefined, fix: 'handrail sandbox install' });
  makeUserland(stateFolder);
  expect((await sandbox.report()).root).toBe('a Linux userland (A tree of a test)');
  expect(sandbox.userland()?.prettyName).toBe('A tree of a test');
});
