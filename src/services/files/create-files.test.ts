import { execFile, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileWorld, failureOf, type FileWorld } from '../../../test/kit/file-world.ts';
import type { Files } from '../../contract/services.ts';

const isRoot = process.getuid?.() === 0;
const script = join(import.meta.dirname, '../../../test/fixtures/files/use-files.ts');
let world: FileWorld;
let files: Files;
const bytes = (text: string): Buffer => Buffer.from(text);
const inWorkspace = (name: string): string => join(world.workspace, name);
const content = (name: string): string => readFileSync(inWorkspace(name), 'utf8');

beforeEach(async () => {
  world = createFileWorld();
  ({ files } = await world.grant());
});
afterEach(() => world.remove());

describe('writing', () => {
  it('[E05] makes parent folders, then replaces the whole file', async () => {
    expect(await files.write('new/deep/a.txt', bytes('one'))).toEqual({
      path: inWorkspace('new/deep/a.txt'),
      created: true,
    });
    expect(await files.write('new/deep/a.txt', bytes('2'))).toEqual({
      path: inWorkspace('new/deep/a.txt'),
      created: false,
    });
    expect(content('new/deep/a.txt')).toBe('2');
    expect(readdirSync(inWorkspace('new/deep'))).toEqual(['a.txt']);
  });

  it('keeps the mode, and the owner where that is allowed', async () => {
    world.put('workspace/run.sh', 'old');
    chmodSync(inWorkspace('run.sh'), 0o750);
    if (isRoot) chownSync(inWorkspace('run.sh'), 1234, 1235);
    await files.write('run.sh', bytes('new'));
    const stats = statSync(inWorkspace('run.sh'));
    expect(stats.mode & 0o7777).toBe(0o750);
    if (isRoot) expect([stats.uid, stats.gid]).toEqual([1234, 1235]);
  });

  it('a link stays a link, and its target is written', async () => {
    world.put('workspace/real.txt', 'old');
    symlinkSync('real.txt', inWorkspace('link.txt'));
    await files.write('link.txt', bytes('new'));
    expect([readlinkSync(inWorkspace('link.txt')), content('real.txt')]).toEqual(['real.txt', 'new']);
    symlinkSync('fresh.txt', inWorkspace('dangling.txt'));
    await files.write('dangling.txt', bytes('made'));
    expect([lstatSync(inWorkspace('dangling.txt')).isSymbolicLink(), content('fresh.txt')]).toEqual([true, 'made']);
  });

  it('[A20] a second name of the file outside keeps the old content, for writing and for appending', async () => {
    const outside = world.put('outside/shared.txt', 'old');
    linkSync(outside, inWorkspace('shared.txt'));
    await files.append('shared.txt', bytes('+'));
    expect([content('shared.txt'), readFileSync(outside, 'utf8')]).toEqual(['old+', 'old']);
    linkSync(outside, inWorkspace('again.txt'));
    await files.write('again.txt', bytes('new'));
    expect([content('again.txt'), readFileSync(outside, 'utf8')]).toEqual(['new', 'old']);
  });

  it('a condition that no longer holds is a conflict and changes nothing', async () => {
    world.put('workspace/a.txt', 'theirs');
    expect(await failureOf(files.write('a.txt', bytes('mine'), { expected: bytes('old') }))).toMatch(
      /^conflict: .*changed by something else/,
    );
    expect(await failureOf(files.write('a.txt', bytes('mine'), { expected: null }))).toMatch(
      /^conflict: .*exists already/,
    );
    expect(await failureOf(files.write('b.txt', bytes('mine'), { expected: bytes('old') }))).toMatch(/^conflict: /);
    expect([content('a.txt'), readdirSync(world.workspace)]).toEqual(['theirs', ['a.txt']]);
    await files.write('a.txt', bytes('mine'), { expected: bytes('theirs') });
    expect(content('a.txt')).toBe('mine');
  });

  it('of several that expect the same content only one wins', async () => {
    world.put('workspace/a.txt', 'old');
    const results = await Promise.all(
      [1, 2, 3, 4, 5].map((number) =>
        failureOf(files.write('a.txt', bytes(`by ${number}`), { expected: bytes('old') })),
      ),
    );
    expect(results.filter((result) => result === 'none')).toHaveLength(1);
    expect(results.filter((result) => result.startsWith('conflict'))).toHaveLength(4);
  });

  it('a folder, pipe or device is refused at once', async () => {
    mkdirSync(inWorkspace('folder'));
    spawnSync('mkfifo', [inWorkspace('pipe')]);
    expect(await failureOf(files.write('folder', bytes('x')))).toMatch(/^invalid_input: .*is a folder/);
    expect(await failureOf(files.write('pipe', bytes('x')))).toMatch(/^invalid_input: .*a pipe/);
    expect(await failureOf(files.read('pipe'))).toMatch(/^invalid_input: .*a pipe/);
    expect(await failureOf(files.append('pipe', bytes('x')))).toMatch(/^invalid_input: .*a pipe/);
    expect(await failureOf(files.write('folder/../pipe/x', bytes('x')))).toMatch(/^invalid_input: /);
    for (const name of ['new/', 'new/.', 'folder/..', 'folder/'])
      expect(await failureOf(files.write(name, bytes('x')))).toMatch(/^invalid_input: .*names a folder/);
    expect(existsSync(inWorkspace('new'))).toBe(false);
  });

  it('appends, and makes the file when it is missing', async () => {
    expect((await files.append('log.txt', bytes('a\n'))).created).toBe(true);
    expect((await files.append('log.txt', bytes('b\n'))).created).toBe(false);
    expect(content('log.txt')).toBe('a\nb\n');
  });

  it('a read-only file is refused with what to try', async () => {
    world.put('workspace/fixed.txt', 'fixed');
    chmodSync(inWorkspace('fixed.txt'), 0o444);
    // Root may write anything: as root the same is tried by an ordinary user.
    for (const folder of ['', 'workspace', 'state', 'state/home', 'user', 'user/.ssh', 'outside'])
      if (isRoot) chownSync(join(world.root, folder), 65534, 65534);
    const task = JSON.stringify({
      options: world.options,
      workspace: world.workspace,
      steps: [
        ['write', 'fixed.txt', 'x'],
        ['append', 'fixed.txt', 'x'],
        ['write', 'free.txt', 'x'],
      ],
    });
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [script, task],
      isRoot ? { uid: 65534, gid: 65534 } : {},
    );
    const [write, append, free] = JSON.parse(stdout) as string[];
    expect(write).toMatch(/^failed: .*read-only.*EACCES.*chmod u\+w/);
    expect(append).toMatch(/^failed: /);
    expect(free).toBe('ok');
    expect(content('fixed.txt')).toBe('fixed');
  });

  it('a full disk leaves the old content and no temporary file', async () => {
    const steps = [
      ['write', 'a.txt', 'old'],
      ['write', 'a.txt', 'x*300000'],
      ['append', 'a.txt', 'y*300000'],
      ['read', 'a.txt'],
      ['write', 'new/b.txt', 'z*300000'],
    ];
    const task = JSON.stringify({ options: world.options, workspace: world.workspace, steps });
    // A file system of its own for a process of its own; user namespaces let an ordinary user have one too.
    const shell = `mount -t tmpfs -o size=128k none "$1" && "$2" "$3" "$4" && find "$1" -name '.handrail*' >&2`;
    const run = await promisify(execFile)('unshare', [
      '--mount',
      ...(isRoot ? [] : ['--map-root-user']),
      'sh',
      '-c',
      shell,
      'sh',
      world.workspace,
      process.execPath,
      script,
      task,
    ]);
    const [first, second, third, fourth, fifth] = JSON.parse(run.stdout) as string[];
    expect([first, fourth, run.stderr]).toEqual(['ok', 'old', '']);
    for (const failed of [second, third, fifth]) expect(failed).toMatch(/^failed: .*disk is full; nothing was changed/);
  });
});

