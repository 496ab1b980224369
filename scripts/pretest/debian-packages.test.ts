import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createTemporaryTree } from '../../test/kit/temporary-tree.ts';
import { missingPackages, packagesFor } from './debian-packages.ts';

test('nothing that the tests need is missing after pretest', () => {
  expect(missingPackages(packagesFor)).toEqual([]);
});

test('a package is missing when none of its programs is there, wherever Debian puts them', async () => {
  const folder = await createTemporaryTree({ 'lib/15/bin/tool': '' });
  const pattern = path.join(folder, 'lib/*/bin/tool');
  expect(missingPackages({ one: ['sh', 'no-such-program'], two: ['no-such-program'], three: [pattern] })).toEqual([
    'two',
    'three',
  ]);
  spawnSync('chmod', ['+x', path.join(folder, 'lib/15/bin/tool')]);
  expect(missingPackages({ three: [pattern] })).toEqual([]);
});

test('where it may not install, one line says what to type', () => {
  const module = path.join(import.meta.dirname, 'debian-packages.ts');
  const program = `
    process.getuid = () => 1000;
    const { installPackages } = await import(${JSON.stringify(module)});
    console.log(await installPackages(['tmux', 'git']));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  expect(stdout).toBe('The tests need: tmux, git. On Debian: sudo apt-get install -y tmux git\n');
});
