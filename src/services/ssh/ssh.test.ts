/** The sandbox's own ~/.ssh: what goes in, what stays out, and whose it is. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SshHost } from '../../contract/ssh.ts';
import type { Rung } from '../../contract/services.ts';
import { createConnectionFolder } from './connection-folder.ts';
import { createSsh } from './create-ssh.ts';
import { withoutKeepers } from './connection-keepers.ts';

const key = 'AAAAC3NzaC1lZDI1NTE5AAAAIJ8X4m3yq8Q7Gm2S1s2bq0n8mJ3o1rXGkT9mY4mYb0pZ';
const line = `box.example.org ssh-ed25519 ${key}`;
const host: SshHost = { alias: 'box', hostname: 'box.example.org' };

function createWorld(rung: Rung = 'namespaces') {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-ssh-home-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const home = join(root, 'home');
  mkdirSync(home, { mode: 0o700 });
  const ids = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const owner = createSsh({ rung: () => rung, homeFor: () => ({ folder: home, ...ids }) });
  const ssh = owner.forCall({
    callId: 'call',
    conversation: { id: 'c', workspace: root, isThrowaway: false },
    granted: [],
    signal: new AbortController().signal,
  });
  return {
    root,
    home,
    ssh,
    read: (name: string) => readFileSync(join(home, '.ssh', name), 'utf8'),
    /** As ssh itself understands it. */
    effective: (alias: string) =>
      execFileSync('ssh', ['-G', '-F', join(home, '.ssh/config'), alias], { encoding: 'utf8' }),
  };
}

