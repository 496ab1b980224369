import { expect, test } from 'vitest';
import { createTemporaryTree } from '../../test/kit/temporary-tree.ts';
import { checkSizes, type SizeExceptions } from './check-sizes.ts';
import { readSourceFiles } from './source-files.ts';

const lines = (count: number): string => '// line\n'.repeat(count);
const body = (count: number): string => '  work();\n'.repeat(count);

async function problemsOf(files: Readonly<Record<string, string>>, exceptions: SizeExceptions = {}): Promise<string[]> {
  const found = checkSizes(await readSourceFiles(await createTemporaryTree(files)), exceptions);
  return found.map(({ file, line, text }) => `${file}:${line} ${text}`);
}

test('300 lines of source, 400 of a test, 150 of main and 60 of a function are let through, one more is not', async () => {
  const longest = (more: number): Readonly<Record<string, string>> => ({
    'src/base/a.ts': lines(300 + more),
    'src/base/a.test.ts': lines(400 + more),
    'src/main.ts': lines(150 + more),
    'src/base/b.ts': `function f() {\n${body(58 + more)}}\n`,
  });
  expect(await problemsOf(longest(0))).toEqual([]);
  expect(await problemsOf(longest(1))).toEqual([
    'src/base/a.test.ts:0 401 lines, at most 400',
    'src/base/a.ts:0 301 lines, at most 300',
    'src/base/b.ts:1 a function of 61 lines, at most 60',
    'src/main.ts:0 151 lines, at most 150',
  ]);
});

test('a maker counts without the functions that it returns, any other function counts whole', async () => {
  const text = (name: string): string =>
    `function ${name}() {\n  return { a() {\n${body(40)}}, b: () => {\n${body(40)}} };\n}\n`;
  expect(await problemsOf({ 'src/base/a.ts': text('createX') })).toEqual([]);
  expect(await problemsOf({ 'src/base/a.ts': text('runX') })).toEqual([
    expect.stringMatching(/a function of 85 lines/),
  ]);
  const long = `function createX() {\n${body(60)}  return () => 1;\n}\n`;
  expect(await problemsOf({ 'src/base/a.ts': long })).toEqual([expect.stringMatching(/a function of 6\d lines/)]);
});

test('an exception holds its file at its length: it may not grow, and a shorter file lowers it', async () => {
  const exceptions = { 'src/base/a.ts': { lines: 310, reason: 'one table' } };
  expect(await problemsOf({ 'src/base/a.ts': lines(310) }, exceptions)).toEqual([]);
  expect((await problemsOf({ 'src/base/a.ts': lines(311) }, exceptions)).join()).toMatch(/may only shrink/);
  expect((await problemsOf({ 'src/base/a.ts': lines(309) }, exceptions)).join()).toMatch(/shrank to 309/);
  expect((await problemsOf({ 'src/base/b.ts': '' }, exceptions)).join()).toMatch(/is an exception that is gone/);
  const noReason = { 'src/base/a.ts': { lines: 310, reason: ' ' } };
  expect((await problemsOf({ 'src/base/a.ts': lines(310) }, noReason)).join()).toMatch(/needs a reason/);
});