describe('reading and listing', () => {
  it('[E03] a file of 10 MB or more is too large, one byte less is not', async () => {
    writeFileSync(inWorkspace('big'), Buffer.alloc(10 * 1024 * 1024, 'a'));
    writeFileSync(inWorkspace('almost'), Buffer.alloc(10 * 1024 * 1024 - 1, 'a'));
    expect(await failureOf(files.read('big'))).toMatch(/^too_large: .*10,485,760 bytes/);
    expect((await files.read('almost')).bytes.length).toBe(10 * 1024 * 1024 - 1);
  });

  it('a file whose size is not known before is read to its end', async () => {
    const { files: granted } = await world.grant([{ kind: 'path', path: '/proc/cpuinfo', mode: 'read' }]);
    expect((await granted.read('/proc/cpuinfo')).bytes.toString()).toContain('processor');
  });

  it('info tells links that lead nowhere from nothing, and nothing about what may not be read', async () => {
    symlinkSync('gone', inWorkspace('dangling'));
    symlinkSync(join(world.outside, 'nothing-here'), inWorkspace('to-nothing-outside'));
    symlinkSync(join(world.outside, 'secret.txt'), inWorkspace('to-secret'));
    world.put('workspace/a.txt', 'abc');
    expect(await files.info('a.txt')).toMatchObject({ path: inWorkspace('a.txt'), kind: 'file', bytes: 3 });
    expect(await files.info('nothing')).toBeUndefined();
    expect(await files.info('a.txt/below')).toBeUndefined();
    expect(await files.info('dangling')).toMatchObject({ kind: 'link' });
    const [there, missing] = await Promise.all(
      ['to-secret', 'to-nothing-outside'].map((name) => failureOf(files.info(name))),
    );
    expect([there?.slice(0, 7), missing?.slice(0, 7)]).toEqual(['denied:', 'denied:']);
  });

  it('lists sorted, walks without following links, and stops at the limit', async () => {
    for (const name of ['b/2.txt', 'b/1.txt', 'a.txt', 'c.txt']) world.put(`workspace/${name}`, 'x');
    symlinkSync(world.outside, inWorkspace('b/out'));
    const names = (entries: readonly { path: string }[]): string[] =>
      entries.map((entry) => entry.path.slice(world.workspace.length + 1));
    expect(names((await files.list('.')).entries)).toEqual(['a.txt', 'b', 'c.txt']);
    expect(names((await files.list('.', { recursive: true })).entries)).toEqual([
      'a.txt',
      'b',
      'b/1.txt',
      'b/2.txt',
      'b/out',
      'c.txt',
    ]);
    expect(await files.list('.', { recursive: true, limit: 2 })).toMatchObject({ truncated: true, entries: [{}, {}] });
    expect((await files.list('.', { limit: 3 })).truncated).toBe(false);
    expect(await failureOf(files.list('a.txt'))).toMatch(/^invalid_input: .*is a file/);
    expect(await failureOf(files.list('nothing'))).toMatch(/^not_found: /);
  });

  it('names that are not UTF-8 are listed, copied and removed', async () => {
    const raw = Buffer.concat([Buffer.from(`${inWorkspace('odd')}/`), Buffer.from([0xff, 0xfe])]);
    mkdirSync(inWorkspace('odd'));
    mkdirSync(raw);
    writeFileSync(Buffer.concat([raw, Buffer.from('/caf\xe9', 'latin1')]), 'x');
    expect(
      (await files.list('odd', { recursive: true })).entries.map((entry) => entry.path.slice(world.workspace.length)),
    ).toEqual(['/odd/\ufffd\ufffd', '/odd/\ufffd\ufffd/caf\ufffd']);
    await files.copy('odd', 'copy', { recursive: true });
    expect(readdirSync(inWorkspace('copy'), { encoding: 'buffer', recursive: false })).toEqual([
      Buffer.from([0xff, 0xfe]),
    ]);
    const { files: granted } = await world.grant([{ kind: 'path', path: 'odd', mode: 'delete' }]);
    await granted.trash('odd', { recursive: true });
    expect(readdirSync(world.workspace)).toEqual(['copy']);
  });

  it('a listing of a granted folder names a credential folder and does not enter it', async () => {
    const { files: granted } = await world.grant([{ kind: 'path', path: '../user', mode: 'read' }]);
    const { entries } = await granted.list('../user', { recursive: true });
    expect(entries.map((entry) => entry.path)).toEqual([join(world.userHome, '.ssh')]);
  });

  it('the private home is shown by its inside name', async () => {
    await files.write('~/notes/a.txt', bytes('x'));
    expect((await files.read('/home/handrail/notes/a.txt')).path).toBe('/home/handrail/notes/a.txt');
    expect((await files.list('~/notes')).entries[0]?.path).toBe('/home/handrail/notes/a.txt');
    expect(readFileSync(join(world.home, 'notes/a.txt'), 'utf8')).toBe('x');
  });

  it('one service answers many calls at once', async () => {
    await Promise.all(Array.from({ length: 50 }, (_, index) => files.write(`many/${index}.txt`, bytes(`${index}`))));
    const read = await Promise.all(Array.from({ length: 50 }, (_, index) => files.read(`many/${index}.txt`)));
    expect(read.map((file) => file.bytes.toString())).toEqual(Array.from({ length: 50 }, (_, index) => `${index}`));
  });
});
