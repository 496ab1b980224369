import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileWorld, failureOf, type FileWorld } from '../../../test/kit/file-world.ts';
import readFile from './read-file.ts';

let world: FileWorld;
beforeEach(() => void (world = createFileWorld()));
afterEach(() => world.remove());
const read = (input: object) => world.call(readFile, input);

describe('read_file', () => {
  it('[E02] gives lines 1 to 2000 of 3000 and names the offset for the rest', async () => {
    const lines = Array.from({ length: 3000 }, (_, index) => `line ${index + 1}\n`);
    world.put('workspace/long.txt', lines.join(''));
    const first = await read({ path: 'long.txt' });
    expect(first.data).toEqual({
      path: join(world.workspace, 'long.txt'),
      content: lines.slice(0, 2000).join(''),
      bytes_read: lines.slice(0, 2000).join('').length,
      next_offset: 2001,
      total_lines: 3000,
    });
    expect(first.text).toMatch(/line 2000\n\[Lines 1 to 2000 of 3000\. Continue with offset 2001\.\]$/);
    expect((await read({ path: 'long.txt', offset: 2001 })).data).toMatchObject({
      content: lines.slice(2000).join(''),
    });
    expect((await read({ path: 'long.txt', offset: 2, limit: 1 })).data).toMatchObject({
      content: 'line 2\n',
      next_offset: 3,
    });
  });

  it.each([
    ['binary', Buffer.from([1, 2, 0, 3]), /^invalid_input: .*binary file/],
    ['image', Buffer.from('89504e470d0a1a0a0000', 'hex'), /^invalid_input: .*a PNG image/],
    ['latin', Buffer.from('caf\xe9', 'latin1'), /^invalid_input: .*not valid UTF-8.*iconv -f LATIN1/],
    ['utf16', Buffer.from('\ufeffhello', 'utf16le'), /^invalid_input: .*UTF-16.*iconv -f UTF-16/],
    ['ten megabytes', Buffer.alloc(10 * 1024 * 1024, 'a'), /^too_large: .*10,485,760.*grep/],
  ])('[E03] %s is refused with its own reason', async (name, content, reason) => {
    world.put(`workspace/${name}`, content);
    expect(await failureOf(read({ path: name }))).toMatch(reason);
  });

  it('[E04] a long file pages to its end without a gap, long lines, CRLF and a missing last line end included', async () => {
    const text = `${'short\r\n'.repeat(30_000)}${'😀x'.repeat(120_000)}\nlast without end`;
    world.put('workspace/big.txt', text);
    let joined = '';
    let next: Record<string, unknown> | undefined = { offset: 1 };
    for (let page = 0; next !== undefined; page += 1) {
      const result = await read({ path: 'big.txt', limit: 20_000, ...next });
      expect(result.text.length).toBeLessThanOrEqual(100_000);
      const data: Record<string, unknown> = result.data ?? {};
      expect(data['bytes_read']).toBe(Buffer.byteLength(String(data['content'])));
      joined += String(data['content']);
      next =
        data['next_offset'] === undefined
          ? undefined
          : {
              offset: data['next_offset'],
              ...(data['next_char_offset'] !== undefined && { char_offset: data['next_char_offset'] }),
            };
      expect(page).toBeLessThan(30);
    }
    expect(joined === text).toBe(true);
  });

  it('exactly 100,000 characters come whole', async () => {
    world.put('workspace/exact.txt', 'x'.repeat(100_000));
    // The executor would cut at 20,000 else.
    expect(readFile.maxChars).toBe(100_000);
    const { data, text } = await read({ path: 'exact.txt' });
    expect([text.length, data?.['next_offset']]).toEqual([100_000, undefined]);
  });

  it('an empty file is said to be empty, and an offset behind the end names the number of lines', async () => {
    world.put('workspace/empty', '');
    world.put('workspace/three', 'a\nb\nc\n');
    const empty = await read({ path: 'empty' });
    expect([empty.text, empty.data]).toEqual([
      '(The file is empty.)',
      { path: join(world.workspace, 'empty'), content: '', bytes_read: 0 },
    ]);
    expect(await failureOf(read({ path: 'three', offset: 4 }))).toMatch(
      /^invalid_input: .*has 3 lines; offset 4 is behind its end/,
    );
    expect(await failureOf(read({ path: 'three', offset: 2, char_offset: 50 }))).toMatch(
      /^invalid_input: .*char_offset/,
    );
    expect((await read({ path: 'three', offset: 3 })).data).toMatchObject({ content: 'c\n' });
  });

  it('what is not a regular file is refused at once', async () => {
    spawnSync('mkfifo', [join(world.workspace, 'pipe')]);
    expect(await failureOf(read({ path: 'pipe' }))).toMatch(/^invalid_input: .*pipe/);
    expect(await failureOf(read({ path: '.' }))).toMatch(/^invalid_input: .*folder/);
    expect(await failureOf(read({ path: 'nothing' }))).toMatch(/^not_found: /);
    expect(await failureOf(world.call(readFile, { path: '/dev/zero' }))).toMatch(/^denied: /);
  });

  it('a face that was granted nothing refuses what lies outside, whatever the tool declares', async () => {
    expect(await failureOf(world.call(readFile, { path: '../outside/secret.txt' }, { grantsNothing: true }))).toMatch(
      /^denied: /,
    );
    expect(await failureOf(world.call(readFile, { path: '../outside/secret.txt' }))).toBe('none');
  });
});
