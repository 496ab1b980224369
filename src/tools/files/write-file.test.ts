import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileWorld, failureOf, type FileWorld } from '../../../test/kit/file-world.ts';
import writeFile from './write-file.ts';

let world: FileWorld;
beforeEach(() => void (world = createFileWorld()));
afterEach(() => world.remove());

describe('write_file', () => {
  it('[E05] makes a nested file, then replaces it', async () => {
    const path = join(world.workspace, 'a/b/c.txt');
    expect((await world.call(writeFile, { path: 'a/b/c.txt', content: 'é' })).data).toEqual({
      path,
      bytes_written: 2,
      created: true,
    });
    const again = await world.call(writeFile, { path: 'a/b/c.txt', content: '' });
    expect([again.data, again.text]).toEqual([
      { path, bytes_written: 0, created: false },
      `Replaced ${path} (0 bytes).`,
    ]);
    expect(readFileSync(path, 'utf8')).toBe('');
  });

  it('[E08] shows its diff before and after, and writes nothing for it', async () => {
    world.put('workspace/a.txt', 'one\ntwo\n');
    const expected = { kind: 'diff', path: join(world.workspace, 'a.txt'), added: 1, removed: 1 };
    expect(await world.preview(writeFile, { path: 'a.txt', content: 'one\n2\n' })).toMatchObject(expected);
    expect(readFileSync(join(world.workspace, 'a.txt'), 'utf8')).toBe('one\ntwo\n');
    expect((await world.call(writeFile, { path: 'a.txt', content: 'one\n2\n' })).view).toMatchObject(expected);
    expect(await world.preview(writeFile, { path: 'new.txt', content: 'x' })).toMatchObject({ added: 1, removed: 0 });
  });

  it('names what cannot be compared', async () => {
    world.put('workspace/image', Buffer.from([0, 1, 2]));
    expect(await world.preview(writeFile, { path: 'image', content: 'text' })).toMatchObject({
      kind: 'text',
      text: expect.stringMatching(/3 bytes, not text/) as string,
    });
    expect((await world.call(writeFile, { path: 'image', content: 'text' })).data).toMatchObject({ created: false });
    expect(await failureOf(world.preview(writeFile, { path: '.', content: 'x' }))).toMatch(/^invalid_input: /);
  });

  it('takes unknown keys for a mistake', () => {
    expect(writeFile.input.safeParse({ path: 'a', content: '', mode: 7 }).success).toBe(false);
  });
});
