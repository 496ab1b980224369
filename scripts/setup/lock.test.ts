import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runProgram } from '../../test/kit/run-program.ts';
import { createTemporaryTree } from '../../test/kit/temporary-tree.ts';

const lockModule = path.join(import.meta.dirname, 'lock.mjs');

/** A program that takes the lock, writes "in" and "out" into a log around its work, and ends. */
const worker = (folder: string, work: string): string => `
  import { appendFileSync } from 'node:fs';
  import { withLock } from ${JSON.stringify(lockModule)};
  await withLock(${JSON.stringify(path.join(folder, 'lock'))}, async () => {
    appendFileSync(${JSON.stringify(path.join(folder, 'log'))}, 'in\\n');
    ${work}
    appendFileSync(${JSON.stringify(path.join(folder, 'log'))}, 'out\\n');
  });`;

const runWorker = (folder: string, work = ''): Promise<{ readonly code: number | null; readonly stderr: string }> =>
  runProgram(process.execPath, ['--input-type=module', '-e', worker(folder, work)]);

const turns = async (folder: string): Promise<string> =>
  (await readFile(path.join(folder, 'log'), 'utf8')).replaceAll('\n', ' ').trim();

test('only one works at a time, and each gets its turn', async () => {
  const folder = await createTemporaryTree();
  const ends = await Promise.all([1, 2, 3, 4, 5].map(() => runWorker(folder, 'await new Promise(setImmediate);')));
  expect(ends.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
  expect(await turns(folder)).toBe('in out in out in out in out in out');
  expect((await readdir(folder)).toSorted()).toEqual(['log']);
});

test('without the lock the same programs work at the same time', async () => {
  const folder = await createTemporaryTree();
  const log = JSON.stringify(path.join(folder, 'log'));
  const unguarded = worker(
    folder,
    `while (readFileSync(${log}, 'utf8').split('in').length < 3) await new Promise(setImmediate);`,
  )
    .replace('import { appendFileSync }', 'import { appendFileSync, readFileSync }')
    .replace(/import \{ withLock \}.*/, 'const withLock = (file, work) => work();');
  await Promise.all([1, 2].map(() => runProgram(process.execPath, ['--input-type=module', '-e', unguarded])));
  expect(await turns(folder)).toBe('in in out out');
});

test('the lock of a killed owner is broken, by one of many only', async () => {
  const folder = await createTemporaryTree();
  const owner = spawn(process.execPath, [
    '--input-type=module',
    '-e',
    worker(folder, 'console.log(1); await new Promise((r) => setTimeout(r, 1e9));'),
  ]);
  await once(owner.stdout, 'data');
  owner.kill('SIGKILL');
  await once(owner, 'exit');
  expect(await readdir(folder)).toContain('lock');
  await Promise.all([1, 2, 3, 4].map(() => runWorker(folder)));
  expect(await turns(folder)).toBe('in in out in out in out in out');
  expect((await readdir(folder)).toSorted()).toEqual(['log']);
});

test('a process that has got the number of the dead owner does not keep the lock', async () => {
  const folder = await createTemporaryTree();
  await writeFile(path.join(folder, 'lock'), `${process.pid} 1 some-token`);
  await runWorker(folder);
  expect(await turns(folder)).toBe('in out');
});

test('a lock that was cut off in the middle is broken', async () => {
  const folder = await createTemporaryTree({ lock: '' });
  await runWorker(folder);
  expect(await turns(folder)).toBe('in out');
});

test('work that fails releases the lock', async () => {
  const folder = await createTemporaryTree();
  expect((await runWorker(folder, 'throw new Error("no");')).code).toBe(1);
  await runWorker(folder);
  expect(await turns(folder)).toBe('in in out');
});
