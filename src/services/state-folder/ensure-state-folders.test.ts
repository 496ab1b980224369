import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SetupFailure } from '../../contract/failure.ts';
import { ensureStateFolders } from './ensure-state-folders.ts';
import { resolveStateFolders } from './resolve-state-folders.ts';

let outer: string;
let home: string;

beforeEach(() => {
  outer = mkdtempSync(join(tmpdir(), 'handrail-state-'));
  home = join(outer, 'rail');
});

afterEach(() => {
  rmSync(outer, { recursive: true, force: true });
});

const moved = (folder = home) => resolveStateFolders({ HANDRAIL_HOME: folder });
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

function refusal(folder = home): string {
  try {
    ensureStateFolders(moved(folder));
  } catch (error) {
    if (error instanceof SetupFailure && !error.message.includes('\n')) return error.message;
    throw error;
  }
  return expect.fail('it was not refused');
}

test('makes every folder for us alone, whatever the umask, and a second time changes nothing', () => {
  const before = process.umask(0);
  try {
    for (const folders of [moved(), resolveStateFolders({ HOME: join(outer, 'me') })]) {
      for (let start = 0; start < 2; start += 1) ensureStateFolders(folders);
      const made = [
        ...folders.roots,
        folders.artifactsFolder,
        folders.homeFolder,
        folders.trashFolder,
        folders.userToolsFolder,
        folders.workspacesFolder,
        folders.backupFolder,
        folders.compileCacheFolder,
      ];
      expect(made.filter((folder) => modeOf(folder) !== '700')).toEqual([]);
    }
  } finally {
    process.umask(before);
  }
});

test('closes a folder of ours that others could read', () => {
  mkdirSync(home, { mode: 0o755 });
  writeFileSync(join(home, 'settings.json'), '{}');
  ensureStateFolders(moved());
  expect(modeOf(home)).toBe('700');
});

test('leaves the mode of a folder that holds other things: /etc must stay readable', () => {
  mkdirSync(home, { mode: 0o755 });
  writeFileSync(join(home, 'passwd'), '');
  ensureStateFolders(moved());
  expect(modeOf(home)).toBe('755');
  expect(modeOf(join(home, 'trash'))).toBe('700');
});

test.each([0o777, 0o775, 0o1777])('refuses a folder of mode %o, which others can write', (mode) => {
  mkdirSync(home);
  chmodSync(home, mode);
  expect(refusal()).toMatch(/Other users can write to .*run "chmod 700 '/);
  expect(existsSync(join(home, 'trash'))).toBe(false);
});

test('twin: the same folder, closed as the message says, is taken', () => {
  mkdirSync(home);
  chmodSync(home, 0o777);
  const command = /run "(chmod 700 '[^']*')"/.exec(refusal())?.[1] ?? '';
  expect(spawnSync('sh', ['-c', command]).status).toBe(0);
  ensureStateFolders(moved());
  expect(existsSync(join(home, 'trash'))).toBe(true);
});

test('refuses a link to a place that others can write, and names it', () => {
  mkdirSync(join(outer, 'shared'));
  chmodSync(join(outer, 'shared'), 0o777);
  symlinkSync(join(outer, 'shared'), home);
  expect(refusal()).toMatch(/\(a link to .*shared\)/);
  rmSync(home);
  mkdirSync(join(outer, 'shared', 'mine'));
  symlinkSync(join(outer, 'shared', 'mine'), home);
  expect(refusal()).toMatch(/Any user can replace .* because .*shared is writable for all/);
});

test('follows a link of ours to a folder that is ours', () => {
  mkdirSync(join(outer, 'disk'), { mode: 0o700 });
  symlinkSync(join(outer, 'disk'), home);
  ensureStateFolders(moved());
  expect(existsSync(join(outer, 'disk', 'trash'))).toBe(true);
});

test('refuses a file, a path below a file, a link to nothing and a link to itself', () => {
  writeFileSync(home, '');
  expect(refusal()).toMatch(/is a file, but Handrail needs a folder there: move it away/);
  expect(refusal(join(home, 'below'))).toMatch(/a part of that path is a file/);
  symlinkSync(join(outer, 'nothing'), join(outer, 'dangling'));
  expect(refusal(join(outer, 'dangling'))).toMatch(/a link to nothing/);
  symlinkSync(join(outer, 'self'), join(outer, 'self'));
  expect(refusal(join(outer, 'self'))).toMatch(/a link that leads to itself/);
  expect(refusal(join(outer, 'x'.repeat(300)))).toMatch(/too long/);
});

test('refuses a trusted folder inside that others can write', () => {
  ensureStateFolders(moved());
  chmodSync(join(home, 'user-tools'), 0o770);
  expect(refusal()).toMatch(/user-tools/);
});

test('refuses what belongs to another user', () => {
  // Only root can give a folder away; to an ordinary user, a folder of root's is another user's.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) giveAway(home);
  expect(refusal(isRoot ? home : '/usr')).toMatch(/belongs to another user \(number \d+\): run Handrail as that user/);
});

test.runIf(process.getuid?.() === 0)(
  'refuses a link that another user planted, though it leads to a folder of ours',
  () => {
    const link = join(outer, 'planted');
    mkdirSync(join(outer, 'ours'));
    symlinkSync(join(outer, 'ours'), link);
    ensureStateFolders(moved(link));
    lchownSync(link, 4242, 4242);
    expect(refusal(link)).toMatch(/is a link that belongs to another user/);
  },
);

function giveAway(folder: string) {
  mkdirSync(folder);
  chownSync(folder, 4242, 4242);
}

test('leaves folders of the sandbox to whoever it runs as', () => {
  ensureStateFolders(moved());
  for (const folder of ['home', 'workspaces']) chmodSync(join(home, folder), 0o777);
  if (process.getuid?.() === 0) chownSync(join(home, 'home'), 4242, 4242);
  ensureStateFolders(moved());
  expect(modeOf(join(home, 'home'))).toBe('777');
});

test('says so when the place is read-only, for root too', () => {
  const missing = inside(['--ro-bind', outer, outer]);
  expect(missing).toMatch(/^SetupFailure .*cannot be written .*read-only.*HANDRAIL_HOME/);
  ensureStateFolders(moved());
  expect(inside(['--ro-bind', outer, outer])).toMatch(/^SetupFailure .*cannot be written/);
  expect(inside(['--bind', outer, outer])).toBe('made');
});

/** Runs it where bubblewrap has mounted the folder otherwise. */
function inside(mounts: readonly string[]): string {
  const address = (file: string) => JSON.stringify(pathToFileURL(join(import.meta.dirname, file)).href);
  const script = `import { ensureStateFolders } from ${address('ensure-state-folders.ts')};
    import { resolveStateFolders } from ${address('resolve-state-folders.ts')};
    try {
      ensureStateFolders(resolveStateFolders({ HANDRAIL_HOME: ${JSON.stringify(home)} }));
      console.log('made');
    } catch (error) {
      console.log(error.name, error.message);
    }`;
  const node = [process.execPath, '--input-type=module', '-e', script];
  const result = spawnSync('bwrap', ['--dev-bind', '/', '/', ...mounts, ...node], { encoding: 'utf8' });
  if (result.error !== undefined) throw new Error('bubblewrap is missing. Install it: apt-get install bubblewrap');
  return (result.stdout + result.stderr).trim();
}
