/** A whole userland over mirrors of our own: installed, used, its packages, reset and removed. */
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type AlpineContent,
  type AlpineMirror,
  buildAlpineContent,
  fixtureFile,
  startAlpineMirror,
} from '../../../test/kit/alpine-mirror.ts';
import { isRoot, ordinaryUid } from '../../../test/kit/ordinary-user.ts';
import { openUserlandWorld, type UserlandWorld } from '../../../test/kit/userland-world.ts';
import { packageCommands } from './package-commands.ts';

let content: AlpineContent;
let folder: string;
const opened: (() => Promise<unknown>)[] = [];
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-alpine-')));
  content = buildAlpineContent(folder, [...packageCommands.apk.basic, 'tree']);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
});

async function startMirrors(count: number): Promise<AlpineMirror[]> {
  const mirrors = await Promise.all(Array.from({ length: count }, () => startAlpineMirror(content)));
  for (const mirror of mirrors) opened.push(mirror.close);
  return mirrors;
}

function openWorld(
  mirrors: readonly AlpineMirror[],
  options: Parameters<typeof openUserlandWorld>[1] = {},
): UserlandWorld {
  const world = openUserlandWorld(mirrors, options);
  opened.push(world.close);
  return world;
}

const watch = (world: UserlandWorld) => ({
  onProgress: (progress: UserlandWorld['progress'][number]) => void world.progress.push(progress),
});
const archiveRequests = (mirror: AlpineMirror): string[] =>
  mirror.requests.filter((line) => line.includes(fixtureFile));

