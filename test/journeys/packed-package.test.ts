import { cp, lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { copyProject } from '../kit/copy-project.ts';
import { type ProgramEnd, runProgram } from '../kit/run-program.ts';
import { createTemporaryTree } from '../kit/temporary-tree.ts';

const root = path.join(import.meta.dirname, '../..');
const minutes = 60_000;
const megabyte = 1_000_000;

/** What a stranger would write. */
const program = `
import { createHandrail, defineTool, ToolFailure, type Handrail } from 'handrail';
import { z } from 'zod';

const shout = defineTool({
  title: 'Shout',
  description: 'Makes a text loud.',
  input: z.strictObject({ text: z.string() }),
  needs: ['clock'],
  access: () => [{ kind: 'none' }],
  effect: 'read',
  summary: ({ text }) => text,
  async run({ text }, { clock }) {
    if (text === '') throw new ToolFailure('invalid_input', 'Say something.');
    return { text: text.toUpperCase() + clock.timeZone().slice(0, 0) };
  },
});

const handrail: Handrail = await createHandrail({ workspace: process.argv[2] as string });
const outcome = await handrail.runTool({ tool: 'read_file', input: { path: 'note.txt' }, origin: 'library', approve: 'none' });
console.log(JSON.stringify({ title: shout.title, tools: (await handrail.listTools()).length, ok: outcome.ok, data: outcome.data }));
await handrail.close();
`;

async function sizeOf(file: string): Promise<number> {
  const info = await lstat(file);
  if (!info.isDirectory()) return info.size;
  const sizes = await Promise.all((await readdir(file)).map((name) => sizeOf(path.join(file, name))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Node, sharp and the keyring come as packages of their own and are not counted. */
async function countedMegabytes(installed: string): Promise<number> {
  const counted = (await readdir(installed)).filter((name) => !/^(node-linux-.*|sharp|@img|@napi-rs)$/.test(name));
  const sizes = await Promise.all(counted.map((name) => sizeOf(path.join(installed, name))));
  return sizes.reduce((sum, size) => sum + size, 0) / megabyte;
}

function expectDone(end: ProgramEnd): ProgramEnd {
  expect(end, end.stderr).toMatchObject({ code: 0 });
  return end;
}

/** Packs the current source and installs it in a folder of its own, as \`npm install handrail\` would. */
async function installPacked(): Promise<string> {
  const clone = await copyProject({ linksPackages: true });
  const project = await createTemporaryTree({ 'package.json': '{"name":"stranger","private":true,"type":"module"}' });
  expectDone(await runProgram('npm', ['pack', '--pack-destination', project, '--loglevel=error'], { cwd: clone }));
  const [packed = ''] = (await readdir(project)).filter((name) => name.endsWith('.tgz'));
  const install = ['install', `./${packed}`, '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  expectDone(await runProgram('npm', install, { cwd: project }));
  return project;
}

test(
  'the packed package, installed elsewhere, is small and gives the command, the library and its types',
  { timeout: 5 * minutes },
  async () => {
    const project = await installPacked();
    const installed = path.join(project, 'node_modules');
    expect(await countedMegabytes(installed)).toBeLessThanOrEqual(120);
    const own = await readdir(path.join(installed, 'handrail'));
    expect(own.toSorted()).toEqual(
      ['CHANGELOG.md', 'LICENSE', 'README.md', 'bin', 'dist', 'package.json'].filter((name) => own.includes(name)),
    );
    expect(own).toEqual(expect.arrayContaining(['LICENSE', 'bin', 'dist']));

    const state = await createTemporaryTree({ 'work/note.txt': 'hello\n' });
    const environment = { PATH: '/usr/bin:/bin', HOME: state, HANDRAIL_HOME: path.join(state, 'state') };
    const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as { version: string };
    const command = path.join(installed, '.bin/handrail');
    expect(expectDone(await runProgram(command, ['--version'], { env: environment })).stdout.trim()).toBe(version);
    const tools = expectDone(await runProgram(command, ['tools', '--json'], { env: environment, cwd: project }));
    const names = (JSON.parse(tools.stdout) as { name: string }[]).map(({ name }) => name);
    expect(names).toContain('read_file');

    await writeFile(path.join(project, 'use.ts'), program);
    const node = path.join(installed, `node-linux-${process.arch}/bin/node`);
    const used = await runProgram(node, ['use.ts', path.join(state, 'work')], { cwd: project, env: environment });
    expect(JSON.parse(expectDone(used).stdout)).toMatchObject({
      title: 'Shout',
      tools: names.length,
      ok: true,
      data: { content: expect.stringContaining('hello') },
    });

    await mkdir(path.join(installed, '@types'), { recursive: true });
    for (const name of ['@types/node', 'undici-types']) {
      await cp(path.join(root, 'node_modules', name), path.join(installed, name), { recursive: true });
    }
    const strict = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--types', 'node', 'use.ts'];
    const typed = await runProgram(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), ...strict], {
      cwd: project,
    });
    expect(typed).toEqual({ code: 0, stdout: '', stderr: '' });
  },
);
