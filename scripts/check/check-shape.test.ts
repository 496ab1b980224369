import { expect, test } from 'vitest';
import { createTemporaryTree } from '../../test/kit/temporary-tree.ts';
import { checkShape } from './check-shape.ts';
import { readSourceFiles } from './source-files.ts';

async function problemsOf(name: string, text: string): Promise<string[]> {
  const files = await readSourceFiles(await createTemporaryTree({ [name]: text }));
  return checkShape(files).map((problem) => `${problem.line} ${problem.text}`);
}

const owns = '/** Owns nothing. */\n';

test('declarations, constants and makers are let through', async () => {
  const text = `${owns}import { a } from './a.ts';
export const words = new Set(['a']);
const pattern = /x/;
export type T = string;
export function createX() { let count = 0; const seen = new Map(); return () => [a, pattern, seen, count++]; }
`;
  expect(await problemsOf('src/base/a.ts', text)).toEqual([]);
});

test.each([
  ["export { a } from './a.ts';", /no re-exports/],
  ["export * from './a.ts';", /no re-exports/],
  ['export default 1;', /only a tool/],
  ['let count = 0;', /no module-level variable/],
  ['export let count = 0;', /no module-level variable/],
  ['const seen = new Map();', /empty container/],
  ['export const seen = new WeakSet();', /empty container/],
  ['start();', /no work/],
  ['const a = await start();', /no work/],
  ['if (process.env.A) start();', /no work/],
  ['export const here = () => import.meta.dirname;', /import\.meta is for main\.ts/],
])('%s is refused', async (line, reason) => {
  expect(await problemsOf('src/base/a.ts', `${owns}${line}\n`)).toEqual([expect.stringMatching(reason)]);
  expect((await problemsOf('src/base/a.ts', `${owns}${line}\n`))[0]).toMatch(/^2 /);
});

test('a file that does not say what it owns is refused', async () => {
  expect(await problemsOf('src/base/a.ts', 'export const a = 1;\n')).toEqual([expect.stringMatching(/first line/)]);
});

test('a tool has a default export, and main and a program of its own may work', async () => {
  expect(await problemsOf('src/tools/files/look.ts', `${owns}export default {};\n`)).toEqual([]);
  expect(await problemsOf('src/tools/files/_shared.ts', `${owns}export default {};\n`)).toHaveLength(1);
  expect(await problemsOf('src/main.ts', `${owns}if (import.meta.main) start();\n`)).toEqual([]);
  expect(await problemsOf('src/services/watch.process.ts', `${owns}start(import.meta.url);\n`)).toEqual([]);
});
