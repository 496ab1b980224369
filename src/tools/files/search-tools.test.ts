import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileWorld, failureOf, type FileWorld } from '../../../test/kit/file-world.ts';
import findFiles from './find-files.ts';
import glob from './glob.ts';
import grep from './grep.ts';
import searchInFiles from './search-in-files.ts';

let world: FileWorld;
beforeEach(() => {
  world = createFileWorld();
  world.put('workspace/main.go', 'func foo() {\n}\n');
  world.put('workspace/pkg/foo.go', 'package foo\n// Foo\n');
  world.put('workspace/docs/a.md', 'Foo and foo\n');
});
afterEach(() => world.remove());
const at = (name: string): string => join(world.workspace, name);

describe('glob', () => {
  it('[E10] gives pattern, base, absolute files and their number', async () => {
    expect((await world.call(glob, { pattern: '*.go' })).data).toEqual({
      pattern: '*.go',
      base_path: world.workspace,
      files: [at('main.go'), at('pkg/foo.go')],
      count: 2,
    });
    expect((await world.call(glob, { pattern: '**/*.md', path: 'docs' })).data).toEqual({
      pattern: '**/*.md',
      base_path: at('docs'),
      files: [at('docs/a.md')],
      count: 1,
    });
    expect((await world.call(glob, { pattern: 'nothing*' })).data).toEqual({
      pattern: 'nothing*',
      base_path: world.workspace,
      files: [],
      count: 0,
    });
  });

  it('takes a whole path as the pattern, and declares the folder it names', async () => {
    expect((await world.call(glob, { pattern: `${world.workspace}/pkg/*.go` })).data).toMatchObject({
      base_path: at('pkg'),
      files: [at('pkg/foo.go')],
    });
    expect(glob.access({ pattern: '/etc/*.conf', path: '.' })).toEqual([{ kind: 'path', path: '/etc', mode: 'read' }]);
    expect(await failureOf(world.call(glob, { pattern: `${world.userHome}/.ssh/*` }))).toMatch(/^denied: /);
  });

  it('[E11] gives the first 1000 of 1200 and says so', async () => {
    for (let index = 0; index < 1200; index += 1) world.put(`workspace/many/${index}.txt`, 'needle\n');
    const result = await world.call(glob, { pattern: 'many/*.txt' });
    expect([result.data?.['count'], result.data?.['truncated'], result.truncated]).toEqual([1000, true, true]);
    expect((await world.call(grep, { pattern: 'needle' })).data).toMatchObject({ count: 1000, truncated: true });
    expect((await world.call(grep, { pattern: 'needle', output_mode: 'file' })).data).toMatchObject({
      count: 1000,
      truncated: true,
    });
  });
});

describe('grep', () => {
  it('[E13] gives lines, or files', async () => {
    expect((await world.call(grep, { pattern: 'func \\w+\\(\\) {' })).data).toEqual({
      pattern: 'func \\w+\\(\\) {',
      base_path: world.workspace,
      output_mode: 'content',
      matches: [{ file: at('main.go'), line_number: 1, line: 'func foo() {' }],
      count: 1,
    });
    expect((await world.call(grep, { pattern: '(?i)foo', output_mode: 'file', include: '*.go' })).data).toEqual({
      pattern: '(?i)foo',
      base_path: world.workspace,
      output_mode: 'file',
      files: [at('main.go'), at('pkg/foo.go')],
      count: 2,
    });
    expect((await world.call(grep, { pattern: 'absent' })).data).toEqual({
      pattern: 'absent',
      base_path: world.workspace,
      output_mode: 'content',
      matches: [],
      count: 0,
    });
  });

  it('reads well: each file once, with its lines below', async () => {
    expect((await world.call(grep, { pattern: 'Foo|foo', path: 'pkg' })).text).toBe(
      `${at('pkg/foo.go')}\n  1: package foo\n  2: // Foo`,
    );
  });

  it('[E12] says why a pattern is none', async () => {
    expect(await failureOf(world.call(grep, { pattern: '(' }))).toMatch(/^invalid_input: [\s\S]*unclosed group/);
  });
});

describe('search_in_files', () => {
  it('[L01] gives path, line number and snippet, and whether it was cut', async () => {
    expect((await world.call(searchInFiles, { query: 'FOO', file_pattern: '*.{md,go}', path: 'pkg' })).data).toEqual({
      results: [
        { path: at('pkg/foo.go'), line_number: 1, snippet: 'package foo' },
        { path: at('pkg/foo.go'), line_number: 2, snippet: '// Foo' },
      ],
      truncated: false,
      backend: 'rg',
    });
    expect((await world.call(searchInFiles, { query: 'FOO', case_sensitive: true })).data).toMatchObject({
      results: [],
      truncated: false,
    });
    const cut = await world.call(searchInFiles, { query: 'foo', max_results: 2 });
    expect([(cut.data?.['results'] as unknown[]).length, cut.data?.['truncated'], cut.truncated]).toEqual([
      2,
      true,
      true,
    ]);
    world.put('workspace/many.txt', 'needle\n'.repeat(100));
    expect((await world.call(searchInFiles, { query: 'needle' })).data).toMatchObject({
      truncated: true,
      results: { length: 30 },
    });
  });

  it('takes the query as text', async () => {
    expect((await world.call(searchInFiles, { query: 'foo() {' })).data).toMatchObject({
      results: [{ path: at('main.go') }],
    });
  });
});

describe('find_files', () => {
  it('[L15] finds by part of a name and by glob, hidden ones only when asked to', async () => {
    world.put('workspace/.hidden/foo.txt', '');
    expect((await world.call(findFiles, { pattern: 'FOO' })).data).toMatchObject({
      results: [{ path: at('pkg/foo.go') }],
      truncated: false,
    });
    expect((await world.call(findFiles, { pattern: 'foo*', include_hidden: true, max_results: 1 })).data).toMatchObject(
      { results: [{ path: at('.hidden/foo.txt') }], truncated: true },
    );
    expect((await world.call(findFiles, { pattern: 'absent' })).text).toMatch(/^No file below/);
  });

  it('[L02] its text is one file per line', async () => {
    expect((await world.call(findFiles, { pattern: '*.go' })).text.split('\n').slice(0, 2)).toEqual([
      at('main.go'),
      at('pkg/foo.go'),
    ]);
  });
});
