import { appendFile, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { copyProject } from '../test/kit/copy-project.ts';
import { type ProgramEnd, runProgram } from '../test/kit/run-program.ts';

/** A clone whose packages are there and whose program says which build it is. */
async function clone(): Promise<string> {
  const folder = await copyProject({ linksPackages: true });
  await say(folder, 'first');
  return folder;
}

const say = (folder: string, word: string): Promise<void> =>
  writeFile(path.join(folder, 'src/main.ts'), `console.log('${word}', process.argv.length);\n`);

const start = (folder: string, env: NodeJS.ProcessEnv = process.env): Promise<ProgramEnd> =>
  runProgram(path.join(folder, 'bin/handrail'), [], { env });

const builtAt = async (folder: string): Promise<number> => (await stat(path.join(folder, 'dist/main.js'))).mtimeMs;

test('a clone is built when it is started, and again when its source has changed', async () => {
  const folder = await clone();
  expect(await start(folder)).toEqual({ code: 0, stdout: 'first 2\n', stderr: '' });
  const first = await builtAt(folder);
  expect((await start(folder)).stdout).toBe('first 2\n');
  expect(await builtAt(folder)).toBe(first);
  await say(folder, 'second');
  expect((await start(folder)).stdout).toBe('second 2\n');
  await rm(path.join(folder, 'dist'), { recursive: true });
  expect((await start(folder)).stdout).toBe('second 2\n');
});

test('a file that was only touched, and a test, do not cause a build', async () => {
  const folder = await clone();
  await start(folder);
  const first = await builtAt(folder);
  const stamp = path.join(folder, 'dist/.stamp');
  const before = (await stat(stamp)).mtimeMs;
  const later = new Date(Date.now() + 5);
  await utimes(path.join(folder, 'src/main.ts'), later, later);
  await writeFile(path.join(folder, 'src/base/new.test.ts'), '');
  await start(folder);
  expect(await builtAt(folder)).toBe(first);
  expect((await stat(stamp)).mtimeMs).toBeGreaterThan(before);
});

test('a source that is gone takes its file in dist with it', async () => {
  const folder = await clone();
  await writeFile(path.join(folder, 'src/extra.process.ts'), 'console.log(1);\n');
  await start(folder);
  expect(await readdir(path.join(folder, 'dist'))).toContain('extra.process.js');
  await rm(path.join(folder, 'src/extra.process.ts'));
  await start(folder);
  expect(await readdir(path.join(folder, 'dist'))).not.toContain('extra.process.js');
});

test('several starts at once build once, and all of them work', async () => {
  const folder = await clone();
  // Every build adds a line.
  await appendFile(
    path.join(folder, 'scripts/build.ts'),
    "\n(await import('node:fs')).appendFileSync('builds', 'x');\n",
  );
  const ends = await Promise.all([1, 2, 3, 4].map(() => start(folder)));
  expect(ends).toEqual(ends.map(() => ({ code: 0, stdout: 'first 2\n', stderr: '' })));
  expect(await readFile(path.join(folder, 'builds'), 'utf8')).toBe('x');
});

test('a failed build says in two lines what failed and where the rest stands, and leaves the old build', async () => {
  const folder = await clone();
  await start(folder);
  await writeFile(path.join(folder, 'src/main.ts'), "import './nowhere.ts';\n");
  const end = await start(folder);
  expect(end).toMatchObject({ code: 1, stdout: '' });
  expect(end.stderr.trim().split('\n')).toEqual([
    expect.stringMatching(/^handrail: the build failed: .*nowhere\.ts/),
    expect.stringMatching(/^The whole output is in .*setup\.log; to see it happen: cd .* && npm run build$/),
  ]);
  expect(await readFile(path.join(folder, '.cache/setup.log'), 'utf8')).toContain('nowhere.ts');
  await say(folder, 'mended');
  expect((await start(folder)).stdout).toBe('mended 2\n');
  expect(await readdir(path.join(folder, '.cache'))).not.toContain('setup.log');
});

test('without packages and without npm it says what to install', async () => {
  const folder = await copyProject({ linksPackages: false });
  const end = await start(folder, { PATH: '/nowhere' });
  expect(end).toMatchObject({ code: 1, stdout: '' });
  expect(end.stderr).toMatch(/^handrail: set-up needs Node 18 or newer with npm on the PATH/);
});

test('an npm that cannot reach its registry is said in two lines, with npm’s own reason', async () => {
  const folder = await copyProject({ linksPackages: false });
  const unreachable = {
    npm_config_registry: 'http://127.0.0.1:9',
    npm_config_fetch_retries: '0',
    npm_config_cache: path.join(folder, 'cache'),
  };
  const end = await start(folder, { ...process.env, ...unreachable });
  expect(end).toMatchObject({ code: 1, stdout: '' });
  expect(end.stderr.trim().split('\n')).toEqual([
    expect.stringMatching(/^handrail: npm ci failed with exit code 1: .*ECONNREFUSED/),
    expect.stringMatching(/setup\.log; to see it happen: cd .* && npm ci$/),
  ]);
});
