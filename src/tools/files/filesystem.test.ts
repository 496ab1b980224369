import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileWorld, failureOf, type FileWorld } from '../../../test/kit/file-world.ts';
import filesystem from './filesystem.ts';

let world: FileWorld;
beforeEach(() => void (world = createFileWorld()));
afterEach(() => world.remove());
const act = async (input: object) => (await world.call(filesystem, input)).data;
const at = (name: string): string => join(world.workspace, name);

describe('filesystem', () => {
  it('[N06] reads, writes, appends, lists, inspects and makes folders', async () => {
    expect(await act({ action: 'write', path: 'd/a.txt', content: 'one\n' })).toEqual({
      action: 'write',
      path: at('d/a.txt'),
      bytes_written: 4,
      created: true,
    });
    expect(await act({ action: 'append', path: 'd/a.txt', content: 'two\n' })).toEqual({
      action: 'append',
      path: at('d/a.txt'),
      bytes_written: 4,
      created: false,
    });
    expect(await act({ action: 'read', path: 'd/a.txt' })).toEqual({
      action: 'read',
      path: at('d/a.txt'),
      content: 'one\ntwo\n',
      bytes_read: 8,
    });
    expect(await act({ action: 'read', path: 'd/a.txt', offset: 2, limit: 1 })).toMatchObject({ content: 'two\n' });
    expect(await act({ action: 'read', path: 'd/a.txt', limit: 1 })).toMatchObject({
      content: 'one\n',
      next_offset: 2,
      total_lines: 2,
    });
    expect(await act({ action: 'mkdir', path: 'd/e/f' })).toEqual({
      action: 'mkdir',
      path: at('d/e/f'),
      created: true,
    });
    expect(await act({ action: 'mkdir', path: 'd/e/f' })).toMatchObject({ created: false });
    expect(await act({ action: 'list', path: 'd' })).toMatchObject({
      path: at('d'),
      count: 2,
      entries: [
        { path: at('d/a.txt'), kind: 'file', bytes: 8 },
        { path: at('d/e'), kind: 'folder' },
      ],
    });
    expect(await act({ action: 'list', path: '.', recursive: true, limit: 2 })).toMatchObject({
      count: 2,
      truncated: true,
    });
    expect(await act({ action: 'info', path: 'd/a.txt' })).toMatchObject({
      kind: 'file',
      bytes: 8,
      mode: expect.stringMatching(/^0\d{3}$/) as string,
    });
    expect(await act({ action: 'exists', path: 'd/a.txt' })).toEqual({
      action: 'exists',
      path: at('d/a.txt'),
      exists: true,
      kind: 'file',
    });
    expect(await act({ action: 'exists', path: 'nope' })).toEqual({
      action: 'exists',
      path: at('nope'),
      exists: false,
    });
    expect(await failureOf(act({ action: 'info', path: 'nope' }))).toMatch(/^not_found: /);
  });

  it('[N06] moves, copies, deletes to the trash and restores', async () => {
    world.put('workspace/a.txt', 'a');
    expect(await act({ action: 'copy', path: 'a.txt', destination: 'b.txt' })).toEqual({
      action: 'copy',
      path: at('a.txt'),
      destination: at('b.txt'),
    });
    expect(await act({ action: 'move', path: 'b.txt', destination: 'sub/c.txt' })).toEqual({
      action: 'move',
      path: at('b.txt'),
      destination: at('sub/c.txt'),
    });
    expect(await failureOf(act({ action: 'move', path: 'a.txt', destination: 'sub/c.txt' }))).toMatch(/^conflict: /);
    expect(await failureOf(act({ action: 'delete', path: 'sub' }))).toMatch(/^invalid_input: .*recursive/);
    expect(await act({ action: 'delete', path: 'sub', recursive: true })).toMatchObject({
      path: at('sub'),
      trash_id: expect.any(String) as string,
    });
    expect(existsSync(at('sub'))).toBe(false);
    expect(await act({ action: 'restore', path: 'sub' })).toEqual({ action: 'restore', path: at('sub') });
    expect(readFileSync(at('sub/c.txt'), 'utf8')).toBe('a');
  });

  it('[N06] compares files, and a file with a text', async () => {
    world.put('workspace/a.txt', 'one\ntwo\n');
    world.put('workspace/b.txt', 'one\n2\n');
    expect(await act({ action: 'diff', path: 'a.txt', destination: 'b.txt' })).toEqual({
      action: 'diff',
      path: at('a.txt'),
      destination: at('b.txt'),
      added: 1,
      removed: 1,
      diff: '@@ -1,2 +1,2 @@\n one\n-two\n+2',
    });
    expect(await act({ action: 'diff', path: 'a.txt', content: 'one\ntwo\n' })).toMatchObject({
      added: 0,
      removed: 0,
      diff: '',
    });
  });

  it('[N06] an action outside the allowed paths is denied', async () => {
    for (const action of ['read', 'list', 'info', 'exists'] as const)
      expect(
        await failureOf(world.call(filesystem, { action, path: '../outside/secret.txt' }, { grantsNothing: true })),
        action,
      ).toMatch(/^denied: /);
    for (const action of ['write', 'append', 'mkdir', 'delete', 'restore'] as const)
      expect(
        await failureOf(world.call(filesystem, { action, path: '../outside/x', content: '' }, { grantsNothing: true })),
        action,
      ).toMatch(/^denied: /);
    for (const action of ['move', 'copy', 'diff'] as const)
      expect(
        await failureOf(
          world.call(filesystem, { action, path: '../outside/secret.txt', destination: 'x' }, { grantsNothing: true }),
        ),
        action,
      ).toMatch(/^denied: /);
  });

  it('declares each path with the mode that the action needs', () => {
    const declared = (action: string, destination?: string) =>
      filesystem
        .access(filesystem.input.parse({ action, path: 'p', ...(destination && { destination }) }))
        .map((access) => access.kind === 'path' && `${access.mode} ${access.path}`);
    expect(declared('read')).toEqual(['read p']);
    expect(declared('delete')).toEqual(['delete p']);
    expect(declared('append')).toEqual(['write p']);
    expect(declared('move', 'q')).toEqual(['delete p', 'write q']);
    expect(declared('copy', 'q')).toEqual(['read p', 'write q']);
    expect(declared('diff', 'q')).toEqual(['read p', 'read q']);
    expect(declared('move')).toEqual(['delete p']);
  });

  it('says what an action lacks', async () => {
    expect(await failureOf(act({ action: 'move', path: 'a' }))).toMatch(/^invalid_input: move needs destination/);
    expect(await failureOf(act({ action: 'write', path: 'a' }))).toMatch(/^invalid_input: write needs content/);
    expect(await failureOf(act({ action: 'diff', path: 'a' }))).toMatch(/^invalid_input: diff needs/);
  });

  it('shows what write and append would change', async () => {
    world.put('workspace/a.txt', 'one\n');
    expect(await world.preview(filesystem, { action: 'append', path: 'a.txt', content: 'two\n' })).toMatchObject({
      kind: 'diff',
      added: 1,
      removed: 0,
    });
    expect(await world.preview(filesystem, { action: 'write', path: 'a.txt', content: 'two\n' })).toMatchObject({
      kind: 'diff',
      added: 1,
      removed: 1,
    });
    expect(await world.preview(filesystem, { action: 'read', path: 'a.txt' })).toBeUndefined();
  });
});
