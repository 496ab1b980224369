import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { oldNpmProgram, oldNpmVersions } from '../../scripts/pretest/old-npms.ts';
import { copyProject } from '../kit/copy-project.ts';
import { type ProgramEnd, runProgram } from '../kit/run-program.ts';
import { createTemporaryTree } from '../kit/temporary-tree.ts';

const root = path.join(import.meta.dirname, '../..');
const minutes = 60_000;

/** The machine's own Node and npm, not those of this project. */
const machinePath = (process.env['PATH'] ?? '')
  .split(':')
  .filter((folder) => !folder.includes('node_modules'))
  .join(':');

async function environment(change: NodeJS.ProcessEnv = {}): Promise<NodeJS.ProcessEnv> {
  const kept = Object.entries(process.env).filter(([name]) => !/^npm_|^NODE_/i.test(name));
  // What an earlier run fetched is good enough: the lock says what it must be.
  const cached = { npm_config_prefer_offline: 'true' };
  return {
    ...Object.fromEntries(kept),
    ...cached,
    PATH: machinePath,
    HANDRAIL_HOME: await createTemporaryTree(),
    ...change,
  };
}

function npm(version: string, given: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<ProgramEnd> {
  return version === 'own'
    ? runProgram('npm', given, { cwd, env })
    : runProgram('node', [oldNpmProgram(root, version), ...given], { cwd, env });
}

const listTools = ['start', '--silent', '--', 'tools', '--json'];

test.each([...oldNpmVersions, 'own'])(
  'npm %s starts a clean clone, and a second time without network',
  { timeout: 5 * minutes },
  async (version) => {
    if (version !== 'own') {
      expect(existsSync(oldNpmProgram(root, version)), 'npm run pretest fetches it').toBe(true);
    }
    const folder = await copyProject({ linksPackages: false });
    const lock = await readFile(path.join(folder, 'package-lock.json'), 'utf8');
    const first = await npm(version, listTools, folder, await environment());
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(first.stdout)).toBeInstanceOf(Array);
    const offline = await environment({ npm_config_registry: 'http://127.0.0.1:9', npm_config_offline: 'true' });
    expect(await npm(version, listTools, folder, offline)).toEqual(first);
    expect(await readFile(path.join(folder, 'package-lock.json'), 'utf8')).toBe(lock);
  },
);

test('settings of the user’s own npm that leave things out do not matter', { timeout: 5 * minutes }, async () => {
  const folder = await copyProject({ linksPackages: false });
  const odd = {
    NODE_ENV: 'production',
    npm_config_omit: 'optional dev',
    npm_config_legacy_peer_deps: 'true',
    npm_config_package_lock: 'false',
    npm_config_install_strategy: 'nested',
  };
  const end = await runProgram(path.join(folder, 'bin/handrail'), ['tools', '--json'], { env: await environment(odd) });
  expect(end).toMatchObject({ code: 0, stderr: '' });
  const offline = await environment({ ...odd, npm_config_registry: 'http://127.0.0.1:9' });
  expect(await runProgram(path.join(folder, 'bin/handrail'), ['tools', '--json'], { env: offline })).toEqual(end);
});
