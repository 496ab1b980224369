import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileWorld, failureOf, type FileWorld } from '../../../test/kit/file-world.ts';
import type { Access } from '../../contract/access.ts';

let world: FileWorld;
beforeEach(() => void (world = createFileWorld()));
afterEach(() => world.remove());

const at = (name: string): string => join(world.workspace, name);
const moving = (from: string, to: string): readonly Access[] => [
  { kind: 'path', path: from, mode: 'delete' },
  { kind: 'path', path: to, mode: 'write' },
];
const deleting = (path: string): readonly Access[] => [{ kind: 'path', path, mode: 'delete' }];

async function move(from: string, to: string): Promise<string> {
  const { files } = await world.grant(moving(from, to));
  return failureOf(files.move(from, to));
}

describe('moving', () => {
  it('moves files, folders and links into folders that are made, and never overwrites', async () => {
    world.put('workspace/a.txt', 'a');
    world.put('workspace/tree/b/c.txt', 'c');
    symlinkSync('a.txt', at('link'));
    expect(await move('a.txt', 'new/place/a.txt')).toBe('none');
    expect(await move('tree', 'new/tree')).toBe('none');
    expect(await move('link', 'new/link')).toBe('none');
    expect([
      readFileSync(at('new/place/a.txt'), 'utf8'),
      readFileSync(at('new/tree/b/c.txt'), 'utf8'),
      readlinkSync(at('new/link')),
    ]).toEqual(['a', 'c', 'a.txt']);
    world.put('workspace/x.txt', 'x');
    expect(await move('x.txt', 'new/place/a.txt')).toMatch(/^conflict: .*exists already/);
    expect(await move('new/tree', 'new/place')).toMatch(/^conflict: /);
    expect([
      readFileSync(at('x.txt'), 'utf8'),
      readFileSync(at('new/place/a.txt'), 'utf8'),
      existsSync(at('new/tree/b')),
    ]).toEqual(['x', 'a', true]);
    expect(await move('missing', 'y')).toMatch(/^not_found: /);
    expect(await move('new', 'new/tree/inside')).toMatch(/^invalid_input: .*lies inside/);
  });

  it('needs the leave to delete its source', async () => {
    world.put('workspace/a.txt', 'a');
    const { files } = await world.grant([{ kind: 'path', path: 'b.txt', mode: 'write' }]);
    expect(await failureOf(files.move('a.txt', 'b.txt'))).toMatch(/^denied: /);
  });

  it('[A22] a tree cannot carry a file into a place where it will be obeyed; one that was there already can', async () => {
    world.put('workspace/innocent/hooks/pre-commit', '#!/bin/sh');
    expect(await move('innocent', '.git')).toMatch(/^denied: .*hooks/);
    world.put('outside/repo/.git/config', '[core]');
    expect(await move('../outside/repo', 'repo')).toMatch(/^denied: .*\.git/);
    expect(existsSync(at('repo'))).toBe(false);
    world.put('workspace/project/.git/hooks/pre-commit', 'approved before');
    expect(await move('project', 'renamed')).toBe('none');
    expect(readFileSync(at('renamed/.git/hooks/pre-commit'), 'utf8')).toBe('approved before');
  });

  it('the workspace, the state folder and what contains credentials stay in place', async () => {
    for (const path of ['.', '~', '..', '../user', '/etc', '/root', '/']) {
      const { files } = await world.grant([
        ...deleting(path),
        { kind: 'path', path: '../outside/taken', mode: 'write' },
      ]);
      expect(await failureOf(files.move(path, '../outside/taken')), path).toMatch(/^(?:denied|invalid_input): /);
      expect(await failureOf(files.trash(path, { recursive: true })), path).toMatch(/^(?:denied|invalid_input): /);
    }
    expect(readdirSync(world.outside)).toEqual(['secret.txt']);
  });
});

