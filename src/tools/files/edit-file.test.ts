import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileWorld, failureOf, type FileWorld } from '../../../test/kit/file-world.ts';
import editFile from './edit-file.ts';

let world: FileWorld;
beforeEach(() => void (world = createFileWorld()));
afterEach(() => world.remove());
const edit = (oldString: string, newString: string, more: object = {}) =>
  world.call(editFile, { path: 'a.txt', oldString, newString, ...more });
const content = (): string => readFileSync(join(world.workspace, 'a.txt'), 'utf8');

describe('edit_file', () => {
  it('[E06] replaces one exact match and says so', async () => {
    world.put('workspace/a.txt', 'one\ntwo\nthree');
    const { data, view, text } = await edit('two', '$& 2');
    expect(data).toEqual({ success: true, path: join(world.workspace, 'a.txt'), replacementCount: 1 });
    expect(view).toMatchObject({ kind: 'diff', added: 1, removed: 1 });
    expect([text, content()]).toEqual([
      `Replaced one occurrence in ${join(world.workspace, 'a.txt')}.`,
      'one\n$& 2\nthree',
    ]);
  });

  it('[E06] refuses a missing file, a wrong space, nothing and no change, with what to try', async () => {
    expect(await failureOf(edit('a', 'b'))).toMatch(/^not_found: /);
    world.put('workspace/a.txt', '\tindented\n');
    expect(await failureOf(edit('  indented', 'x'))).toMatch(/^invalid_input: .*not found.*white space.*line 1/);
    expect(await failureOf(edit('indentation', 'x'))).toMatch(/^invalid_input: .*nearest is line 1/);
    expect(await failureOf(edit('', 'x'))).toMatch(/^invalid_input: .*write_file/);
    expect(await failureOf(edit('indented', 'indented'))).toMatch(/^invalid_input: .*nothing would change/);
    expect(content()).toBe('\tindented\n');
  });

  it('[E07] several matches are refused with their lines, or all replaced when asked to', async () => {
    world.put('workspace/a.txt', 'x\ny\nx\nz x\n');
    expect(await failureOf(edit('x', 'w'))).toMatch(
      /^invalid_input: .*occurs 3 times.*on lines 1, 3, 4\..*shouldReplaceAll/,
    );
    expect((await edit('x', 'w', { shouldReplaceAll: true })).data).toMatchObject({ replacementCount: 3 });
    expect(content()).toBe('w\ny\nw\nz w\n');
  });

  it('keeps CRLF, mode, byte order mark and the missing last line end', async () => {
    world.put('workspace/a.txt', '\ufeffone\r\ntwo\r\nthree');
    chmodSync(join(world.workspace, 'a.txt'), 0o640);
    await edit('one\ntwo', '1\n2\n2b');
    expect([content(), statSync(join(world.workspace, 'a.txt')).mode & 0o777]).toEqual([
      '\ufeff1\r\n2\r\n2b\r\nthree',
      0o640,
    ]);
  });

  it('[E08] shows its diff before, and its refusal too', async () => {
    world.put('workspace/a.txt', 'one\n');
    expect(await world.preview(editFile, { path: 'a.txt', oldString: 'one', newString: '1' })).toMatchObject({
      kind: 'diff',
      added: 1,
      removed: 1,
    });
    expect(await failureOf(world.preview(editFile, { path: 'a.txt', oldString: 'two', newString: '1' }))).toMatch(
      /^invalid_input: /,
    );
    expect(content()).toBe('one\n');
  });

  it('edits of one response to one file all take hold', async () => {
    world.put('workspace/a.txt', Array.from({ length: 8 }, (_, index) => `<${index}>\n`).join(''));
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, index) => failureOf(edit(`<${index}>`, `[${index}]`))),
    );
    expect(results).toEqual(Array.from({ length: 8 }, () => 'none'));
    expect(content()).toBe(Array.from({ length: 8 }, (_, index) => `[${index}]\n`).join(''));
  });

  it('is quick on a file of nearly 10 MB', async () => {
    world.put('workspace/a.txt', `${'some line of text\n'.repeat(580_000)}unique\n`);
    const started = performance.now();
    expect((await edit('unique', 'changed')).data).toMatchObject({ replacementCount: 1 });
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