describe('what is written', () => {
  it('[K32] is what ssh reads: name, user, port, key; private; a repeat changes nothing', async () => {
    const { ssh, effective, home } = createWorld();
    const whole = { ...host, user: 'me', port: 2222, identityFile: 'id', knownHostLine: line };
    expect(await ssh.configure(whole)).toEqual({ alias: 'box', configChanged: true, knownHostsChanged: true });
    expect(await ssh.configure(whole)).toEqual({ alias: 'box', configChanged: false, knownHostsChanged: false });
    const said = effective('box');
    for (const part of [
      'hostname box.example.org',
      'user me',
      'port 2222',
      'identityfile ~/.ssh/id',
      'serveraliveinterval 30',
    ])
      expect(said).toContain(part);
    expect(lstatSync(join(home, '.ssh')).mode & 0o777).toBe(0o700);
    expect(lstatSync(join(home, '.ssh/config')).mode & 0o777).toBe(0o600);
  });

  it("[K32] replaces its own entry, and leaves others and the user's lines", async () => {
    const { ssh, read, effective, home } = createWorld();
    mkdirSync(join(home, '.ssh'));
    writeFileSync(join(home, '.ssh/config'), 'Host mine\n  HostName mine.example.org\n');
    await ssh.configure(host);
    await ssh.configure({ ...host, alias: 'other', hostname: 'other.example.org' });
    await ssh.configure({ ...host, hostname: 'new.example.org' });
    expect(effective('box')).toContain('hostname new.example.org');
    expect(effective('other')).toContain('hostname other.example.org');
    expect(effective('mine')).toContain('hostname mine.example.org');
    expect(read('config').match(/^Host box$/gm)).toHaveLength(1);
  });

  it('[K32] two at once are both there', async () => {
    const { ssh, read } = createWorld();
    await Promise.all(['a', 'b', 'c'].map((alias) => ssh.configure({ ...host, alias })));
    expect(read('config').match(/^Host [abc]$/gm)).toHaveLength(3);
  });

  it("[A21] [S16] a link in the place of a file or of the folder does not lead to anybody's own", async () => {
    const { ssh, root, home, read } = createWorld();
    writeFileSync(join(root, 'theirs'), 'untouched');
    mkdirSync(join(home, '.ssh'));
    symlinkSync(join(root, 'theirs'), join(home, '.ssh/config'));
    await ssh.configure(host);
    expect(readFileSync(join(root, 'theirs'), 'utf8')).toBe('untouched');
    expect(read('config')).toContain('Host box');
    rmSync(join(home, '.ssh'), { recursive: true });
    mkdirSync(join(root, 'folder'));
    symlinkSync(join(root, 'folder'), join(home, '.ssh'));
    await expect(ssh.configure(host)).rejects.toMatchObject({ code: 'failed' });
  });

  it('outside a sandbox it is not ours to write', async () => {
    await expect(createWorld('host').ssh.configure(host)).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('what is refused', () => {
  it.each<Partial<SshHost>>([
    { alias: 'a b' },
    { alias: '*' },
    { alias: 'a\nHost *' },
    { alias: '-x' },
    { alias: '' },
    { alias: '!a' },
    { alias: 'a,b' },
    { hostname: 'a b' },
    { hostname: '-oProxyCommand=x' },
    { hostname: 'a\nProxyCommand x' },
    { hostname: '%h' },
    { hostname: 'u@h' },
    { hostname: '' },
    { hostname: 'ssh://h' },
    { user: 'a b' },
    { user: '-l' },
    { user: 'a\nProxyCommand x' },
    { user: '%r' },
    { port: 0 },
    { port: 70_000 },
    { port: 1.5 },
    { identityFile: 'a b' },
    { identityFile: '../../../etc/x' },
    { identityFile: '~/../x' },
    { identityFile: '%d/x' },
    { identityFile: 'x\nProxyCommand y' },
    { identityFile: '"x"' },
    { identityFile: '-x' },
    { knownHostLine: `@cert-authority * ssh-ed25519 ${key}` },
    { knownHostLine: `* ssh-ed25519 ${key}` },
    { knownHostLine: `h ssh-ed25519 ${key}\nevil ssh-ed25519 ${key}` },
    { knownHostLine: 'h ssh-rsa AAAA' },
    { knownHostLine: `h ssh-rsa ${key}` },
    { knownHostLine: '' },
    { knownHostLine: `!h ssh-ed25519 ${key}` },
  ])('[A13] %j', async (wrong) => {
    const { ssh } = createWorld();
    await expect(ssh.configure({ ...host, ...wrong })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it.each<Partial<SshHost>>([
    { hostname: '127.0.0.1' },
    { hostname: '::1' },
    { hostname: 'fe80::1' },
    { hostname: 'xn--bcher-kva.example' },
    { identityFile: '/home/handrail/.ssh/id_ed25519' },
    { identityFile: '~/keys/a' },
    { knownHostLine: `[127.0.0.1]:2222 ssh-ed25519 ${key} remark of mine` },
    { knownHostLine: `|1|aGVsbG8=|d29ybGQ= ssh-ed25519 ${key}` },
    { user: 'first.last' },
  ])('twin: %j is good', async (right) => {
    const { ssh } = createWorld();
    expect((await ssh.configure({ ...host, ...right })).configChanged).toBe(true);
  });
});

describe('kept connections', () => {
  it('[K34] are no survivors; whatever else there is stays one', () => {
    const wayOut = '/bin/bash /run/handrail-net/ssh-connect 127.0.0.1 22 (pid 5)';
    const lines = [
      'ssh: /tmp/.handrail-ssh-0a1b [mux] (pid 4)',
      wayOut,
      'cat (pid 6)',
      'cat (pid 7)',
      'cat (pid 8)',
      'sleep 5 (pid 9)',
    ];
    expect(withoutKeepers(lines)).toEqual(['cat (pid 8)', 'sleep 5 (pid 9)']);
    expect(withoutKeepers(['ssh box sleep 5 (pid 4)', 'cat (pid 5)'])).toHaveLength(2);
  });
});

describe('the folder of shared connections', () => {
  const makeParent = (...names: readonly string[]): string => {
    const root = mkdtempSync(join(tmpdir(), 'hc-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const parent = join(root, ...names);
    mkdirSync(parent, { recursive: true });
    return parent;
  };
  const folderOf = (controlPath: string): string => controlPath.slice(0, -'/%C'.length);

  it('[N10] nobody else can enter it, and it goes', () => {
    const { controlPath, close } = createConnectionFolder(makeParent());
    expect(statSync(folderOf(controlPath)).mode & 0o777).toBe(0o700);
    close();
    expect(existsSync(folderOf(controlPath))).toBe(false);
  });

  it('lies in /tmp where a socket could have no name otherwise', () => {
    const { controlPath, close } = createConnectionFolder(makeParent('x'.repeat(60)));
    onTestFinished(close);
    expect(folderOf(controlPath)).toMatch(/^\/tmp\/handrail-ssh-/);
    // With the hash, and what ssh appends while it makes the socket.
    expect(folderOf(controlPath).length + 1 + 40 + 17).toBeLessThanOrEqual(107);
  });

  it('one of a program that was killed is removed by the next, one of a program that runs is not', () => {
    const parent = makeParent();
    const [gone, alive] = [join(parent, 'handrail-ssh-4194305-abc'), join(parent, `handrail-ssh-${process.ppid}-abc`)];
    for (const folder of [gone, alive]) mkdirSync(folder);
    createConnectionFolder(parent).close();
    expect([existsSync(gone), existsSync(alive)]).toEqual([false, true]);
  });
});
