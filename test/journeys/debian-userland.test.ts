/** A real Debian, built by the machine's own apt and configured inside the sandbox, from packages that are kept. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DebianMirror, startDebianMirror } from '../kit/debian-mirror.ts';
import { openUserlandWorld, type UserlandWorld } from '../kit/userland-world.ts';

let mirror: DebianMirror;
let world: UserlandWorld;
beforeAll(async () => {
  mirror = await startDebianMirror(['tree']);
  world = openUserlandWorld([{ ...mirror, url: mirror.url, faults: {} }], {
    readApt: () => Promise.resolve(mirror.apt),
  });
}, 300_000);
afterAll(async () => {
  await world.close();
  await mirror.close();
});

describe('a Debian userland', () => {
  it('[K40] [S24] is built without root of its own, and tells how far it is', async () => {
    const watch = { onProgress: (entry: (typeof world.progress)[number]) => void world.progress.push(entry) };
    const status = await world.userland.install({ distribution: 'debian', isBare: true }, watch);
    expect(status).toMatchObject({ state: 'ready', isNew: true, distribution: 'debian', packageManager: 'apt-get' });
    expect([...new Set(world.progress.map((entry) => entry.step))]).toEqual([
      'look',
      'download',
      'unpack',
      'packages',
      'repositories',
      'ready',
    ]);
  }, 300_000);

  it('[K39] apt install works by the shell tool, and what it installs is there after a restart', async () => {
    const first = await world
      .shell()
      .run('apt-get install -y tree 2>&1 | tail -1; tree --version', { timeoutMs: 120_000 });
    expect(first.stdout.text).toContain('tree v');
    const later = await world.shell().run('command -v tree; dpkg --audit; id -un; cat /etc/debian_version');
    expect(later.stdout.text).toMatch(/^\/usr\/bin\/tree\nroot\n\d+/);
    expect((await world.userland.packages.list()).map((entry) => entry.name)).toContain('tree');
    expect((await world.userland.packages.search('tree'))[0]).toMatchObject({ name: 'tree' });
    await world.userland.packages.remove(['tree']);
    expect((await world.shell().run('command -v tree')).exitCode).toBe(1);
  }, 200_000);

  it('[S15] owners and setgid bits of its packages are as if given, and its files are the user’s own', async () => {
    const result = await world
      .shell()
      .run('stat -c %U /etc/shadow; chown mail:mail /etc/issue; echo $?; su -s /bin/sh -c "id -u" mail');
    expect(result.stdout.text).toBe('root\n0\n0\n');
    expect(existsSync(join(world.data, 'userland/current/root/etc/shadow'))).toBe(true);
  });
});
