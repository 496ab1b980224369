import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canary, createFileWorld, failureOf, type FileWorld } from '../../../test/kit/file-world.ts';
import { createSearch } from './create-search.ts';
import { createFindBinary, type FindBinary, type SearchProgram } from './find-binary.ts';

const flipper = join(import.meta.dirname, '../../../test/fixtures/files/flip-folder.mjs');
const found = createFindBinary();
const only =
  (...names: readonly SearchProgram[]): FindBinary =>
  (name) =>
    names.includes(name) ? found(name) : Promise.resolve(undefined);

let world: FileWorld;
beforeEach(() => void (world = createFileWorld()));
afterEach(() => world.remove());

const below = (files: readonly string[]): string[] => files.map((file) => file.slice(world.workspace.length + 1));

describe.each([
  ['rg', undefined],
  ['grep', only('grep', 'find')],
] as const)('text search by %s', (backend, findBinary) => {
  const search = async () => {
    if (findBinary === undefined) return (await world.grant()).search;
    return createSearch({ guardFor: world.files.guardFor, findBinary }).forCall({
      callId: 'c',
      conversation: { id: 'c', workspace: world.workspace, isThrowaway: false },
      granted: [],
      signal: new AbortController().signal,
    });
  };

  it('[E13] gives file, line number and line, sorted, and names the program', async () => {
    world.put('workspace/b.txt', 'one\ntwo needle\nthree\nneedle');
    world.put('workspace/a/c.txt', 'needle\r\n');
    world.put('workspace/.hidden/d.txt', 'needle');
    world.put('workspace/.git/e.txt', 'needle');
    const result = await (await search()).grep({ pattern: 'needle', path: '.', limit: 10 });
    expect(result.matches.map(({ file, lineNumber, line }) => [below([file])[0], lineNumber, line])).toEqual([
      ['.hidden/d.txt', 1, 'needle'],
      ['a/c.txt', 1, 'needle'],
      ['b.txt', 2, 'two needle'],
      ['b.txt', 4, 'needle'],
    ]);
    expect([result.backend, result.truncated, result.basePath]).toEqual([backend, false, world.workspace]);
  });

  it('passes over binary files, reads odd encodings and names, and takes a single file', async () => {
    world.put('workspace/bin', Buffer.from('needle\0\x01'));
    world.put('workspace/latin.txt', Buffer.from([0xff, 0x20, ...Buffer.from('needle')]));
    world.put('workspace/bom.txt', '\ufeffneedle first\nneedle second\n');
    world.put('workspace/new\nline: 1:2.txt', 'needle');
    world.put('workspace/-rf', 'needle');
    writeFileSync(Buffer.concat([Buffer.from(`${world.workspace}/z`), Buffer.from([0xff])]), 'needle');
    const service = await search();
    const { matches } = await service.grep({ pattern: 'needle', path: '.', limit: 10 });
    // To grep, what is not valid in the locale is binary.
    const latin = backend === 'rg' ? ['latin.txt'] : [];
    expect(below(matches.map((match) => match.file))).toEqual([
      '-rf',
      'bom.txt',
      'bom.txt',
      ...latin,
      'new\nline: 1:2.txt',
      'z\ufffd',
    ]);
    if (backend === 'rg') expect(matches[3]?.line).toBe('\ufffd needle');
    const one = await service.grep({ pattern: 'second', path: 'bom.txt', limit: 10 });
    expect([one.basePath, one.matches.length, one.matches[0]?.lineNumber]).toEqual([
      join(world.workspace, 'bom.txt'),
      1,
      2,
    ]);
    expect((await service.grep({ pattern: 'needle', path: '-rf', limit: 10 })).matches).toHaveLength(1);
  });

  it('[E11] stops at the limit and says so; a file is named once where only files are wanted', async () => {
    for (let index = 0; index < 12; index += 1)
      world.put(`workspace/${String(index).padStart(2, '0')}.txt`, 'needle\nneedle\n');
    const service = await search();
    const cut = await service.grep({ pattern: 'needle', path: '.', limit: 5 });
    expect([cut.matches.length, cut.truncated]).toEqual([5, true]);
    if (backend === 'rg')
      expect(below(cut.matches.map((match) => match.file))).toEqual(['00.txt', '00.txt', '01.txt', '01.txt', '02.txt']);
    expect((await service.grep({ pattern: 'needle', path: '.', limit: 24 })).truncated).toBe(false);
    expect((await service.grep({ pattern: 'needle', path: '.', limit: 50, filesOnly: true })).matches).toHaveLength(12);
  });

  it('takes globs for files, text as text, and case as asked', async () => {
    world.put('workspace/src/a.ts', 'Foo(');
    world.put('workspace/src/a.js', 'Foo(');
    world.put('workspace/b.ts', 'foo(');
    const service = await search();
    const names = async (request: object): Promise<string[]> =>
      below(
        (await service.grep({ pattern: 'foo(', path: '.', limit: 9, isLiteral: true, ...request })).matches.map(
          (match) => match.file,
        ),
      );
    expect(await names({})).toEqual(['b.ts']);
    expect(await names({ ignoreCase: true })).toEqual(['b.ts', 'src/a.js', 'src/a.ts']);
    expect(await names({ ignoreCase: true, include: '*.ts' })).toEqual(['b.ts', 'src/a.ts']);
    expect(await names({ ignoreCase: true, include: 'src/**/*.{ts,tsx}' })).toEqual(['src/a.ts']);
  });

  it('[E12] a hostile pattern or line costs no time, and what is no pattern says why', async () => {
    world.put('workspace/long.txt', `${'a'.repeat(100_000)}!`);
    const service = await search();
    const started = performance.now();
    expect((await service.grep({ pattern: '(a+)+$', path: '.', limit: 5 })).matches).toEqual([]);
    expect(performance.now() - started).toBeLessThan(5_000);
    const [long] = (await service.grep({ pattern: '^a+', path: '.', limit: 5 })).matches;
    expect(long?.line).toMatch(/^a{2000} \.\.\. \[line cut after 2000 characters\]$/);
    expect(await failureOf(service.grep({ pattern: '(a', path: '.', limit: 5 }))).toMatch(
      /^invalid_input: .*no valid regular expression[\s\S]*[Uu]n/,
    );
    for (const pattern of ['', 'a\nb'])
      expect(await failureOf(service.grep({ pattern, path: '.', limit: 5 }))).toMatch(/^invalid_input: /);
  });

  it('[A20] follows no link, and leaves out what may not be read', async () => {
    symlinkSync(world.outside, join(world.workspace, 'out'));
    symlinkSync(join(world.outside, 'secret.txt'), join(world.workspace, 'file-out'));
    const service = await search();
    expect((await service.grep({ pattern: 'CANARY', path: '.', limit: 5 })).matches).toEqual([]);
    expect(await failureOf(service.grep({ pattern: 'CANARY', path: 'out', limit: 5 }))).toMatch(/^denied: /);
    expect(await failureOf(service.grep({ pattern: 'CANARY', path: '../user/.ssh', limit: 5 }))).toMatch(/^denied: /);
    expect(await failureOf(service.grep({ pattern: 'x', path: '/sys', limit: 5 }))).toMatch(
      /^(?:denied|invalid_input): /,
    );
    expect(await failureOf(service.grep({ pattern: 'x', path: 'nothing', limit: 5 }))).toMatch(/^not_found: /);
  });
});

