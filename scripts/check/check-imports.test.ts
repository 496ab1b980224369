import { expect, test } from 'vitest';
import { createTemporaryTree } from '../../test/kit/temporary-tree.ts';
import { checkImports } from './check-imports.ts';
import { checkStartPath } from './check-start-path.ts';
import { readSourceFiles } from './source-files.ts';

const architecture = `
<!-- imports:start -->
| folder | may import |
|---|---|
| contract | |
| tools | contract |
| services | contract |
| main.ts | * |
<!-- imports:end -->
<!-- packages:start -->
| package | folders | loaded | why |
|---|---|---|---|
| \`zod\` | tools | first use | shapes |
<!-- packages:end -->
`;

/** A tree that breaks nothing. */
const good = {
  'src/contract/tool.ts': "export type Tool = import('node:fs').Stats;",
  'src/tools/files/look.ts': "import { z } from 'zod';\nimport type { Tool } from '../../contract/tool.ts';",
  'src/services/hand.ts': "import { readFile } from 'node:fs/promises';",
  'src/main.ts': "import './services/hand.ts';\nawait import('./tools/files/look.ts');",
};

async function problemsOf(change: Readonly<Record<string, string>>, page = architecture): Promise<string[]> {
  const files = await readSourceFiles(await createTemporaryTree({ ...good, ...change }));
  return checkImports(files, page).map(({ file, line, text }) => `${file}:${line} ${text}`);
}

test('a tree that keeps the table is let through', async () => {
  expect(await problemsOf({})).toEqual([]);
});

test('an import that the table does not allow is named with its line', async () => {
  const found = await problemsOf({ 'src/tools/files/bad.ts': "\nimport { a } from '../../services/hand.ts';" });
  expect(found).toEqual([expect.stringMatching(/^src\/tools\/files\/bad\.ts:2 tools may not import services/)]);
});

test.each([
  ["import type { A } from '../services/hand.ts';", 'a type import'],
  ["export type A = import('../services/hand.ts').A;", 'a type in place'],
  ["export * from '../services/hand.ts';", 'a re-export'],
  ["const a = () => import('../services/hand.ts');", 'a dynamic import'],
])('%s counts (%s)', async (text) => {
  expect(await problemsOf({ 'src/contract/bad.ts': text })).toEqual([
    expect.stringMatching(/contract may not import services/),
  ]);
});

test('the web app may import the types of what its table allows, and nothing that would go into its bundle', async () => {
  const page = architecture.replace('| main.ts |', '| web | contract |\n| main.ts |');
  const problems = (text: string): Promise<string[]> => problemsOf({ 'src/web/page.tsx': text }, page);
  expect(await problems("import type { Tool } from '../contract/tool.ts';")).toEqual([]);
  expect(await problems("import '../contract/tool.ts';")).toEqual([
    'src/web/page.tsx:1 web may import types only: it runs in a browser',
  ]);
});

test('a folder that is not in the table is named', async () => {
  const found = await problemsOf({ 'src/extra/a.ts': "import '../contract/tool.ts';" });
  expect(found).toEqual([expect.stringMatching(/the folder extra is not in the import table/)]);
});

test('an import without its extension, and one that leaves src, are refused', async () => {
  const found = await problemsOf({ 'src/services/bad.ts': "import '../contract/tool';\nimport '../../scripts/x.ts';" });
  expect(found).toEqual([expect.stringMatching(/:1 .*with its extension/), expect.stringMatching(/:2 .*leaves src/)]);
});

test('a package is refused in a folder that does not wrap it, and when it has no row', async () => {
  const found = await problemsOf({ 'src/services/bad.ts': "import 'zod';\nimport '@scope/name/deep';" });
  expect(found).toEqual([
    expect.stringMatching(/:1 services may not import zod; tools wraps it/),
    expect.stringMatching(/:2 the package @scope\/name is not in the table/),
  ]);
});

test('a row for a package that nobody imports is refused', async () => {
  const found = await problemsOf(
    {},
    architecture.replace('| `zod`', '| `left-over` | tools | start | none |\n| `zod`'),
  );
  expect(found).toEqual([expect.stringMatching(/left-over is in the table and imported nowhere/)]);
});

test('a table that lets two folders import each other is refused, also by way of a third', async () => {
  const found = await problemsOf({}, architecture.replace('| contract | |', '| contract | services |'));
  expect(found.join()).toMatch(/lets contract be imported by what it imports.*lets services be/);
});

test('a test may import real parts of any folder', async () => {
  expect(await problemsOf({ 'src/contract/tool.test.ts': "import '../services/hand.ts';\nimport 'vitest';" })).toEqual(
    [],
  );
});

test('a package for first use on the path of a start is named with the way it comes in', async () => {
  const change = {
    'src/services/hand.ts': "import './deep.ts';",
    'src/services/deep.ts': "\nimport { z } from 'zod/v4';",
  };
  const files = await readSourceFiles(await createTemporaryTree({ ...good, ...change }));
  expect(checkStartPath(files, architecture)).toEqual([
    {
      file: 'src/services/deep.ts',
      line: 2,
      text: expect.stringMatching(/main\.ts > services\/hand\.ts > services\/deep\.ts/),
    },
  ]);
  expect(checkStartPath(files, architecture.replace('first use', 'start'))).toEqual([]);
  expect(checkStartPath(await readSourceFiles(await createTemporaryTree(good)), architecture)).toEqual([]);
});
