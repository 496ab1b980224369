import { chmod, copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type ProgramEnd, runProgram } from '../kit/run-program.ts';
import { createTemporaryTree } from '../kit/temporary-tree.ts';

const root = path.join(import.meta.dirname, '../..');
const ownNode = `node_modules/node-linux-${process.arch}/bin/node`;

/** An installed package in `tree/<place>`, whose program prints its arguments and the Node that runs it. */
async function installPackage(place: string): Promise<string> {
  const tree = await createTemporaryTree({
    [`${place}/package.json`]: '{"type":"module"}',
    [`${place}/dist/main.js`]: 'console.log(JSON.stringify(process.argv.slice(2)), process.execPath);',
  });
  await mkdir(path.join(tree, place, 'bin'));
  for (const name of ['handrail', 'choose-node.sh']) {
    await copyFile(path.join(root, 'bin', name), path.join(tree, place, 'bin', name));
  }
  return tree;
}

async function linkNode(folder: string): Promise<string> {
  const node = path.join(folder, ownNode);
  await mkdir(path.dirname(node), { recursive: true });
  await copyFile(process.execPath, node);
  return node;
}

/** A program called `node` that says it is of some version. */
async function fakeNode(version: string): Promise<string> {
  const folder = await createTemporaryTree({ node: `#!/bin/sh\n[ "$1" = -p ] && echo ${version} || echo "fake $2"\n` });
  await chmod(path.join(folder, 'node'), 0o755);
  return folder;
}

const start = (
  program: string,
  given: readonly string[],
  env: NodeJS.ProcessEnv = {},
  cwd = '/',
): Promise<ProgramEnd> => runProgram(program, given, { env, cwd });

test('the package’s own Node runs it, with nothing on the PATH', async () => {
  const tree = await installPackage('a folder');
  const node = await linkNode(path.join(tree, 'a folder'));
  const end = await start(path.join(tree, 'a folder/bin/handrail'), ['ask', 'two words', '', '$x "y"'], {
    PATH: '/nowhere',
  });
  expect(end).toEqual({
    code: 0,
    stdout: `${JSON.stringify(['ask', 'two words', '', '$x "y"'])} ${node}\n`,
    stderr: '',
  });
});

test('a Node that npm put beside the package is found, through the link that npm makes', async () => {
  const tree = await installPackage('node_modules/handrail');
  const node = await linkNode(tree);
  await mkdir(path.join(tree, 'node_modules/.bin'));
  await symlink('../handrail/bin/handrail', path.join(tree, 'node_modules/.bin/handrail'));
  for (const [program, cwd] of [
    [path.join(tree, 'node_modules/.bin/handrail'), '/'],
    ['./node_modules/.bin/handrail', tree],
    ['../handrail/bin/handrail', path.join(tree, 'node_modules/.bin')],
  ] as const) {
    expect(await start(program, ['x'], { PATH: '/nowhere' }, cwd)).toEqual({
      code: 0,
      stdout: `["x"] ${node}\n`,
      stderr: '',
    });
  }
});

test('a link to the folder of the program, a chain of links, and a shell that is given its name all lead to it', async () => {
  const tree = await installPackage('real');
  const node = await linkNode(path.join(tree, 'real'));
  await symlink(path.join(tree, 'real/bin'), path.join(tree, 'bin'));
  await symlink('bin/handrail', path.join(tree, 'first'));
  await symlink('first', path.join(tree, 'second'));
  for (const program of ['bin/handrail', 'second']) {
    expect((await start(path.join(tree, program), ['x'])).stdout).toBe(`["x"] ${node}\n`);
  }
  expect((await start('/bin/sh', ['handrail', 'x'], {}, path.join(tree, 'real/bin'))).stdout).toBe(`["x"] ${node}\n`);
});

test('without a Node of its own it takes one from the PATH that is new enough', async () => {
  const tree = await installPackage('a');
  const end = await start(path.join(tree, 'a/bin/handrail'), ['x'], { PATH: await fakeNode('24.15.0') });
  expect(end).toMatchObject({ code: 0, stdout: 'fake x\n' });
  for (const version of ['25.0.0', '30.1.2']) {
    expect((await start(path.join(tree, 'a/bin/handrail'), ['x'], { PATH: await fakeNode(version) })).code).toBe(0);
  }
});

test('a Node that is too old, or none, is said in one line with what mends it', async () => {
  const tree = await installPackage('a');
  for (const folder of [await fakeNode('24.14.9'), await fakeNode('20.20.2'), '/nowhere']) {
    const end = await start(path.join(tree, 'a/bin/handrail'), ['x'], { PATH: folder });
    expect(end).toMatchObject({ code: 1, stdout: '' });
    expect(end.stderr).toMatch(/^handrail: Node 24\.15 or newer is missing\. .*npm install --include=optional\n$/);
  }
});

test('standard input and the exit code are the program’s own', async () => {
  const tree = await installPackage('a');
  await linkNode(path.join(tree, 'a'));
  await writeFile(path.join(tree, 'a/dist/main.js'), 'process.stdin.pipe(process.stdout); process.exitCode = 7;');
  const end = await runProgram(path.join(tree, 'a/bin/handrail'), [], { input: 'piped', env: {} });
  expect(end).toEqual({ code: 7, stdout: 'piped', stderr: '' });
});