describe('text search', () => {
  it('[A20] below a granted folder, credentials and our state are left out', async () => {
    world.put('user/notes.txt', canary);
    const { search } = await world.grant([{ kind: 'path', path: '..', mode: 'read' }]);
    const { matches } = await search.grep({ pattern: 'CANARY', path: '..', limit: 50 });
    expect(matches.map((match) => match.file.slice(world.root.length))).toEqual([
      '/outside/secret.txt',
      '/user/notes.txt',
    ]);
  });

  it('[L16] leaves out what .gitignore names when asked to, in a repository and without one, but not for a `*` far above', async () => {
    world.put('workspace/.gitignore', 'dist/\n*.log\n');
    for (const name of ['dist/a.txt', 'b.log', 'c.txt', 'sub/d.txt']) world.put(`workspace/${name}`, 'needle');
    writeFileSync(join(world.root, '.gitignore'), '*');
    const names = async (path = '.'): Promise<string[]> =>
      below(
        (
          await (await world.grant()).search.grep({ pattern: 'needle', path, limit: 9, honourIgnoreFiles: true })
        ).matches.map((match) => match.file),
      );
    expect(await names()).toEqual(['c.txt', 'sub/d.txt']);
    mkdirSync(join(world.workspace, '.git'));
    expect(await names()).toEqual(['c.txt', 'sub/d.txt']);
    expect(await names('sub')).toEqual(['sub/d.txt']);
    expect(await names('dist')).toEqual(['dist/a.txt']);
  });

  it('says what is missing when neither program is there, or when grep cannot do it', async () => {
    const none = createFileWorld({ findBinary: only() });
    const plain = createFileWorld({ findBinary: only('grep') });
    try {
      expect(await failureOf((await none.grant()).search.grep({ pattern: 'x', path: '.', limit: 1 }))).toMatch(
        /^unavailable: .*apt-get install ripgrep/,
      );
      expect(await failureOf((await none.grant()).search.glob({ pattern: '*', path: '.', limit: 1 }))).toMatch(
        /^unavailable: /,
      );
      expect(
        await failureOf(
          (await none.grant()).search.findByName({ pattern: 'x', path: '.', limit: 1, includeHidden: false }),
        ),
      ).toMatch(/^unavailable: /);
      expect(
        await failureOf((await plain.grant()).search.grep({ pattern: '\\p{Greek}', path: '.', limit: 1 })),
      ).toMatch(/^unavailable: .*ripgrep/);
    } finally {
      none.remove();
      plain.remove();
    }
  });

  it('ends its program when the call is stopped', async () => {
    for (let index = 0; index < 200; index += 1) world.put(`workspace/${index}.txt`, 'x\n'.repeat(50_000));
    const stop = new AbortController();
    const { search } = await world.grant([], stop.signal);
    const running = search.grep({ pattern: 'never-there', path: '.', limit: 5 });
    setImmediate(() => stop.abort(Object.assign(new Error('stopped'), { code: 'cancelled' })));
    expect(await failureOf(running)).toBe('cancelled: stopped');
  });

  it('[A20] a folder that becomes a link while the program walks leaks nothing; without the second reading it does', async () => {
    const unguarded = createFileWorld({
      searchParts: { makeConfirmer: () => ({ close: () => undefined, confirm: (_path, hit) => hit.line }) },
    });
    for (const each of [world, unguarded]) {
      for (let index = 0; index < 40; index += 1) each.put(`outside/f${index}.txt`, canary);
      for (let index = 0; index < 40; index += 1) each.put(`workspace/flip/f${index}.txt`, 'CANARY? no, inside');
    }
    const leaksOf = async (each: FileWorld, rounds: number): Promise<number> => {
      const child = fork(flipper, [each.workspace, each.outside], {
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        execArgv: [],
      });
      try {
        await once(child, 'message');
        const { search } = await each.grant();
        for (let round = 0; round < rounds; round += 1) {
          const { matches } = await search.grep({ pattern: 'CANARY', path: '.', limit: 500 });
          const leaks = matches.filter((match) => match.line.includes(canary)).length;
          if (leaks > 0) return leaks;
        }
        return 0;
      } finally {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
    };
    try {
      expect(await leaksOf(world, 150)).toBe(0);
      expect(await leaksOf(unguarded, 5_000)).toBeGreaterThan(0);
    } finally {
      unguarded.remove();
    }
  }, 120_000);
});

describe.each([
  ['rg', only('rg')],
  ['find', only('find')],
] as const)('glob by %s', (_, findBinary) => {
  let each: FileWorld;
  beforeEach(() => void (each = createFileWorld({ findBinary })));
  afterEach(() => each.remove());
  const glob = async (pattern: string, path = '.', limit = 1000) =>
    (await each.grant()).search.glob({ pattern, path, limit });
  const names = async (pattern: string, path = '.'): Promise<string[]> =>
    (await glob(pattern, path)).files.map((file) => file.slice(each.workspace.length + 1));

  it('[E10] matches names at any depth, paths from the base, dots too, and never .git', async () => {
    for (const name of [
      'main.go',
      'pkg/foo.go',
      'a.md',
      'docs/b.md',
      'docs/deep/c.md',
      '.github/d.md',
      '.git/e.md',
      'src/{x}.ts',
      'src/y.tsx',
    ])
      each.put(`workspace/${name}`, '');
    expect(await names('*.go')).toEqual(['main.go', 'pkg/foo.go']);
    expect(await names('**/*.md')).toEqual(['.github/d.md', 'a.md', 'docs/b.md', 'docs/deep/c.md']);
    expect(await names('docs/*.md')).toEqual(['docs/b.md']);
    expect(await names('./docs/**')).toEqual(['docs/b.md', 'docs/deep/c.md']);
    expect(await names('docs/')).toEqual(['docs/b.md', 'docs/deep/c.md']);
    expect(await names('docs/b.md')).toEqual(['docs/b.md']);
    expect(await names('src/*.{ts,tsx}')).toEqual(['src/y.tsx', 'src/{x}.ts']);
    expect(await names('b.md', 'docs')).toEqual(['docs/b.md']);
    expect(await names('nowhere/**')).toEqual([]);
    expect(await failureOf(glob('../**'))).toMatch(/^invalid_input: .*below path/);
    expect(await failureOf(glob('*', 'a.md'))).toMatch(/^invalid_input: .*is a file/);
    expect(await failureOf(glob('*', 'missing'))).toMatch(/^not_found: /);
  });

  it('[E11] gives the first of too many, in order', async () => {
    for (let index = 0; index < 30; index += 1) each.put(`workspace/${String(index).padStart(2, '0')}.txt`, '');
    const { files, truncated } = await glob('*.txt', '.', 20);
    expect([files.length, truncated, files[19]?.endsWith('/19.txt')]).toEqual([20, true, true]);
    expect((await glob('*.txt', '.', 30)).truncated).toBe(false);
  });

  it('[A20] never follows a link out, not even one named in the pattern', async () => {
    symlinkSync(each.outside, join(each.workspace, 'out'));
    expect(await names('**/*')).toEqual([]);
    expect(await failureOf(glob('out/**'))).toMatch(/^denied: /);
  });
});

describe('glob', () => {
  it('leaves out what .gitignore names, but not a folder that is asked for by name', async () => {
    world.put('workspace/.gitignore', 'node_modules\n');
    mkdirSync(join(world.workspace, '.git'));
    for (const name of ['node_modules/lib/package.json', 'package.json']) world.put(`workspace/${name}`, '{}');
    const { search } = await world.grant();
    expect(below((await search.glob({ pattern: '**/package.json', path: '.', limit: 9 })).files)).toEqual([
      'package.json',
    ]);
    expect(below((await search.glob({ pattern: 'node_modules/*/package.json', path: '.', limit: 9 })).files)).toEqual([
      'node_modules/lib/package.json',
    ]);
  });

  it('a home is shown by its inside name', async () => {
    world.put('state/home/docs/a.md', '');
    expect((await (await world.grant()).search.glob({ pattern: '*.md', path: '~', limit: 9 })).files).toEqual([
      '/home/handrail/docs/a.md',
    ]);
  });
});

describe('finding by name', () => {
  const find = async (
    each: FileWorld,
    pattern: string,
    how: { path?: string; limit?: number; includeHidden?: boolean } = {},
  ) =>
    (await each.grant([{ kind: 'path', path: how.path ?? '.', mode: 'read' }])).search.findByName({
      pattern,
      path: how.path ?? '.',
      limit: how.limit ?? 50,
      includeHidden: how.includeHidden ?? false,
    });

  it('[L15] an index is asked first and believed only where the file is still there; without one find walks', async () => {
    for (const name of ['Report-2026.pdf', 'sub/report.txt', 'gone-report.txt', '.secret/report.md', 'other.txt'])
      world.put(`workspace/${name}`, '');
    world.put('user/.ssh/report.key', canary);
    const database = join(world.root, 'index.db');
    await promisify(execFile)('updatedb', [
      '--require-visibility',
      'no',
      '--database-root',
      world.root,
      '--output',
      database,
      '--prune-bind-mounts',
      'no',
      '--prunepaths',
      '',
    ]);
    unlinkSync(join(world.workspace, 'gone-report.txt'));
    for (const [backend, binaries] of [
      ['plocate', ['plocate', 'locate', 'find']],
      ['locate', ['locate', 'find']],
      ['find', ['find']],
    ] as const) {
      const scope = {
        callId: 'c',
        conversation: { id: 'c', workspace: world.workspace, isThrowaway: false },
        signal: new AbortController().signal,
      };
      const granted = [await world.files.resolve({ kind: 'path', path: '..', mode: 'read' }, scope.conversation)];
      const search = createSearch({
        guardFor: world.files.guardFor,
        findBinary: only(...binaries),
        locateDatabase: database,
      }).forCall({ ...scope, granted });
      const result = await search.findByName({ pattern: 'report', path: '.', limit: 50, includeHidden: false });
      expect([result.backend, below(result.files)]).toEqual([backend, ['Report-2026.pdf', 'sub/report.txt']]);
      const hidden = await search.findByName({ pattern: 'REPORT*', path: '.', limit: 50, includeHidden: true });
      expect(below(hidden.files)).toEqual(['.secret/report.md', 'Report-2026.pdf', 'sub/report.txt']);
      const wide = await search.findByName({ pattern: 'report', path: '..', limit: 50, includeHidden: true });
      expect(wide.files.some((file) => file.includes('.ssh'))).toBe(false);
    }
  });

  it('[L15] an index that knows nothing of the folder, or is not there, makes way for find', async () => {
    world.put('workspace/fresh-file.txt', '');
    const each = createFileWorld({ locateDatabase: join(world.root, 'no-such.db') });
    each.put('workspace/fresh-file.txt', '');
    const result = await find(each, 'fresh');
    each.remove();
    expect([result.backend, result.files.length]).toEqual(['find', 1]);
  });

  it('takes parts of names and globs whatever the case, parts of paths, and stops at the limit', async () => {
    for (const name of ['docs/Invoice 1.PDF', 'docs/invoice2.pdf', 'invoices/x.txt', 'a[b]*.txt'])
      world.put(`workspace/${name}`, '');
    const names = async (pattern: string): Promise<string[]> => below((await find(world, pattern)).files);
    expect(await names('invoice')).toEqual(['docs/Invoice 1.PDF', 'docs/invoice2.pdf']);
    expect(await names('*.pdf')).toEqual(['docs/Invoice 1.PDF', 'docs/invoice2.pdf']);
    expect(await names('invoices/x')).toEqual(['invoices/x.txt']);
    expect(await names('docs/*2*')).toEqual(['docs/invoice2.pdf']);
    expect(await names('*.{pdf,txt}')).toHaveLength(4);
    expect(await names('a[[]b]*')).toEqual(['a[b]*.txt']);
    const cut = await find(world, '*', { limit: 2 });
    expect([cut.files.length, cut.truncated]).toEqual([2, true]);
    rmSync(join(world.workspace, 'docs'), { recursive: true });
    expect(await names('invoice2')).toEqual([]);
    expect(await failureOf(find(world, ''))).toMatch(/^invalid_input: /);
  });
});
