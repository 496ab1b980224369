/** The older npms that set-up must hold with; fetched once with the machine's own npm, kept under .cache/. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Debian 12's, and the one that comes with Node 20 and 22. */
export const oldNpmVersions = ['9.9.4', '10.9.9'] as const;

export const oldNpmProgram = (root: string, version: string): string =>
  path.join(root, '.cache/npm', version, 'bin/npm-cli.js');

/** Undefined when all are there now; else one line that says what to do. */
export async function fetchOldNpms(root: string): Promise<string | undefined> {
  try {
    for (const version of oldNpmVersions) {
      if (!existsSync(oldNpmProgram(root, version))) await fetchNpm(root, version);
    }
    return undefined;
  } catch (error) {
    const [line] = (error as Error).message.split('\n').filter((each) => !each.startsWith('Command failed'));
    return `The npms that the tests start a clone with cannot be fetched (${line ?? 'npm pack failed'}); once with network: npm run pretest`;
  }
}

async function fetchNpm(root: string, version: string): Promise<void> {
  const cache = path.join(root, '.cache/npm');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(path.join(cache, 'unfinished-'));
  try {
    await run('npm', ['pack', `npm@${version}`, '--pack-destination', folder, '--loglevel=error'], { cwd: folder });
    const [packed = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
    await run('tar', ['xzf', packed], { cwd: folder });
    await rename(path.join(folder, 'package'), path.join(cache, version));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
