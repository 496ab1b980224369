/** What archives could do to a machine, and cannot: each with the same archive doing it when the rule is not asked. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { soak } from '../../../test/kit/soak.ts';
import { type TarEntry, writeTar } from '../../../test/kit/write-tar.ts';
import { type Unpacking, unpackArchive } from './unpack-archive.ts';

let base: string;
let target: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-unpack-')));
  target = join(base, 'inside', 'target');
  mkdirSync(target, { recursive: true });
  writeFileSync(join(base, 'inside/secret'), 'untouched');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const unpack = (bytes: Buffer, more: Partial<Unpacking> = {}) =>
  unpackArchive({ source: Readable.from([bytes]), folder: target, signal: new AbortController().signal, ...more });
const entries = (...list: TarEntry[]): Buffer => writeTar(list);
const expectRefused = async (bytes: Buffer, why: RegExp): Promise<void> => {
  await expect(unpack(bytes)).rejects.toMatchObject({ code: 'denied', message: expect.stringMatching(why) as string });
  expect(readFileSync(join(base, 'inside/secret'), 'utf8')).toBe('untouched');
  expect(readdirSync(base)).toEqual(['inside']);
  expect(readdirSync(join(base, 'inside')).toSorted()).toEqual(['secret', 'target']);
};

describe('what is unpacked', () => {
  it('[A24] files, folders, links and second names come out as they are, compressed or not', async () => {
    const archive = entries(
      { name: './', type: '5', mode: 0o755 },
      { name: './bin/', type: '5', mode: 0o700 },
      { name: './bin/busybox', text: 'program', mode: 0o755 },
      { name: './bin/sh', type: '2', link: '/bin/busybox' },
      { name: './bin/second', type: '1', link: './bin/busybox' },
      { name: 'etc/deep/file', text: 'made its folders', mode: 0o600 },
    );
    for (const bytes of [archive, gzipSync(archive)]) {
      rmSync(target, { recursive: true });
      mkdirSync(target);
      expect(await unpack(bytes)).toEqual({ entries: 6, bytes: 23 });
      expect(readFileSync(join(target, 'bin/second'), 'utf8')).toBe('program');
      expect(readlinkSync(join(target, 'bin/sh'))).toBe('/bin/busybox');
      expect(statSync(join(target, 'bin')).mode & 0o777).toBe(0o700);
      expect(statSync(join(target, 'etc/deep/file')).mode & 0o777).toBe(0o600);
    }
  });

  it('[A24] neither setuid nor sticky bits come out, and a folder stays open to its owner', async () => {
    await unpack(
      entries(
        { name: 'su', text: '', mode: 0o6755 },
        { name: 'tmpdir/', type: '5', mode: 0o1555 },
        { name: 'tmpdir/x', text: '' },
      ),
    );
    expect(statSync(join(target, 'su')).mode & 0o7777).toBe(0o755);
    expect(statSync(join(target, 'tmpdir')).mode & 0o7777).toBe(0o755);
  });

  it('[A24] devices and the kernel’s files below /dev and /proc are left out', async () => {
    await unpack(
      entries(
        { name: 'dev/', type: '5' },
        { name: 'dev/null', type: '3' },
        { name: 'proc/self', type: '2', link: '/x' },
        { name: 'run/a', text: '' },
      ),
    );
    expect(readdirSync(target)).toEqual(['dev']);
    expect(readdirSync(join(target, 'dev'))).toEqual([]);
  });

  it('[A24] contents of a merged folder go where its link leads, and the link stays', async () => {
    mkdirSync(join(target, 'usr/bin'), { recursive: true });
    execFileSync('ln', ['-s', 'usr/bin', join(target, 'bin')]);
    const merged = new Map([['bin', 'usr/bin']]);
    await unpack(entries({ name: './bin/', type: '5' }, { name: './bin/ls', text: 'ls' }), { merged });
    expect(readFileSync(join(target, 'usr/bin/ls'), 'utf8')).toBe('ls');
    expect(lstatSync(join(target, 'bin')).isSymbolicLink()).toBe(true);
  });
});

describe('what is refused', () => {
  it.each<[string, TarEntry[], RegExp]>([
    ['an absolute name', [{ name: '/etc/x', text: '' }], /begins with \//],
    ['a name that leads upwards', [{ name: 'a/../../secret', text: 'evil' }], /leads upwards/],
    ['a name of dots alone', [{ name: '..', type: '5' }], /leads upwards/],
    ['control characters in a name', [{ name: 'a\u001b[2Jb', text: '' }], /control characters/],
    ['a name that is no UTF-8', [{ name: Buffer.from([0x61, 0xff, 0x62]), text: '' }], /control characters/],
    ['an endless part of a name', [{ name: `${'a'.repeat(300)}`, text: '' }], /too long/],
    ['a device', [{ name: 'etc/sda', type: '4' }], /no file, folder or link/],
    ['a pipe', [{ name: 'etc/pipe', type: '6' }], /no file, folder or link/],
    ['a link out by dots', [{ name: 'a', type: '2', link: '../secret' }], /leads out of the tree/],
    ['a link out by an absolute path', [{ name: 'a/b', type: '2', link: '/../x' }], /leads out of the tree/],
    [
      'a file behind a link',
      [
        { name: 'd', type: '2', link: '/tmp' },
        { name: 'd/x', text: 'evil' },
      ],
      /behind a link/,
    ],
    [
      'a file behind a link that first was a folder',
      [
        { name: 'd/', type: '5' },
        { name: 'd', type: '2', link: '/tmp' },
      ],
      /twice/,
    ],
    [
      'a file through a link of its own name',
      [
        { name: 'x', type: '2', link: '/etc/passwd' },
        { name: 'x', text: 'evil' },
      ],
      /twice/,
    ],
    ['a second name of a file outside', [{ name: 'x', type: '1', link: '../secret' }], /leads upwards/],
    ['a second name of an absolute path', [{ name: 'x', type: '1', link: '/etc/passwd' }], /begins with \//],
    [
      'a second name of a link',
      [
        { name: 'l', type: '2', link: '/etc/passwd' },
        { name: 'x', type: '1', link: 'l' },
      ],
      /no file of this archive/,
    ],
  ])('[A24] %s', async (_title, list, why) => {
    await expectRefused(entries(...list), why);
  });

  it('[A24] twin: an unpacker that asks no rules writes outside', () => {
    const archive = join(base, 'evil.tar');
    writeFileSync(archive, entries({ name: '../escaped', text: 'evil' }));
    execFileSync('tar', ['-x', '-P', '-f', archive, '-C', target]);
    expect(existsSync(join(base, 'inside/escaped'))).toBe(true);
  });

  it('[A24] too many entries, too many bytes, and a bomb of zeros', async () => {
    const many = entries(...Array.from({ length: 50 }, (_, number) => ({ name: `f${number}`, text: '' })));
    await expect(unpack(many, { maxEntries: 49 })).rejects.toMatchObject({ code: 'too_large' });
    const big = gzipSync(entries({ name: 'zeros', text: '\0'.repeat(5_000_000) }));
    await expect(unpack(big, { maxBytes: 1_000_000 })).rejects.toMatchObject({ code: 'too_large' });
    expect(existsSync(join(target, 'zeros'))).toBe(false);
  });

  it('[A24] what is no archive, or ends too early', async () => {
    await expect(unpack(Buffer.from('hello '.repeat(200)))).rejects.toMatchObject({ code: 'failed' });
    const whole = gzipSync(entries({ name: 'file', text: 'x'.repeat(100_000) }));
    await expect(unpack(whole.subarray(0, 60))).rejects.toMatchObject({ code: 'failed' });
  });

  it('[A24] a link to nothing', async () => {
    await expect(unpack(entries({ name: 'a', type: '2', link: '' }))).rejects.toThrow(/linkpath|nothing/);
    expect(readdirSync(target)).toEqual([]);
  });

  it('[A24] a folder that cannot be written', async () => {
    const list = entries({ name: 'a', text: 'x' });
    rmSync(target, { recursive: true });
    await expect(unpack(list)).rejects.toMatchObject({ code: 'failed' });
  });
});

it('[A24] damaged archives write nothing outside, and each comes to an end', async () => {
  const whole = entries(
    { name: './', type: '5' },
    { name: './etc/passwd', text: 'root:x:0:0' },
    { name: './bin/sh', type: '2', link: '/bin/busybox' },
    { name: './lib/second', type: '1', link: './etc/passwd' },
    { name: `./${'long-name-'.repeat(12)}/${'y'.repeat(50)}`, text: 'x'.repeat(700) },
  );
  let seed = 42;
  const random = (below: number): number => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) % below;
  for (let round = 0; round < soak(300); round += 1) {
    const bytes = Buffer.from(whole);
    for (let change = 0; change <= random(4); change += 1) {
      const at = random(bytes.length);
      bytes.write(['../', '/', '\0', '2', '1', '7'][random(6)] ?? '', at, 'latin1');
    }
    fixChecksums(bytes);
    await unpack(bytes).catch((error: { code: string }) =>
      expect(['denied', 'failed', 'too_large']).toContain(error.code),
    );
    expect(readFileSync(join(base, 'inside/secret'), 'utf8')).toBe('untouched');
    expect(readdirSync(base).length + readdirSync(join(base, 'inside')).length).toBe(3);
    chmodSync(target, 0o700);
    rmSync(target, { recursive: true });
    mkdirSync(target);
  }
});

/** Else every change would be found by the checksum of its header. */
function fixChecksums(bytes: Buffer): void {
  for (let at = 0; at + 512 <= bytes.length; at += 512) {
    if (bytes.toString('latin1', at + 257, at + 262) !== 'ustar') continue;
    bytes.fill(' ', at + 148, at + 156);
    const sum = bytes.subarray(at, at + 512).reduce((total, byte) => total + byte, 0);
    bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, at + 148, 'latin1');
  }
}
