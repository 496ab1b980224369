import { expect, test } from 'vitest';
import { createTemporaryTree } from '../../test/kit/temporary-tree.ts';
import { checkNames, type NameExceptions } from './check-names.ts';
import { readSourceFiles } from './source-files.ts';

const tools = {
  'src/tools/files/read-thing.ts':
    "export default { aliases: ['fetch_thing'], description: 'Use dig first.', title: 'read_thing' };",
  'src/tools/files/dig.ts': "export default { description: 'After it use read_thing for the rest.' };",
};

async function problemsOf(files: Readonly<Record<string, string>>, exceptions: NameExceptions = []): Promise<string[]> {
  const found = checkNames(await readSourceFiles(await createTemporaryTree({ ...tools, ...files })), exceptions);
  return found.map(({ file, line, text }) => `${file}:${line} ${text}`);
}

test('a tool may name itself, and another one in its prose', async () => {
  expect(await problemsOf({})).toEqual([]);
});

test.each([
  'utils',
  'string-utils',
  'helpers',
  'common',
  'misc',
  'types',
  'constants',
  'manager',
  'session-manager',
  'index',
])('a file called %s is refused', async (stem) => {
  expect(await problemsOf({ [`src/base/${stem}.ts`]: '' })).toEqual([expect.stringMatching(/names no job/)]);
});

test('file names are kebab-case', async () => {
  const found = await problemsOf({
    'src/base/camelCase.ts': '',
    'src/base/snake_case.ts': '',
    'src/base/good-name.test.ts': '',
  });
  expect(found).toEqual([
    expect.stringMatching(/camelCase.*kebab-case/),
    expect.stringMatching(/snake_case.*kebab-case/),
  ]);
});

test.each([
  "const a = 'read_thing';",
  "const a = 'first read_thing, then';",
  'const a = `call fetch_thing ${b}`;',
  "use('fetch_thing');",
])('%s outside the tool is refused', async (text) => {
  expect(await problemsOf({ 'src/loop/a.ts': `\n${text}` })).toEqual([
    expect.stringMatching(/^src\/loop\/a\.ts:2 (read|fetch)_thing is a tool/),
  ]);
});

test('a longer word that holds a name, a comment and a test are let through', async () => {
  const files = {
    'src/loop/a.ts': "// read_thing\nconst a = 'already_read_thing';",
    'src/loop/a.test.ts': "const a = 'read_thing';",
  };
  expect(await problemsOf(files)).toEqual([]);
});

test('a tool that hands on to another by name is refused', async () => {
  expect(await problemsOf({ 'src/tools/files/other.ts': "run('read_thing');" })).toHaveLength(1);
});

test('a plain word is refused only where it is compared with the name of a call', async () => {
  expect(await problemsOf({ 'src/loop/a.ts': "const a = 'dig'; if (word === 'dig') {}" })).toEqual([]);
  const compared = "if (call.tool === 'dig') {}\nswitch (tool) { case 'dig': }\nif ('dig' !== call.name) {}";
  expect(await problemsOf({ 'src/loop/a.ts': compared })).toHaveLength(3);
});

test('an exception lets a file write a name, and is refused when it is idle or without a reason', async () => {
  const files = { 'src/executor/a.ts': "const a = 'read_thing';" };
  const exception = { file: 'src/executor/a.ts', names: ['read_thing'], reason: 'the cut names it' };
  expect(await problemsOf(files, [exception])).toEqual([]);
  expect((await problemsOf(files, [{ ...exception, names: ['read_thing', 'dig'] }])).join()).toMatch(
    /for dig is not needed/,
  );
  expect((await problemsOf(files, [{ ...exception, reason: '' }])).join()).toMatch(/needs a reason/);
});

test('the host of a registry and the path of a workplace are refused in every file', async () => {
  const host = ['registry', 'npmjs', 'org'].join('.');
  const place = `/${'work'}/main/src`;
  const found = await problemsOf({
    'docs/a.md': `fine\nhttps://${host}/x`,
    'scripts/a.sh': `cd ${place}`,
    'README.md': 'the /workspace/main of it',
  });
  expect(found).toEqual([
    expect.stringMatching(/^docs\/a\.md:2 .*may stand nowhere/),
    expect.stringMatching(/^scripts\/a\.sh:1 /),
  ]);
});
