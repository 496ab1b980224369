import { execFileSync } from 'node:child_process';
import { chmod, copyFile, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createTemporaryTree } from '../test/kit/temporary-tree.ts';

const root = path.join(import.meta.dirname, '..');

/** What `npm start -- …` hands to bin/handrail. */
async function handedOn(...given: readonly string[]): Promise<string[]> {
  const tree = await createTemporaryTree({ 'bin/handrail': '#!/bin/sh\nprintf "<%s>" "$@"\n' });
  await mkdir(path.join(tree, 'scripts'));
  await copyFile(path.join(root, 'scripts/start.sh'), path.join(tree, 'scripts/start.sh'));
  await chmod(path.join(tree, 'bin/handrail'), 0o755);
  const output = execFileSync('sh', [path.join(tree, 'scripts/start.sh'), ...given], { encoding: 'utf8' });
  return [...output.matchAll(/<([^>]*)>/g)].map(([, word = '']) => word).filter((word) => word !== '');
}

const server = ['serve', '--open', '--no-workspace'];

test('without words it is the server, opened on a desktop; its options are its own', async () => {
  expect(await handedOn()).toEqual(server);
  expect(await handedOn('--no-open')).toEqual([...server, '--no-open']);
  expect(await handedOn('--port', '4800')).toEqual([...server, '--port', '4800']);
  expect(await handedOn('--host=::1')).toEqual([...server, '--host=::1']);
  expect(await handedOn('--workspace', '/a b')).toEqual([...server, '--workspace', '/a b']);
});

test('a question is asked, a command and an option are handed on as they are', async () => {
  expect(await handedOn('chat')).toEqual(['chat']);
  expect(await handedOn('--help')).toEqual(['--help']);
  expect(await handedOn('what is here?', 'more words')).toEqual(['ask', 'what is here?', 'more words']);
  expect(await handedOn('hello')).toEqual(['ask', 'hello']);
  expect(await handedOn('--continue')).toEqual(['--continue']);
  expect(await handedOn('run', 'x', '{"a": "b c"}')).toEqual(['run', 'x', '{"a": "b c"}']);
});

test('every command of the command line is known', async () => {
  const commandLine = await readFile(path.join(root, 'src/cli/start.ts'), 'utf8');
  const commands = [...commandLine.matchAll(/program\s*\.command\('([a-z-]+)/g)].map(([, name = '']) => name);
  expect(commands).toContain('doctor');
  for (const command of commands) expect(await handedOn(command)).toEqual([command]);
});
