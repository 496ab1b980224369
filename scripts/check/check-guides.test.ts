import { expect, test } from 'vitest';
import { createTemporaryTree } from '../../test/kit/temporary-tree.ts';
import { checkGuides } from './check-guides.ts';
import { readSourceFiles } from './source-files.ts';

async function problemsOf(page: string, name = 'ARCHITECTURE.md'): Promise<string[]> {
  const root = await createTemporaryTree({
    [name]: page,
    'src/base/a.ts': 'export function doIt() {}',
    'README.md': '',
  });
  return checkGuides(await readSourceFiles(root), root).map(({ line, text }) => `${line} ${text}`);
}

test('paths, patterns and functions that exist are let through', async () => {
  expect(
    await problemsOf(
      '`src/base/a.ts` `src/base/` `src/*/a.ts` `doIt()` [r](README.md) `src/tools/<group>/x.ts` `settings.json`',
    ),
  ).toEqual([]);
});

test.each([
  ['see `src/base/b.ts`', /src\/base\/b\.ts does not exist/],
  ['see `src/**/c.ts`', /does not exist/],
  ['see `GUIDE.md`', /GUIDE\.md does not exist/],
  ['call `undoIt(1)`', /undoIt\(1\) is nowhere/],
  ['[here](docs/none.md)', /leads nowhere/],
])('%s is refused', async (line, reason) => {
  expect(await problemsOf(`fine\n${line}\n`)).toEqual([expect.stringMatching(reason)]);
  expect((await problemsOf(`fine\n${line}\n`))[0]).toMatch(/^2 /);
});

test('the rules end at 80 lines', async () => {
  expect(await problemsOf('rule\n'.repeat(80), 'AGENTS.md')).toEqual([]);
  expect(await problemsOf('rule\n'.repeat(81), 'AGENTS.md')).toEqual(['0 81 lines, at most 80']);
});
