import { linkSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFileWorld, failureOf, type FileWorld } from '../../../test/kit/file-world.ts';
import type { PathMode, PathZone } from '../../contract/access.ts';

let world: FileWorld;
beforeAll(() => {
  world = createFileWorld();
  world.put('workspace/a/b.txt', 'b');
  world.put('state/artifacts/kept', 'kept');
  world.put('state/workspaces/other/note.txt', 'n');
  world.put('user/.sshx/file', 'x');
  world.put('user/dotfiles/npmrc', 'token');
  symlinkSync(join(world.userHome, 'dotfiles/npmrc'), join(world.userHome, '.npmrc'));
  symlinkSync(join(world.userHome, '.ssh'), join(world.workspace, 'innocent'));
  symlinkSync(join(world.outside, 'not-yet.txt'), join(world.workspace, 'dangling'));
  symlinkSync(world.state, join(world.workspace, 'state-link'));
});
afterAll(() => world.remove());

const zoneOf = async (path: string, mode: PathMode = 'read'): Promise<PathZone> =>
  (await world.files.resolve({ kind: 'path', path, mode }, { id: 'c', workspace: world.workspace, isThrowaway: false }))
    .zone;

describe('zones', () => {
  it.each<[string, PathZone]>([
    ['.', 'workspace'],
    ['a/b.txt', 'workspace'],
    ['new/deep/file', 'workspace'],
    ['a/../../workspace/a', 'workspace'],
    ['~', 'home'],
    ['~/.ssh/id', 'home'],
    ['/home/handrail/x', 'home'],
    ['../state/artifacts/kept', 'artifacts'],
    ['../state', 'state'],
    ['../state/settings.json', 'state'],
    ['../state/trash/x', 'state'],
    ['state-link/settings.json', 'state'],
    ['~/../settings.json', 'outside'],
    ['../state/workspaces/other/note.txt', 'outside'],
    ['../outside/secret.txt', 'outside'],
    ['dangling', 'outside'],
    ['../workspace-two', 'outside'],
    ['../user/.ssh', 'credentials'],
    ['../user/.ssh/deep/new', 'credentials'],
    ['innocent/id_ed25519', 'credentials'],
    ['innocent', 'credentials'],
    ['../user/.sshx/file', 'outside'],
    ['../user/.npmrc', 'credentials'],
    ['../user/dotfiles/npmrc', 'credentials'],
    ['../user/.config/gcloud/x', 'credentials'],
    ['../user/.docker/config.json', 'credentials'],
    ['../user/.docker/other', 'outside'],
    ['../user/.mozilla/firefox/x/logins.json', 'credentials'],
    ['/etc/shadow', 'credentials'],
    ['/etc/shadow-', 'credentials'],
    ['/etc/shadowx', 'outside'],
    ['/etc/sudoers.d/me', 'credentials'],
    ['/etc/ssh/ssh_host_ed25519_key', 'credentials'],
    ['/etc/ssh/ssh_host_ed25519_key.pub', 'outside'],
    ['/root/.ssh/id_rsa', 'credentials'],
    ['/root/.aws/credentials', 'credentials'],
    ['/proc/self/environ', 'credentials'],
    ['/proc/self/root/etc/hostname', 'outside'],
    ['/proc/1/mem', 'credentials'],
    ['/proc/self/fd/0', 'credentials'],
    ['/dev/sda', 'credentials'],
    ['/dev/stdin', 'credentials'],
    ['/dev/shm/x', 'outside'],
    ['/proc/cpuinfo', 'outside'],
    ['/', 'outside'],
  ])('[A20] %s lies in %s', async (path, zone) => {
    expect(await zoneOf(path)).toBe(zone);
  });

  it('[A22] a file that the machine obeys is trusted to a writer and ordinary to a reader, also when missing', async () => {
    expect(await zoneOf('.git/hooks/pre-commit', 'write')).toBe('trusted');
    expect(await zoneOf('.git/hooks/pre-commit', 'delete')).toBe('trusted');
    expect(await zoneOf('.git/hooks/pre-commit', 'read')).toBe('workspace');
    expect(await zoneOf('~/.bashrc', 'write')).toBe('trusted');
    expect(await zoneOf('../outside/.bashrc', 'write')).toBe('outside');
  });

  it('a credential folder that is a link protects where it leads', async () => {
    const other = createFileWorld();
    mkdirSync(join(other.root, 'vault'));
    renameSync(join(other.userHome, '.ssh'), join(other.root, 'vault/keys'));
    symlinkSync(join(other.root, 'vault/keys'), join(other.userHome, '.ssh'));
    const found = await other.files.resolve(
      { kind: 'path', path: '../vault/keys/id_ed25519', mode: 'read' },
      { id: 'c', workspace: other.workspace, isThrowaway: false },
    );
    other.remove();
    expect(found.zone).toBe('credentials');
  });
});