describe('installing', () => {
  it('[K42] downloads once; a second installation downloads nothing', async () => {
    const mirrors = await startMirrors(2);
    const world = openWorld(mirrors);
    const first = await world.userland.install({ isBare: true }, watch(world));
    expect(first).toMatchObject({
      state: 'ready',
      isNew: true,
      distribution: 'alpine',
      version: '3.21',
      packages: 'bare',
    });
    const before = mirrors.map((mirror) => mirror.requests.length);
    expect(await world.userland.install({}, watch(world))).toMatchObject({ state: 'ready', isNew: false });
    expect(mirrors.map((mirror) => mirror.requests.length)).toEqual(before);
    expect(await world.userland.status()).toMatchObject({ state: 'ready', isInForce: true, packageManager: 'apk' });
  });

  it('[K42] a release without support is installed, and said to be without', async () => {
    const world = openWorld(await startMirrors(2), { now: () => new Date('2026-11-22') });
    const status = await world.userland.install({ isBare: true });
    expect(status.notes.join()).toContain('Alpine 3.21 has been without security fixes since 2026-11-01');
    expect(
      (await openWorld(await startMirrors(2), { now: () => new Date('2025-01-01') }).userland.install({ isBare: true }))
        .notes,
    ).toEqual([]);
  });

  it('[S24] tells every step with its mirror and percent, and [S15] ends with the whole package set', async () => {
    const mirrors = await startMirrors(2);
    const world = openWorld(mirrors);
    const status = await world.userland.install({}, watch(world));
    expect(status).toMatchObject({ state: 'ready', packages: 'basic' });
    const steps = world.progress.map((entry) => entry.step);
    expect([...new Set(steps)]).toEqual(['look', 'download', 'verify', 'unpack', 'repositories', 'packages', 'ready']);
    expect(world.progress.find((entry) => entry.step === 'download')?.mirror).toBe(mirrors[0]?.host);
    expect(world.progress.filter((entry) => entry.step === 'packages').at(-1)?.percent).toBe(100);
    const programs = 'bash ls curl wget git jq python3 node ssh scp sftp lftp rsync';
    const result = await world
      .shell()
      .run(`for name in ${programs}; do command -v $name >/dev/null || echo no $name; done; jq`);
    expect(result.stdout.text).toBe('jq of the fixture\n');
  });

  it('[K43] a mirror that is down is passed over, and the next one is named', async () => {
    const mirrors = await startMirrors(3);
    if (mirrors[0] !== undefined) mirrors[0].faults.isDown = true;
    const world = openWorld(mirrors);
    const status = await world.userland.install({ isBare: true }, watch(world));
    expect(status.mirror).toBe(mirrors[1]?.url);
    expect(world.progress.find((entry) => entry.step === 'download')?.mirror).toBe(mirrors[1]?.host);
  });

  it('[K44] apk update is tried mirror by mirror, and the repositories name the one that answered', async () => {
    const mirrors = await startMirrors(3);
    for (const mirror of mirrors.slice(0, 2)) mirror.faults.missing = 'APKINDEX';
    const world = openWorld(mirrors);
    await world.userland.install({ isBare: true }, watch(world));
    const result = await world.shell().run('cat /etc/apk/repositories');
    expect(result.stdout.text).toBe(`${mirrors[2]?.url}/v3.21/main\n${mirrors[2]?.url}/v3.21/community\n`);
    const asked = world.progress.filter((entry) => entry.step === 'repositories').map((entry) => entry.mirror);
    expect(asked).toEqual(mirrors.map((mirror) => mirror.host));
  });

  it('[S24] a failure names its step and what to do; the next installation goes on there', async () => {
    const mirrors = await startMirrors(2);
    for (const mirror of mirrors) mirror.faults.missing = 'APKINDEX';
    const world = openWorld(mirrors);
    await expect(world.userland.install({ isBare: true })).rejects.toThrow(
      /The step "repositories" failed: apk update succeeded with no mirror: .* run the same command again: it goes on here/,
    );
    expect(await world.userland.status()).toMatchObject({ state: 'unfinished' });
    for (const mirror of mirrors) delete mirror.faults.missing;
    expect(await world.userland.install({ isBare: true })).toMatchObject({ state: 'ready', isNew: true });
    expect(archiveRequests(mirrors[0] as AlpineMirror).filter((line) => line.endsWith('.gz'))).toHaveLength(1);
  });

  it('[S01] another distribution in its place is asked for, never assumed', async () => {
    const world = openWorld(await startMirrors(2));
    await world.userland.install({ isBare: true });
    await expect(world.userland.install({ version: '3.22' })).rejects.toThrow(
      /Alpine Linux v3.21 is installed.*--replace/,
    );
    await expect(world.userland.install({ distribution: 'debian' })).rejects.toMatchObject({ code: 'conflict' });
    await expect(world.userland.install({ version: 'nonsense!' })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('[S24] nothing of a stopped installation stays but what was downloaded', async () => {
    const mirrors = await startMirrors(2);
    const world = openWorld(mirrors);
    const stop = new AbortController();
    const stopping = {
      signal: stop.signal,
      onProgress: (entry: { step: string }) => entry.step === 'verify' && stop.abort(),
    };
    await expect(world.userland.install({}, stopping)).rejects.toMatchObject({ code: 'cancelled' });
    expect(readdirSync(join(world.data, 'userland'))).toEqual(['downloads']);
  });
});

describe('living in it', () => {
  it('[S01] commands see it and nothing of this machine; [K39] apk add stays for the next sandbox', async () => {
    const world = openWorld(await startMirrors(2));
    await world.userland.install({});
    const seen = await world.shell().run('cat /etc/alpine-release; id -u; apk add tree && tree; ls -A /srv');
    expect(seen.stderr.text + seen.notes.join()).toBe('');
    expect(seen.stdout.text).toMatch(
      /^3\.21\.9\n0\n\(1\/1\) Installing tree \(1\.0-r0\)\nOK: \d+ packages\ntree of the fixture\n$/,
    );
    expect((await world.shell().run('tree')).stdout.text).toBe('tree of the fixture\n');
  });

  it('[S04] [K46] the home is one for all sandboxes, and outlives a reset', async () => {
    const world = openWorld(await startMirrors(2));
    await world.userland.install({});
    await world
      .shell()
      .run('echo kept >~/file; ssh-keygen; mkdir -p ~/.ssh; echo key >~/.ssh/id; touch /usr/bin/added; apk add tree');
    expect((await world.shell().run('cat ~/file /root/file; echo $HOME')).stdout.text).toBe(
      'kept\nkept\n/home/handrail\n',
    );
    await world.userland.reset({});
    const after = await world.shell().run('cat ~/file; cat ~/.ssh/id; ls /usr/bin/added; command -v tree jq');
    expect(after.stdout.text).toBe('kept\nkey\n/usr/bin/jq\n');
    await world.userland.reset({ withHome: true });
    expect((await world.shell().run('ls -A ~')).stdout.text).toBe('');
  });

  it('[K45] the owner of a workspace has a userland of its own, also where root started Handrail', async () => {
    const world = openWorld(await startMirrors(2), { owner: ordinaryUid });
    const status = await world.userland.install({ isBare: true });
    expect(status.owner).toBe(ordinaryUid);
    const tree = join(status.folder, 'current/root');
    expect([statSync(join(tree, 'etc')).uid, lstatSync(join(tree, 'bin/sh')).uid]).toEqual([ordinaryUid, ordinaryUid]);
    const result = await world.shell().run('id -u; apk add tree >/dev/null && tree; touch made', { fresh: true });
    expect(result.stdout.text).toBe('0\ntree of the fixture\n');
    expect(statSync(join(world.workspace, 'made')).uid).toBe(ordinaryUid);
    if (isRoot) expect(existsSync(join(world.data, 'userland'))).toBe(false);
    expect(await world.userland.uninstall()).toBe(true);
  });

  it('[S25] the name servers are those of the preset, and follow the settings', async () => {
    const mirrors = await startMirrors(2);
    const usual = openWorld(mirrors);
    await usual.userland.install({ isBare: true });
    const shown = await usual.shell().run('cat /etc/resolv.conf', { fresh: true });
    expect(shown.stdout.text).toBe('nameserver 8.8.8.8\nnameserver 8.8.4.4\n');
    const other = openWorld(mirrors, { dns: ['9.9.9.9'] });
    await other.userland.install({ isBare: true });
    expect((await other.shell().run('cat /etc/resolv.conf', { fresh: true })).stdout.text).toBe('nameserver 9.9.9.9\n');
  });

  it('[K38] a bare system without bash runs commands by its sh', async () => {
    const world = openWorld(await startMirrors(2));
    await world.userland.install({ isBare: true });
    const result = await world.shell().run('echo "$0"; command -v bash; exit 3');
    expect(result).toMatchObject({ exitCode: 3, stdout: { text: 'bash\n' } });
  });

  it('[K39] the packages are listed, searched, installed and removed', async () => {
    const world = openWorld(await startMirrors(2));
    await world.userland.install({ isBare: true });
    const { packages } = world.userland;
    let output = '';
    await packages.install(['tree', 'jq'], { onOutput: (text) => (output += text) });
    expect(output).toContain('Installing tree');
    expect((await packages.list()).map((entry) => entry.name)).toEqual(['busybox', 'jq', 'tree']);
    expect(await packages.search('tree')).toEqual([
      { name: 'tree', version: '1.0-r0', description: 'the program tree' },
    ]);
    await packages.remove(['jq']);
    expect((await packages.list()).map((entry) => entry.name)).toEqual(['busybox', 'tree']);
    await expect(packages.install(['no-such'])).rejects.toThrow(/The step "packages" failed.*no such package/);
    await expect(packages.install(['--root=/'])).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(packages.search('; reboot')).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

describe('without one', () => {
  it('[S37] commands are refused with the command that installs it', async () => {
    const world = openWorld(await startMirrors(1));
    await expect(world.shell().run('true')).rejects.toThrow(/handrail sandbox install/);
    expect(await world.sandbox.report()).toMatchObject({ rung: undefined, fix: 'handrail sandbox install' });
    await expect(world.userland.packages.list()).rejects.toThrow(/no Linux userland.*handrail sandbox install/);
    expect(await world.userland.status()).toMatchObject({ state: 'absent' });
  });

  it('[S07] removal ends every process in it and leaves only the home', async () => {
    const world = openWorld(await startMirrors(2));
    await world.userland.install({});
    const running = world.shell().run('echo begun >begun; sleep 300');
    while (!existsSync(join(world.workspace, 'begun'))) await new Promise((resolve) => setImmediate(resolve));
    expect(await world.userland.uninstall()).toBe(true);
    const { exitCode, signal } = await running.catch(() => ({ exitCode: null, signal: 'gone' }));
    expect([exitCode, signal]).not.toEqual([0, undefined]);
    expect(existsSync(join(world.data, 'userland'))).toBe(false);
    expect(existsSync(join(world.data, 'home'))).toBe(true);
    expect(await world.userland.uninstall()).toBe(false);
  });

  it('[K41] with the network off the reason is named', async () => {
    const world = openWorld(await startMirrors(2), { network: 'off' });
    await expect(world.userland.install({ isBare: true })).rejects.toThrow(
      /"repositories" failed.*network of commands is off/,
    );
  });

  it('[S01] one installation at a time', async () => {
    const world = openWorld(await startMirrors(2));
    const first = world.userland.install({ isBare: true });
    await expect(world.userland.install({ isBare: true })).rejects.toMatchObject({ code: 'busy' });
    await first;
  });

  it('[S01] a record that is no record counts as unfinished, and is replaced', async () => {
    const world = openWorld(await startMirrors(2));
    await world.userland.install({ isBare: true });
    const record = join(world.data, 'userland/current/record.json');
    expect(JSON.parse(readFileSync(record, 'utf8'))).toMatchObject({ idMap: 'single' });
    writeFileSync(record, '{"distribution":');
    expect(await world.userland.status()).toMatchObject({ state: 'unfinished' });
    expect(await world.userland.install({ isBare: true })).toMatchObject({ state: 'ready', isNew: true });
  });
});