describe('copying', () => {
  it('copies a tree with modes and links, and refuses folders without recursive', async () => {
    world.put('workspace/tree/run.sh', 'r');
    chmodSync(at('tree/run.sh'), 0o755);
    symlinkSync('/etc/hostname', at('tree/link'));
    const { files } = await world.grant();
    expect(await failureOf(files.copy('tree', 'copy'))).toMatch(/^invalid_input: .*recursive/);
    await files.copy('tree', 'copy', { recursive: true });
    expect([statSync(at('copy/run.sh')).mode & 0o777, lstatSync(at('copy/link')).isSymbolicLink()]).toEqual([
      0o755,
      true,
    ]);
    expect(await failureOf(files.copy('tree', 'copy', { recursive: true }))).toMatch(/^conflict: /);
    await files.copy('tree/run.sh', 'copy/second.sh');
    expect(await failureOf(files.copy('tree/run.sh', 'copy/second.sh'))).toMatch(/^conflict: /);
  });

  it('a tree that holds credentials is not copied, whatever is granted', async () => {
    const { files } = await world.grant([{ kind: 'path', path: '../user', mode: 'read' }]);
    expect(await failureOf(files.copy('../user', 'taken', { recursive: true }))).toMatch(/^denied: .*\.ssh/);
    expect(existsSync(at('taken'))).toBe(false);
  });

  it('a pipe in a tree ends the copy, and what was begun is removed', async () => {
    world.put('workspace/tree/a', 'a');
    await promisify(execFile)('mkfifo', [at('tree/pipe')]);
    const { files } = await world.grant();
    expect(await failureOf(files.copy('tree', 'copy', { recursive: true }))).toMatch(/^invalid_input: .*pipe/);
    expect(existsSync(at('copy'))).toBe(false);
  });
});

describe('the trash', () => {
  const trash = async (path: string, recursive = false): Promise<string> =>
    failureOf((await world.grant(deleting(path))).files.trash(path, { recursive }));
  const restore = async (path: string): Promise<string> => failureOf((await world.grant()).files.restore(path));

  it('[N06] takes files and folders and brings the newest back', async () => {
    world.put('workspace/a.txt', 'first');
    expect(await trash('a.txt')).toBe('none');
    expect(existsSync(at('a.txt'))).toBe(false);
    world.put('workspace/a.txt', 'second');
    expect(await trash('a.txt')).toBe('none');
    expect(await restore('a.txt')).toBe('none');
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('second');
    expect(await restore('a.txt')).toMatch(/^conflict: .*exists again/);
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('second');
    expect(await trash('a.txt')).toBe('none');
    expect(await restore('a.txt')).toBe('none');
    expect(await trash('a.txt')).toBe('none');
    expect(await restore('a.txt')).toBe('none');
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('second');
  });

  it('a folder that is not empty needs recursive; a link is removed, not what it leads to', async () => {
    world.put('workspace/tree/b/c.txt', 'c');
    mkdirSync(at('empty'));
    symlinkSync(world.outside, at('link'));
    expect(await trash('tree')).toMatch(/^invalid_input: .*recursive/);
    expect(await trash('tree', true)).toBe('none');
    expect(await trash('empty')).toBe('none');
    expect(await trash('link', true)).toBe('none');
    expect(await restore('tree')).toBe('none');
    expect(readFileSync(at('tree/b/c.txt'), 'utf8')).toBe('c');
    expect(readdirSync(world.outside)).toEqual(['secret.txt']);
    expect(await restore('never')).toMatch(/^not_found: /);
    expect(await trash('never')).toMatch(/^not_found: /);
  });

  it('keeps the path and the time beside what was removed, closed to others', async () => {
    world.put('workspace/a.txt', 'a');
    await trash('a.txt');
    const [entry] = readdirSync(join(world.state, 'trash'));
    const folder = join(world.state, 'trash', entry ?? '');
    const record = JSON.parse(readFileSync(join(folder, 'removed.json'), 'utf8')) as Record<string, string>;
    expect(record).toMatchObject({ path: at('a.txt'), realPath: at('a.txt') });
    expect(Math.abs(Date.parse(record['removedAt'] ?? '') - Date.now())).toBeLessThan(60_000);
    expect([statSync(folder).mode & 0o077, statSync(join(world.state, 'trash')).mode & 0o077]).toEqual([0, 0]);
  });

  it('works when the trash lies on another file system', async () => {
    const other = createFileWorld({ files: { trashFolder: `/dev/shm/handrail-trash-${process.pid}` } });
    try {
      other.put('workspace/tree/a.txt', 'a');
      writeFileSync(join(other.workspace, 'tree/b.sh'), 'b', { mode: 0o755 });
      const { files } = await other.grant(deleting('tree'));
      expect(statSync('/dev/shm').dev).not.toBe(statSync(other.workspace).dev);
      await files.trash('tree', { recursive: true });
      expect(existsSync(join(other.workspace, 'tree'))).toBe(false);
      await files.restore('tree');
      expect([
        readFileSync(join(other.workspace, 'tree/a.txt'), 'utf8'),
        statSync(join(other.workspace, 'tree/b.sh')).mode & 0o777,
      ]).toEqual(['a', 0o755]);
    } finally {
      other.remove();
      await promisify(execFile)('rm', ['-rf', `/dev/shm/handrail-trash-${process.pid}`]);
    }
  });
});