describe('grants', () => {
  it('reading and writing in the workspace need no grant, deletion and trusted files do', async () => {
    const { files } = await world.grant();
    expect(await failureOf(files.check('a/b.txt', 'read'))).toBe('none');
    expect(await failureOf(files.check('a/b.txt', 'write'))).toBe('none');
    expect(await failureOf(files.check('a/b.txt', 'delete'))).toMatch(/^denied: /);
    expect(await failureOf(files.check('.envrc', 'write'))).toMatch(/^denied: /);
    const granted = await world.grant([
      { kind: 'path', path: '.envrc', mode: 'write' },
      { kind: 'path', path: 'a/b.txt', mode: 'delete' },
    ]);
    expect(await failureOf(granted.files.check('.envrc', 'write'))).toBe('none');
    expect(await failureOf(granted.files.check('a/b.txt', 'delete'))).toBe('none');
  });

  it('outside, a granted write covers reading the same file and nothing beside it', async () => {
    const { files } = await world.grant([{ kind: 'path', path: '../outside/secret.txt', mode: 'write' }]);
    expect(await failureOf(files.read('../outside/secret.txt'))).toBe('none');
    expect(await failureOf(files.read('../outside/secret.txt2'))).toMatch(/^denied: /);
    const reader = await world.grant([{ kind: 'path', path: '../outside', mode: 'read' }]);
    expect(await failureOf(reader.files.list('../outside', { recursive: true }))).toBe('none');
    expect(await failureOf(reader.files.read('../outside/secret.txt'))).toMatch(/^denied: /);
    expect(await failureOf(reader.files.check('../outside', 'write'))).toMatch(/^denied: /);
  });

  it('state and credentials are refused whatever is granted', async () => {
    for (const path of [
      '../state/settings.json',
      '../user/.ssh/id_ed25519',
      'innocent/id_ed25519',
      '/etc/shadow',
      '/proc/self/environ',
    ]) {
      const { files } = await world.grant([
        { kind: 'path', path, mode: 'read' },
        { kind: 'path', path, mode: 'write' },
        { kind: 'path', path, mode: 'delete' },
      ]);
      expect(await failureOf(files.read(path))).toMatch(/^denied: .*(?:no tool may touch)/);
      expect(await failureOf(files.write(path, Buffer.from('x')))).toMatch(/^denied: /);
      expect(await failureOf(files.trash(path))).toMatch(/^denied: /);
      expect(await failureOf(files.info(path))).toMatch(/^denied: /);
    }
  });

  it('artifacts can be read and not written', async () => {
    const { files } = await world.grant([{ kind: 'path', path: '../state/artifacts/kept', mode: 'write' }]);
    expect((await files.read('../state/artifacts/kept')).bytes.toString()).toBe('kept');
    expect(await failureOf(files.write('../state/artifacts/kept', Buffer.from('x')))).toMatch(/^denied: /);
  });

  it('a grant made for one place does not follow a link that leads elsewhere by the time of use', async () => {
    world.put('workspace/moving/secret.txt', 'inside');
    const { files } = await world.grant([{ kind: 'path', path: 'moving/secret.txt', mode: 'read' }]);
    renameSync(join(world.workspace, 'moving'), join(world.workspace, 'moved'));
    symlinkSync(world.outside, join(world.workspace, 'moving'));
    expect(await failureOf(files.read('moving/secret.txt'))).toMatch(/^denied: /);
  });

  it('[N06] with allowed folders set, all else is refused before anyone is asked', async () => {
    const limited = createFileWorld({ files: { allowedPaths: [join(world.root, 'outside')] } });
    try {
      const conversation = { id: 'c', workspace: limited.workspace, isThrowaway: false };
      const resolve = (path: string) => limited.files.resolve({ kind: 'path', path, mode: 'read' }, conversation);
      expect(await failureOf(resolve('/etc/hostname'))).toMatch(
        /^denied: .*outside the folders that the settings allow/,
      );
      expect((await resolve(join(world.root, 'outside/x'))).zone).toBe('outside');
      expect((await resolve('own')).zone).toBe('workspace');
    } finally {
      limited.remove();
    }
  });

  it.each(['', 'a\0b', 'x'.repeat(5000)])('a path that no file can have is refused (%#)', async (path) => {
    const { files } = await world.grant();
    expect(await failureOf(files.read(path))).toMatch(/^invalid_input: /);
  });

  it('a stopped call touches nothing', async () => {
    const stop = new AbortController();
    stop.abort(Object.assign(new Error('stopped'), { code: 'cancelled' }));
    const { files } = await world.grant([], stop.signal);
    expect(await failureOf(files.write('never.txt', Buffer.from('x')))).toBe('cancelled: stopped');
    linkSync(join(world.workspace, 'a/b.txt'), join(world.workspace, 'second-name'));
    expect(await (await world.grant()).files.info('never.txt')).toBeUndefined();
  });
});
